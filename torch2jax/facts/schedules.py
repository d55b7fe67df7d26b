"""Learning rates that change: which optimizer each scheduler belongs to, and what becomes of it.

scheduler = StepLR(optimizer, 30)    ->    scheduler = optax.exponential_decay(0.1, 30, 0.1, staircase=True)

A schedule is a function of how often its scheduler has stepped. Where that is how often the optimizer has updated, the
schedule is the learning rate, and `scheduler.step()` goes. Elsewhere the state of the optimizer counts the steps. Where the
schedule is a Python function of the program's own, which compiled code could not call, the scheduler is an iterator over
learning rates, and the state of the optimizer holds the present one, as it does where that depends on a metric, or where
`optimizer.param_groups[0]["lr"]` is read or set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import field, replace
from enum import Enum

import libcst as cst

from torch2jax.facts.combined_schedulers import SEQUENTIAL, combined_parts
from torch2jax.facts.held_optimizers import HeldOptimizers
from torch2jax.facts.infer import MADE, Values
from torch2jax.facts.parameters import last_key
from torch2jax.facts.shape_reads import asks_shapes
from torch2jax.facts.shared_rates import NAME, RatesAround, SharedRates, own_optimizers
from torch2jax.facts.training import Step, method_call
from torch2jax.ops.schema import Tables
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program, dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import GROUPED, WHOLE, Kind, Value

GIVEN = "given its optimizer"  # the mark of a method that takes the optimizer which its object was made with
STEPPED_ELSEWHERE = (
    "steps an optimizer elsewhere"  # the mark of a method: its class, name, new name, and the calls behind it
)
PREFIX = "torch.optim.lr_scheduler."
LAMBDA, PLATEAU, MULTIPLICATIVE = (f"{PREFIX}{name}" for name in ("LambdaLR", "ReduceLROnPlateau", "MultiplicativeLR"))
CHANGING = ("lr", "weight_decay")  # of a group of parameters: what may change while it is trained
_NUMBERS = (*CHANGING, "momentum")  # of a group: what the state of its optimizer holds as numbers that may change
_PAIR = "betas"  # two numbers of a group, which may change
_CONSTANTS = frozenset({"alpha", "dampening", "eps", "rho"})  # of a group: what may be read
_SCALING = frozenset(
    f"{PREFIX}{name}"
    for name in (
        "ConstantLR",
        "CosineAnnealingLR",
        "ExponentialLR",
        "LinearLR",
        "MultiStepLR",
        "PolynomialLR",
        "StepLR",
    )
)  # schedulers that multiply the learning rate of each group by the same factor
_NOT_KEPT = frozenset(
    "nesterov amsgrad maximize centered lambd t0 lr_decay momentum_decay initial_accumulator_value"
    " etas step_sizes decoupled_weight_decay differentiable capturable foreach fused".split()
)  # options of optimizers that are no numbers in the state
_KEEPING = frozenset({"list", "reversed", "tuple"})  # what gives the elements of its argument
_PURE_CALLS = frozenset({"float", "int", "len", "max", "min", "range", "round"})


class Form(Enum):
    """What an optimizer has for a learning rate."""

    BY_UPDATE = "schedule"  # its own count of updates is that of the scheduler's steps
    COUNTED = "schedule(count)"
    ITERATED = "next(schedule)"
    MEASURED = "schedule.step(metric)"
    SET = "learning_rate"
    OBJECT = "scheduler.step()"


class Kept(Enum):
    """What a scheduler is that stays an object: one that gives learning rates, or waits for a plateau."""

    RATES = "rates"
    PLATEAU = "plateau"


@dataclass(frozen=True, slots=True, eq=False)
class Scheduler:
    """The call that makes a scheduler, in `line`, and the variable that holds it."""

    made: cst.Call
    line: cst.SimpleStatementLine
    place: cst.Name | cst.Attribute


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """A learning rate that changes, of an optimizer that is known.

    `optimizer` is the call that makes the optimizer, in `optimizer_line`, with the learning rate `rate` (None: torch's
    default). With the place of the optimizer there: `steps` are the lines `scheduler.step()`, `reads` those of
    `scheduler.get_last_lr()` and of `param_groups[0]["lr"]`, `writes` the lines that set the latter. `saves` and `loads` are
    the calls of `scheduler.state_dict()` and the lines `scheduler.load_state_dict(saved)`. Where the optimizer is `grouped`,
    the schedule is the factor of the learning rates of all groups.
    """

    optimizer: cst.Call
    optimizer_line: cst.SimpleStatementLine
    rate: cst.BaseExpression | None
    form: Form
    scheduler: Scheduler | None
    steps: dict[cst.SimpleStatementLine, str]
    reads: dict[cst.BaseExpression, str]
    writes: dict[cst.SimpleStatementLine, str]
    saves: dict[cst.Call, str] = field(default_factory=dict)
    loads: dict[cst.SimpleStatementLine, str] = field(default_factory=dict)
    grouped: bool = False
    parts: Sequence[cst.Call] = ()  # the schedulers that this one combines
    is_shared: bool = False  # with other files

    @property
    def hyperparameter(self) -> str:
        """What changes in the state of the optimizer: the count of the steps, or the learning rate."""
        if self.is_shared:
            return NAME
        taken = names_in(self.optimizer) | (
            names_in(self.scheduler.place) if self.scheduler is not None else frozenset()
        )
        counted = self.form is Form.COUNTED
        wishes = ("count", "step_count", "steps_of_scheduler") if counted else ("learning_rate", "rate", "current_rate")
        return next(name for name in wishes if name not in taken)

    @property
    def learning_rate(self) -> cst.BaseExpression:
        """What the optimizer is given as its learning rate."""
        if self.scheduler is not None and self.form is Form.BY_UPDATE:
            return self.scheduler.place
        name = cst.Name(self.hyperparameter)
        if self.scheduler is not None and self.form is Form.COUNTED:
            return quote("{schedule}({count})", schedule=self.scheduler.place, count=name)
        return name

    def injected(
        self, update: cst.BaseExpression, rate: cst.BaseExpression, may_be_int: bool = False
    ) -> cst.BaseExpression:
        """The optimizer, with what changes among the hyperparameters in its state; `may_be_int`: its rate is to become a float."""
        if self.form is Form.BY_UPDATE:
            return update
        name, start = self.hyperparameter, rate
        if self.scheduler is not None and self.form is Form.COUNTED:
            start = quote("0")
        elif self.scheduler is not None and self.form is Form.ITERATED:
            start = quote("next({s})", s=self.scheduler.place)
        if may_be_int and self.form is not Form.COUNTED:
            start = quote("float({s})", s=start)
        made = quote(f"lambda {name}: {{update}}", update=update)
        if quote("{f}(learning_rate)", f=_called(update)).deep_equals(update):
            made = _called(update)
        return quote(f"optax.inject_hyperparams({{made}})({name}={{start}})", made=made, start=start)


def _called(call: cst.BaseExpression) -> cst.BaseExpression:
    return call.func if isinstance(call, cst.Call) else call


@dataclass(frozen=True, slots=True, eq=False)
class SchedulerObject:
    """A scheduler that stays an object, made by `made` in `line` for the optimizer at `place`.

    `rate` is the call of the optimizer that gives it its learning rate, where both are made in one function; else the state of
    the optimizer is asked for it. `starts`: its first learning rate may be another one.
    """

    made: cst.Call
    line: cst.SimpleStatementLine
    place: str
    rate: Schedule | None
    starts: bool
    hyperparameter: str


@dataclass(slots=True)
class LentRates:
    """The learning rates of optimizers of other files, as far as they change and are read in this one: where, with the places
    of the optimizers there (`keys`).
    """

    keys: frozenset[str]
    steps: dict[cst.SimpleStatementLine, str]
    reads: dict[cst.BaseExpression, str]
    form: Form = Form.OBJECT
    scheduler: Scheduler | None = None
    grouped: bool = False
    hyperparameter: str = NAME


@dataclass(slots=True)
class Schedules:
    """The schedules of a file by the calls that make their optimizers, and the schedulers that cannot be followed."""

    by_optimizer: dict[cst.Call, Schedule] = field(default_factory=dict)
    problems: list[tuple[cst.CSTNode, str]] = field(default_factory=list)
    loops: list[cst.For] = field(default_factory=list)  # `for group in optimizer.param_groups`, of which there is one
    groups: dict[cst.Attribute, str] = field(default_factory=dict)  # `optimizer.param_groups` where there are several
    entries: list[cst.Subscript] = field(default_factory=list)  # `group["lr"]` of those: numbers that may change
    asked: set[str] = field(default_factory=set)  # the options that those are asked for
    objects: list[SchedulerObject] = field(default_factory=list)
    states: list[cst.Call] = field(
        default_factory=list
    )  # of such objects: `scheduler.state_dict()` and its counterpart
    tests: dict[cst.Call, set[Kept]] = field(default_factory=dict)  # `isinstance(scheduler, StepLR)`, of such objects
    lent: list[LentRates] = field(default_factory=list)
    shared: SharedRates = field(default_factory=SharedRates)
    around: SharedRates = field(default_factory=SharedRates)  # once all files agree

    @property
    def steps(self) -> dict[cst.SimpleStatementLine, tuple[Schedule | LentRates, str]]:
        """The lines that step schedulers, with the places of their optimizers."""
        every: list[Schedule | LentRates] = [*self.by_optimizer.values(), *self.lent]
        return {line: (item, place) for item in every for line, place in item.steps.items()}

    @property
    def reads(self) -> dict[cst.BaseExpression, tuple[Schedule | LentRates, str]]:
        """The expressions that ask for the present learning rate, with the places of the optimizers."""
        every: list[Schedule | LentRates] = [*self.by_optimizer.values(), *self.lent]
        return {node: (item, place) for item in every for node, place in item.reads.items()}

    @property
    def writes(self) -> dict[cst.SimpleStatementLine, tuple[Schedule, str]]:
        """The lines that set a learning rate, with the places of the optimizers."""
        every = self.by_optimizer.values()
        return {line: (item, place) for item in every for line, place in item.writes.items()}

    @property
    def saves(self) -> dict[cst.Call, tuple[Schedule, str]]:
        """The calls that ask for the state of a scheduler, with the places of their optimizers."""
        every = self.by_optimizer.values()
        return {call: (item, place) for item in every for call, place in item.saves.items()}

    @property
    def loads(self) -> dict[cst.SimpleStatementLine, tuple[Schedule, str]]:
        """The lines that give a scheduler its state, with the places of their optimizers."""
        every = self.by_optimizer.values()
        return {line: (item, place) for item in every for line, place in item.loads.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """`optimizer.param_groups[0]["lr"]`, also as `group["lr"]` in a loop over the groups; the line if that sets it."""

    node: cst.Subscript
    optimizer: cst.BaseExpression
    loop: cst.For | None
    writes: cst.SimpleStatementLine | None


class Refused(Exception):
    """Why a scheduler cannot be followed."""


def begin_search(
    program: Program,
    values: Values,
    tables: Tables,
    steps: Sequence[Step],
    around: RatesAround,
    held: HeldOptimizers | None = None,
) -> Search:
    """What schedulers a file makes, and where it reads and sets learning rates itself; `around` is what other files do, and
    `held` says where optimizers are whose states are values.
    """
    made = [call for call in program.index.calls if (values.torch_name(call.func) or "").startswith(PREFIX)]
    made = [call for call in made if _is_known(tables, str(values.torch_name(call.func)))]
    search = Search(program, values, tables, steps, made, around=around, held=held)
    search.parts = combined_parts(program, values, made)
    search.find_accesses()
    return search


def lost_optimizers(program: Program, values: Values) -> set[str]:
    """The optimizers without groups and schedulers that a program asks for more of their group than the learning rate."""
    if not any(node.attr.value == "param_groups" for node in program.index.attributes):
        return set()
    made = [call for call in program.index.calls if values(call).kind is Kind.SCHEDULER]
    search = Search(program, values, Tables({}, {}), (), made)
    search.find_accesses()
    places = [node for node in program.index.attributes if node.attr.value == "param_groups"]
    places = [node for node in places if values(node.value).kind is Kind.OPTIMIZER]
    lost, unfit = set(search.lost), set[str]().union(*(values(call).types for call in made))
    for node in places:
        search.note_groups(node)
        unfit |= set() if node in search.groups else values(node.value).types
    for keys in [values(node.value).types for node in places] * len(places):
        lost |= keys if keys & lost else set()  # those that the same line asks are alike
        unfit |= keys if keys & unfit else set()
    return lost - unfit


def optimizers_with_rates_set(program: Program, values: Values) -> set[str]:
    """The optimizers whose learning rates a program sets itself."""
    if not any(node.attr.value == "param_groups" for node in program.index.attributes):
        return set()
    search = Search(program, values, Tables({}, {}), (), ())
    search.find_accesses()
    return set[str]().union(*(values(item.optimizer).types for item in search.accesses if item.writes is not None))


def note_schedulers(search: Search, found: Schedules) -> None:
    """Find the schedulers that become schedules of their optimizers."""
    found.groups, found.entries, found.asked = search.groups, search.entries, search.asked
    inner = {part for parts in search.parts.values() for part in parts}
    for call in search.made:
        if call in inner:
            continue
        if is_lost(search, call):
            found.problems.append((call, "it may be something else than a scheduler where it is used"))
            continue
        try:
            schedule = search.schedule(call)
            found.by_optimizer[schedule.optimizer] = schedule
        except Refused as refusal:
            found.problems += [(item, str(refusal)) for item in (*search.parts.get(call, ()), call)]


def is_lost(search: Search, call: cst.Call) -> bool:
    """Whether nothing says that it is a scheduler where its variable is read, or where a function gives it: `return sched or "none"`."""
    index, definitions, values = search.program.index, search.program.definitions, search.values
    whole: cst.CSTNode = call
    while isinstance(index.parents[whole], cst.IfExp):
        whole = index.parents[whole]
    parent, places = index.parents[whole], [whole]
    for target in parent.targets if isinstance(parent, cst.Assign) else ():
        variable = definitions.scopes.variable(target.target) if isinstance(target.target, cst.Name) else None
        for item in definitions.every(variable) if variable is not None else ():
            places += definitions.uses(item) if item.node is target.target else []
    if any(values(place).kind is Kind.UNKNOWN for place in places):
        return True
    function = search.program.function_around(call)
    given = function.returns if function is not None else None
    is_given = any(isinstance(index.parents[place], cst.Return) for place in places)
    return is_given and given is not None and given.kind is Kind.UNKNOWN


def note_rates(search: Search, found: Schedules) -> None:
    """Find the learning rates that a program sets itself, and leave none that another stands for somewhere."""
    values = search.values
    changing = [values(item.optimizer).types for item in search.accesses] + search.saved
    for key in sorted(search.own(set[str](search.around.needed).union(*changing))):
        with suppress(Refused):  # then each access is reported
            optimizer = search.maker(key)
            if optimizer not in found.by_optimizer and not any(key in types for types in search.scheduled()):
                schedule = search.set_rate(optimizer, frozenset({key}))
                found.by_optimizer[optimizer] = search.check_shared(schedule) if search.is_open(key) else schedule
    while unclear := _unclear(found, search):
        del found.by_optimizer[unclear.optimizer]
        if unclear.scheduler is not None:
            made = (*unclear.parts, unclear.scheduler.made)
            found.problems += [(item, "it may be another one where it is used") for item in made]
    kept = {*found.reads, *found.writes}
    found.loops = [
        loop
        for loop in search.loops
        if all({item.node, item.writes} & kept for item in search.accesses if item.loop is loop)
    ]


def _unclear(found: Schedules, search: Search) -> Schedule | None:
    """A learning rate that changes where another may, which changes in another way or cannot be followed."""
    by_key = {key: item for item in found.by_optimizer.values() for key in search.values(item.optimizer).types}
    for keys in search.shared:
        members = [by_key[key] for key in keys if key in by_key]
        own = search.own(keys)
        kinds = {(item.form, item.hyperparameter, item.grouped) for item in members}
        if members and (len(members) < len(own) or len(kinds) > 1 or (own != keys and not members[0].is_shared)):
            return members[0]
    return None


def _is_known(tables: Tables, name: str) -> bool:
    spec = tables.functions.get(name)
    return spec is not None and spec.unsupported is None


_ABSOLUTE = frozenset({LAMBDA})  # schedulers that compute the learning rate from the first one


@dataclass(slots=True)
class Search:
    program: Program
    values: Values
    tables: Tables
    training: Sequence[Step]
    made: Sequence[cst.Call]
    shared: list[frozenset[str]] = field(default_factory=list)  # optimizers whose learning rates change in one place
    accesses: list[Access] = field(default_factory=list)
    loops: list[cst.For] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)  # optimizers whose groups of parameters are used in another way
    groups: dict[cst.Attribute, str] = field(default_factory=dict)
    entries: list[cst.Subscript] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    saved: list[frozenset[str]] = field(default_factory=list)  # optimizers whose states are saved and taken over
    loaded: list[tuple[Kind, frozenset[str]]] = field(default_factory=list)  # optimizers and schedulers that get states
    parts: dict[cst.Call, list[cst.Call]] = field(default_factory=dict)  # of schedulers that combine others
    around: RatesAround = field(default_factory=RatesAround)
    held: HeldOptimizers | None = None  # where the states of optimizers are values

    def place_at(self, place: str, node: cst.CSTNode) -> str:
        """The place of the optimizer in a variable or field, where a node is."""
        found = place if self.held is None or "." in place else self.held.place(place, node)
        if found is None:
            raise Refused(f"an object keeps `{place}` and trains with it")
        return found

    def own(self, keys: Collection[str]) -> frozenset[str]:
        """Those of some optimizers that the file makes itself."""
        return own_optimizers(self.program, keys)

    def scheduled(self) -> list[frozenset[str]]:
        """The optimizers that schedulers are made for, here and in other files."""
        return [self.values(call).types for call in self.made] + [types for _, types in self.around.made]

    def is_shared(self, keys: frozenset[str]) -> bool:
        """Whether other files make some of these optimizers, or schedulers for them, or step, read or set them."""
        return bool(keys & self.around.mentioned) or self.own(keys) != keys

    def is_open(self, key: str) -> bool:
        """Whether an optimizer is one of which other files know, or stands where another one of theirs may."""
        places = [keys for keys in self.shared if key in keys]
        return key in self.around.mentioned or any(self.own(keys) != keys for keys in places)

    def check_shared(self, schedule: Schedule) -> Schedule:
        """A schedule that other files know has the name that they know; nothing else of its optimizer may be called so."""
        others = [item for item in schedule.optimizer.args if item.value is not schedule.rate]
        if any(NAME in names_in(item.value) for item in others):
            raise Refused(f"other files know its learning rate, and `{NAME}` is something else there")
        return replace(schedule, is_shared=True)

    def check_loads(self, call: cst.Call, keys: frozenset[str]) -> None:
        """Refuse a scheduler that goes on from the learning rate which its optimizer was loaded with, but not from there."""
        kinds = {kind for kind, types in (*self.loaded, *self.around.loaded) if types & keys}
        is_alone = Kind.OPTIMIZER in kinds and Kind.SCHEDULER not in kinds
        if is_alone and self.values.torch_name(call.func) not in _ABSOLUTE:
            raise Refused("its optimizer takes over a saved state, and it takes over none")

    def find_accesses(self) -> None:
        """Where learning rates are read and set without a scheduler."""
        index = self.program.index
        for call in index.calls:
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in ("load_state_dict", "state_dict"):
                value = self.values(call.func.value)
                if value.kind is Kind.OPTIMIZER and value.among == {WHOLE}:
                    self.saved.append(value.types)
                if call.func.attr.value == "load_state_dict":
                    self.loaded.append((value.kind, value.types))
        for node in index.attributes:
            if node.attr.value != "param_groups" or self.values(node.value).kind is not Kind.OPTIMIZER:
                continue
            if may_have_groups(self.values(node.value)):
                self.note_groups(node)
                continue
            parent = index.parents[node]
            group = index.parents[parent] if _has_key(parent, node, "0") else None
            if group is not None and _has_key(group, parent, '"lr"', "'lr'"):
                self.note_access(group, node.value, None)
            elif not (isinstance(parent, cst.For) and parent.iter is node and self.note_loop(parent, node.value)):
                self.lost |= self.values(node.value).types
        if not any(map(self.is_pair_set, self.entries)):
            self.entries = [item for item in self.entries if last_key(item) != _PAIR]

    def is_pair_set(self, node: cst.Subscript) -> bool:
        """Whether a line sets the betas of a group."""
        return last_key(node) == _PAIR and isinstance(self.program.index.parents[node], cst.AssignTarget)

    def note_groups(self, node: cst.Attribute) -> None:
        """The groups of an optimizer that has several: dictionaries in its state."""
        index, place, found = self.program.index, dotted(node.value), self.group_uses(node)
        if found is None:
            return
        entries = [index.parents[item] for item in found]
        if place is None or not all(map(self.is_entry, entries, found)):
            return
        self.groups[node] = place
        changing = (*_NUMBERS, _PAIR)
        self.entries += [item for item in entries if isinstance(item, cst.Subscript) and last_key(item) in changing]
        self.asked |= {key for item in entries if (key := self.asked_key(item)) is not None}

    def group_uses(self, node: cst.Attribute) -> list[cst.BaseExpression] | None:
        """The expressions that stand for one of the groups of an optimizer; None if it is not in sight which do."""
        index = self.program.index
        loop = index.parents[node]
        if isinstance(loop, cst.Subscript) and loop.value is node:
            return [loop]
        if isinstance(loop, cst.Arg) and dotted(index.parents[loop].func) == "len":  # type: ignore[attr-defined]
            return []
        while isinstance(loop, (cst.Arg, cst.Call)):
            loop = index.parents[loop]
        group = _element_of(loop.target, loop.iter, node) if isinstance(loop, (cst.For, cst.CompFor)) else None
        return [*self.program.definitions.uses_at(group)] if isinstance(group, cst.Name) else None

    def is_entry(self, node: cst.CSTNode, group: cst.BaseExpression) -> bool:
        """Whether a group is only asked for what the state of an optimizer keeps of it: options, and the shapes of parameters."""
        key = self.asked_key(node)
        if key is None or key in _NOT_KEPT:
            return False
        if not isinstance(node, cst.Subscript):
            return True
        is_read = not isinstance(self.program.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.Del))
        if key == "params":
            return is_read and asks_shapes(self.program, node)
        is_added_to = key == _PAIR and isinstance(self.program.index.parents[node], cst.AugAssign)
        return node.value is group and (is_read or key not in _CONSTANTS) and not is_added_to

    def asked_key(self, node: cst.CSTNode) -> str | None:
        """`lr` of `group["lr"]` and of `"lr" in group`."""
        if isinstance(node, cst.Subscript):
            return last_key(node)
        comparison = self.program.index.parents.get(node)
        if isinstance(node, cst.ComparisonTarget) and isinstance(node.operator, (cst.In, cst.NotIn)):
            left = comparison.left if isinstance(comparison, cst.Comparison) else None
            return str(left.evaluated_value) if isinstance(left, cst.SimpleString) else None
        return None

    def note_loop(self, loop: cst.For, optimizer: cst.BaseExpression) -> bool:
        """`for group in optimizer.param_groups: group["lr"] = rate`."""
        index = self.program.index
        plain = isinstance(loop.body, cst.IndentedBlock) and loop.orelse is None and loop.asynchronous is None
        if not plain or not isinstance(loop.target, cst.Name):
            return False
        for line in loop.body.body:
            if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or _leaves(line.body[0]):
                return False
        function = self.program.function_around(loop)
        uses = [node for node in index.names if node.value == loop.target.value and node is not loop.target]
        uses = [node for node in uses if self.program.function_around(node) is function]
        if not all(
            loop in index.ancestors(node) and _has_key(index.parents[node], node, '"lr"', "'lr'") for node in uses
        ):
            return False
        for node in uses:
            self.note_access(index.parents[node], optimizer, loop)
        self.loops.append(loop)
        return True

    def note_access(self, node: cst.CSTNode, optimizer: cst.BaseExpression, loop: cst.For | None) -> None:
        assert isinstance(node, cst.Subscript)
        index = self.program.index
        parent, line = index.parents[node], index.statement_of(node)
        assignment = index.parents[parent]
        is_target = isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and parent.target is node
        alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        if is_target and (not alone or (isinstance(assignment, cst.Assign) and len(assignment.targets) > 1)):
            self.lost |= self.values(optimizer).types
        written = line if is_target and isinstance(line, cst.SimpleStatementLine) else None
        self.accesses.append(Access(node, optimizer, loop, written))

    def add_accesses(
        self, keys: frozenset[str], reads: dict[cst.BaseExpression, str], writes: dict[cst.SimpleStatementLine, str]
    ) -> None:
        """The reads and writes of the learning rate of an optimizer, with its place there."""
        if self.lost & keys:
            raise Refused("the groups of parameters of its optimizer are used in another way")
        for item in self.accesses:
            types, place = self.values(item.optimizer).types, dotted(item.optimizer)
            if not types & keys:
                continue
            if place is None:
                raise Refused("which variable holds its optimizer is not known where it is used")
            if GROUPED in self.values(item.optimizer).among:
                raise Refused("its optimizer has groups of parameters, and another one has none")
            if types != keys:
                self.shared.append(types)
            place = self.place_at(place, item.node)
            if item.writes is not None:
                writes[item.writes] = place
            else:
                reads[item.node] = place

    def set_rate(self, optimizer: cst.Call, keys: frozenset[str]) -> Schedule:
        """A learning rate that the program sets itself."""
        if GROUPED in self.values(optimizer).among:
            raise Refused("its optimizer has groups of parameters, and another one has none")
        line = self.program.index.statement_of(optimizer)
        if not isinstance(line, cst.SimpleStatementLine):
            raise Refused("its optimizer must be given to a variable")
        rate = self.rate(optimizer)
        reads: dict[cst.BaseExpression, str] = {}
        writes: dict[cst.SimpleStatementLine, str] = {}
        self.add_accesses(keys, reads, writes)
        self.check_steps(self.updates(keys), list(writes), reads)
        self.check_lasting(None, optimizer, line, rate)
        return Schedule(optimizer, line, rate, Form.SET, None, {}, reads, writes)

    def updates(self, keys: frozenset[str]) -> list[Step]:
        return [
            step for step in self.training if step.optimizer is not None and may_be(self.values(step.optimizer), keys)
        ]

    def schedule(self, call: cst.Call) -> Schedule:
        line, place = self.assigned(call)
        keys = self.values(call).types
        if len(keys) != 1:
            raise Refused("its optimizer is not in sight")
        if self.is_shared(keys):
            raise Refused("other files know it or its optimizer")
        self.check_place(place)
        parts = self.parts.get(call, [])
        if sum(self.values(item).types == keys for item in self.made) > 1 + len(parts):
            raise Refused("its optimizer has several schedulers")
        if not parts and self.values.torch_name(call.func) == SEQUENTIAL:
            raise Refused("what it combines is not in sight")
        optimizer = self.maker(next(iter(keys)))
        optimizer_line, optimizer_place = self.assigned(optimizer)
        if self.values(optimizer.func).kind is not Kind.TORCH:
            raise Refused("its optimizer is of a class of the program")
        if not call.args or dotted(call.args[0].value) != dotted(optimizer_place):
            raise Refused("its optimizer is not in sight")
        self.check_order(call, line, optimizer_line, optimizer_place, parts)
        rate = self.rate(optimizer)
        stepped: dict[cst.SimpleStatementLine, str] = {}
        reads: dict[cst.BaseExpression, str] = {}
        writes: dict[cst.SimpleStatementLine, str] = {}
        saves: dict[cst.Call, str] = {}
        loads: dict[cst.SimpleStatementLine, str] = {}
        for use in self.uses(keys):
            if self.program.index.statement_of(use) is line and parts:
                continue
            if not self.note_state(use, keys, saves, loads):
                self.note_use(use, keys, stepped, reads)
        self.add_accesses(keys, reads, writes)
        if writes:
            raise Refused("the learning rate is set elsewhere, too")
        updates = self.updates(keys)
        self.check_steps(updates, list(stepped), reads)
        form = Form.COUNTED
        name = self.values.torch_name(call.func)
        grouped = GROUPED in self.values(optimizer).among
        if grouped:
            self.check_groups(call, keys, reads)
        if name in (LAMBDA, MULTIPLICATIVE, PLATEAU):
            form = Form.MEASURED if name == PLATEAU else Form.ITERATED
        elif (
            not reads
            and not grouped
            and not saves
            and not loads
            and not any(keys & types for types in self.shared)
            and self.is_by_update(updates, list(stepped))
        ):
            form = Form.BY_UPDATE
        if form is Form.COUNTED and any(
            isinstance(node, cst.Subscript) and not self.is_near(node, call, place) for node in reads
        ):
            raise Refused("the learning rate is read where the scheduler is not known")
        if (saves or loads) and (form is not Form.COUNTED or not any(keys & types for types in self.saved)):
            raise Refused("its state is saved without that of its optimizer, or is more than a count")
        self.check_loads(call, keys)
        if form is not Form.BY_UPDATE:
            self.check_lasting(call if form is Form.ITERATED else None, optimizer, optimizer_line, rate)
        return Schedule(
            optimizer,
            optimizer_line,
            rate,
            form,
            Scheduler(call, line, place),
            stepped,
            reads,
            writes,
            saves,
            loads,
            grouped,
            parts,
        )

    def check_groups(self, call: cst.Call, keys: frozenset[str], reads: Collection[cst.BaseExpression]) -> None:
        """Groups of parameters have one factor, which is not seen in their learning rates."""
        if not has_one_factor(self.values, call):
            raise Refused("its optimizer has groups of parameters")
        if reads or any(self.values(node.value).types & keys for node in self.groups):
            raise Refused("the learning rates of groups of parameters are read or set elsewhere, too")

    def is_near(self, node: cst.CSTNode, call: cst.Call, place: cst.BaseExpression) -> bool:
        """Whether the place of a scheduler means the same where the learning rate is read."""
        here, there = self.program.function_around(node), self.program.function_around(call)
        if here is None or there is None or here is there:
            return here is there
        is_field = isinstance(place, cst.Attribute) and dotted(place.value) == there.self_name
        return is_field and here.owner is there.owner is not None and here.self_name == there.self_name

    def assigned(self, call: cst.Call) -> tuple[cst.SimpleStatementLine, cst.Name | cst.Attribute]:
        """The line that binds what a call makes, for good, to a variable or field."""
        line = self.program.index.statement_of(call)
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if not isinstance(small, cst.Assign) or small.value is not call or len(small.targets) != 1:
            raise Refused("it and its optimizer must each be given to a variable of their own")
        assert isinstance(line, cst.SimpleStatementLine)
        place, function = small.targets[0].target, self.program.function_around(call)
        name = dotted(place)
        if name is None or not isinstance(place, (cst.Name, cst.Attribute)):
            raise Refused("it and its optimizer must each be given to a variable of their own")
        for node in self.program.index.every(cst.Assign):
            again = node is not small and any(dotted(target.target) == name for target in node.targets)
            if again and self.program.function_around(node) is function:
                raise Refused(f"`{name}` is bound again")
        return line, place

    def check_place(self, place: cst.BaseExpression) -> None:
        """A field that holds a scheduler is known as one wherever it is read."""
        if not isinstance(place, cst.Attribute):
            return
        name, function, holder = place.attr.value, self.program.function_around(place), self.values(place.value)
        owners = [self.program.class_by_key.get(key) for key in holder.types]
        if function is not None and dotted(place.value) == function.self_name:
            owners = [function.owner]
        found = [dict(owner.all_fields()).get(name) for owner in owners if owner is not None]
        if any(value is None or value.kind is not Kind.SCHEDULER for value in found):
            raise Refused(f"what else `{dotted(place)}` may hold is not known")

    def is_maker(self, call: cst.Call, keys: frozenset[str]) -> bool:
        """Whether a call makes one of some optimizers."""
        return f"{MADE}{self.program.prefix}{self.values.sites[call]}" in keys

    def maker(self, key: str) -> cst.Call:
        number = key.removeprefix(f"{MADE}{self.program.prefix}")
        node = next((node for node, item in self.values.sites.items() if str(item) == number), None)
        if not isinstance(node, cst.Call) or node not in self.program.index.parents:
            raise Refused("its optimizer is not in sight")
        return node

    def check_order(
        self,
        call: cst.Call,
        line: cst.SimpleStatementLine,
        above: cst.SimpleStatementLine,
        optimizer: cst.BaseExpression,
        parts: Sequence[cst.Call],
    ) -> None:
        """The schedule is made before the optimizer, of which it becomes a part; so are those that it combines."""
        index = self.program.index
        block = index.parents[line]
        body = list(getattr(block, "body", ()))
        moved = [line, *(index.statement_of(item) for item in parts)]
        together = all(index.parents[item] is block for item in (*moved, above))
        if not together or any(body.index(item) < body.index(above) for item in moved):
            raise Refused("it must be made in the same block as its optimizer, below it")
        if any(not item.args or dotted(item.args[0].value) != dotted(optimizer) for item in parts):
            raise Refused("its optimizer is not in sight")
        between = [item for item in body[body.index(above) + 1 : body.index(line)] if item not in moved]
        nodes = [node for item in (call, *parts) for argument in item.args[1:] for node in descendants(argument)]
        read = {item.value for item in nodes if isinstance(item, cst.Name)}
        for item in nodes if between else ():
            if isinstance(item, cst.Call) and item not in parts and dotted(item.func) not in _PURE_CALLS:
                raise Refused("its arguments call functions")
        bound = set[str]().union(*(reads_and_writes(item)[1] for item in between)) - {dotted(optimizer) or ""}
        if read & bound:
            raise Refused(f"`{min(read & bound)}` is bound between it and its optimizer")

    def rate(self, optimizer: cst.Call) -> cst.BaseExpression | None:
        """The learning rate that the optimizer is given; it may be written twice."""
        given = next(
            (item.value for item in optimizer.args if item.keyword is not None and item.keyword.value == "lr"), None
        )
        if given is None and len(optimizer.args) > 1 and optimizer.args[1].keyword is None:
            given = optimizer.args[1].value
        is_named = any(item.keyword is not None and item.keyword.value == "lr" for item in optimizer.args)
        if any(item.star for item in optimizer.args) and not is_named:
            raise Refused("the arguments of its optimizer are not in sight")
        for item in descendants(given) if given is not None else ():
            if isinstance(item, cst.Call) and dotted(item.func) not in _PURE_CALLS:
                raise Refused("the learning rate of its optimizer is a call")
        return given

    def check_lasting(
        self, call: cst.Call | None, optimizer: cst.Call, line: cst.SimpleStatementLine, rate: cst.BaseExpression | None
    ) -> None:
        """What is read whenever the optimizer updates, or the scheduler steps, must stay what it was when they were made."""
        read = [item.value for item in optimizer.args[1:] if item.value is not rate]
        if call is not None:
            read += [item.value for item in call.args[1:]] + ([rate] if rate is not None else [])
        nodes = [node for item in read for node in descendants(item)]
        names = {node.value for node in nodes if isinstance(node, cst.Name)}
        fields = {node.attr.value for node in nodes if isinstance(node, cst.Attribute)}
        function, index = self.program.function_around(line), self.program.index
        is_behind = False
        for statement in index.nodes:
            is_behind = is_behind or statement is line
            if not is_behind or not isinstance(statement, (cst.SimpleStatementLine, cst.For, cst.With)):
                continue
            if self.program.function_around(statement) is function:
                if bound := names & reads_and_writes(statement)[1]:
                    raise Refused(f"`{min(bound)}` is bound again below its optimizer")
        for target in index.every(cst.AssignTarget):
            place = target.target
            if isinstance(place, cst.Attribute) and place.attr.value in fields:
                inside = self.program.function_around(target)
                if inside is None or inside.name != "__init__":
                    raise Refused(f"`{place.attr.value}` is set elsewhere")
        if isinstance(line.body[0], cst.Return):
            return  # each call has variables of its own
        if not any(isinstance(item, (cst.For, cst.While)) for item in index.ancestors(line)):
            return
        place = self.assigned(optimizer)[1]
        uses = [node for node in (*index.names, *index.attributes) if dotted(node) == dotted(place)]
        if isinstance(place, cst.Name):
            uses = [node for node in uses if self.program.function_around(node) is function]
        if any(map(self.is_kept, uses)):
            raise Refused("its optimizer is made in a loop and kept")

    def is_kept(self, node: cst.CSTNode) -> bool:
        """Whether an optimizer goes where it is not followed: into a container, or to a caller."""
        parent = self.program.index.parents[node]
        if isinstance(parent, cst.Arg):
            call = self.program.index.parents[parent]
            return not (
                isinstance(call, cst.Call) and (self.values.callees.get(call) or self.values.torch_name(call.func))
            )
        return isinstance(parent, (cst.Element, cst.DictElement, cst.Return, cst.Assign, cst.Yield))

    def uses(self, keys: frozenset[str]) -> Iterator[cst.CSTNode]:
        """Where a scheduler is read."""
        index = self.program.index
        for node in (*index.names, *index.attributes):
            value = self.values(node)
            if value.kind is not Kind.SCHEDULER or not value.types & keys:
                continue
            parent = index.parents[node]
            if not isinstance(parent, (cst.AssignTarget, cst.Param)) and not index.is_label(node):
                yield node

    def note_state(
        self,
        node: cst.CSTNode,
        keys: frozenset[str],
        saves: dict[cst.Call, str],
        loads: dict[cst.SimpleStatementLine, str],
    ) -> bool:
        """Whether a scheduler is asked for its state, or given one."""
        index = self.program.index
        parent = index.parents[node]
        call = index.parents.get(parent)
        if not isinstance(parent, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not parent:
            return False
        types, line = self.values(node).types, index.statement_of(call)
        if types != keys:
            return False
        if parent.attr.value == "state_dict" and not call.args:
            saves[call] = self.optimizer_in(node, types)
            return True
        if method_call(line, "load_state_dict") is call and len(call.args) == 1 and call.args[0].keyword is None:
            assert isinstance(line, cst.SimpleStatementLine)
            loads[line] = self.optimizer_in(node, types)
            return True
        return False

    def note_use(
        self,
        node: cst.CSTNode,
        keys: frozenset[str],
        steps: dict[cst.SimpleStatementLine, str],
        reads: dict[cst.BaseExpression, str],
    ) -> None:
        index = self.program.index
        parent = index.parents[node]
        call = index.parents.get(parent)
        if isinstance(parent, cst.Attribute) and isinstance(call, cst.Call) and call.func is parent:
            types = self.values(node).types
            if types != keys:
                self.shared.append(types)
            place = self.optimizer_beside(node, types) or self.optimizer_in(node, types)
            line = index.statement_of(call)
            if parent.attr.value == "step" and method_call(line, "step") is call and self.is_step(call, types):
                assert isinstance(line, cst.SimpleStatementLine)
                steps[line] = place
                return
            if parent.attr.value == "get_last_lr" and not call.args:
                reads[call] = place
                return
        if isinstance(parent, cst.Arg) and isinstance(call, cst.Call) and self.is_passed_on(call, parent.value, keys):
            return
        if isinstance(
            parent, cst.ComparisonTarget | cst.Comparison | cst.If | cst.BooleanOperation | cst.UnaryOperation
        ):
            return  # whether there is one
        raise Refused("it is used in another way than `step()` and `get_last_lr()`")

    def is_step(self, call: cst.Call, keys: frozenset[str]) -> bool:
        """Whether a scheduler is given what it expects: a metric, if it waits for a plateau, or nothing."""
        names = {self.values.torch_name(item.func) for item in self.made if self.values(item).types & keys}
        if names == {PLATEAU}:
            return len(call.args) == 1 and not call.args[0].star
        return PLATEAU not in names and not call.args

    def is_passed_on(self, call: cst.Call, argument: cst.BaseExpression, keys: frozenset[str]) -> bool:
        """Whether all functions that a call may reach know what they are given, and are given its optimizer, if any, beside it."""
        given = [
            value for item in call.args if (value := self.values(item.value)).kind is Kind.OPTIMIZER and value.types
        ]
        if given and all(value.types != self.values(argument).types for value in given):
            return False
        callees = self.values.callees.get(call, ())
        for function in callees:
            names = [name for name, node in arguments_by_parameter(function, call, self.values) if node is argument]
            seen = [function.seen.get(name) for name in names]
            if not seen or any(
                value is None or value.kind is not Kind.SCHEDULER or not value.types >= keys for value in seen
            ):
                return False
        return bool(callees)

    def optimizer_beside(
        self, node: cst.CSTNode, keys: frozenset[str], known: frozenset[str] = frozenset()
    ) -> str | None:
        """The field that holds the optimizer of a scheduler in the same object: `trainer.opt` of `trainer.sched`; there may be
        one of the `known` in its place.
        """
        holder = node.value if isinstance(node, cst.Attribute) else None
        found = self.fields_beside(node, keys)
        if holder is None or len(found) != 1 or not all(_is_known_one(value, keys, known) for value in found.values()):
            return None
        return f"{dotted(holder)}.{next(iter(found))}"

    def fields_beside(self, node: cst.CSTNode, keys: frozenset[str]) -> dict[str, Value]:
        """The fields of the object that holds a scheduler which may hold its optimizer."""
        holder = node.value if isinstance(node, cst.Attribute) else None
        if holder is None or dotted(holder) is None or self.values(holder).kind is not Kind.OBJECT:
            return {}
        classes = [self.program.class_by_key.get(name) for name in self.values(holder).types]
        fields = {name: value for item in classes if item is not None for name, value in item.all_fields()}
        return {name: value for name, value in fields.items() if may_be(value, keys)}

    def optimizer_in(self, node: cst.CSTNode, keys: frozenset[str], known: frozenset[str] = frozenset()) -> str:
        """The variable or field that holds the optimizer of a scheduler at a node, or one of the `known`."""
        found = self.places_in(self.program.function_around(node), keys)
        if len(found) != 1 or not all(_is_known_one(value, keys, known) for value in found.values()):
            raise Refused("which variable holds its optimizer is not known where it steps")
        return self.place_at(next(iter(found)), node)

    def places_in(self, function: Function | None, keys: frozenset[str]) -> dict[str, Value]:
        """The variables or fields that may hold the optimizer of a scheduler in a function."""
        found: dict[str, Value] = {}
        scope = function
        while scope is not None and not found:
            found |= {name: value for name, value in scope.env.items() if may_be(value, keys)}
            if scope.owner is not None and scope.self_name is not None:
                fields = [(name, value) for name, value in scope.owner.all_fields() if may_be(value, keys)]
                found |= {f"{scope.self_name}.{name}": value for name, value in fields}
            scope = scope.outer
        if not found:
            found = {name: value for name, value in self.program.module_env.items() if may_be(value, keys)}
        return found

    def optimizers_around(self, node: cst.CSTNode) -> list[frozenset[str]]:
        """The optimizers that may stand where that of a scheduler does."""
        keys = self.values(node).types
        found = self.fields_beside(node, keys) or self.places_in(self.program.function_around(node), keys)
        return [value.types for value in found.values()]

    def check_steps(
        self, updates: Sequence[Step], lines: Sequence[cst.SimpleStatementLine], reads: Collection[cst.BaseExpression]
    ) -> None:
        """The statements of a training step move together: none that steps the scheduler may stand among them, unless it goes
        in front of them. Compiled code does not read the learning rate.
        """
        for step in self.training:
            if any(node in reads for part in (*step.forward, step.loss) for node in descendants(part)):
                raise Refused("the learning rate is read in a training step")
        inside = set(lines)
        stepping = {self.program.function_around(line) for line in lines}
        reaching = self.reaching(stepping - {None})
        for step in updates:
            if step.updates:
                continue  # all that is between stays where it is
            body = list(step.block.body)
            end = body.index(step.step_statement) if step.step_statement is not None else len(body) - 1
            begin = min((body.index(item) for item in (step.first, step.backward_statement) if item in body), default=0)
            staying = [statement for statement in body[begin : end + 1] if statement not in step.ahead]
            for item in (node for statement in staying for node in descendants(statement)):
                if item in inside or (
                    isinstance(item, cst.Call)
                    and any(callee in reaching for callee in self.values.callees.get(item, ()))
                ):
                    raise Refused("it steps between the loss and the update")

    def reaching(self, functions: set[Function | None]) -> set[Function | None]:
        """The functions that may call some of the given ones, and these."""
        found = set(functions)
        while True:
            more = {
                self.program.function_running(call)
                for call, callees in self.values.callees.items()
                if call in self.program.index.parents and any(callee in found for callee in callees)
            } - {None}
            if more <= found:
                return found
            found |= more

    def is_by_update(self, updates: Sequence[Step], lines: Sequence[cst.SimpleStatementLine]) -> bool:
        """Whether each update is followed by one step of the scheduler, and nothing else steps it."""
        behind = set[cst.SimpleStatementLine]()
        for step in updates:
            if step.problem is not None or step.step_statement is None or step.optimizer is None:
                return False
            body = list(step.block.body)
            if len(self.values(step.optimizer).types) != 1:
                return False
            for statement in body[body.index(step.step_statement) + 1 :]:
                if statement in lines:
                    behind.add(statement)  # type: ignore[arg-type]
                    break
                if not isinstance(statement, cst.SimpleStatementLine) or any(map(_leaves, statement.body)):
                    return False
            else:
                return False
        return bool(updates) and len(behind) == len(updates) and behind == set(lines)


def has_one_factor(values: Values, call: cst.Call) -> bool:
    """Whether a scheduler multiplies the learning rates of all groups of an optimizer by the same number."""
    named = [item.value for item in call.args if item.keyword is not None and item.keyword.value == "eta_min"]
    has_floor = values(named[0]).const not in (0, 0.0) if named else len(call.args) > 2
    name = values.torch_name(call.func)
    return name in _SCALING and not (name == f"{PREFIX}CosineAnnealingLR" and has_floor)


def _has_key(node: cst.CSTNode, value: cst.CSTNode, *keys: str) -> bool:
    """Whether a node is `value[key]`."""
    if not isinstance(node, cst.Subscript) or node.value is not value or len(node.slice) != 1:
        return False
    index = node.slice[0].slice
    constants = (cst.SimpleString, cst.Integer)
    return isinstance(index, cst.Index) and isinstance(index.value, constants) and index.value.value in keys


def _element_of(target: cst.BaseExpression, iterated: cst.BaseExpression, node: cst.CSTNode) -> cst.CSTNode | None:
    """The part of the target of a loop, over one list or several that are counted or zipped, that gets the elements of one."""
    if iterated is node:
        return target
    name = dotted(iterated.func) if isinstance(iterated, cst.Call) else None
    given = [item.value for item in iterated.args if item.keyword is None] if isinstance(iterated, cst.Call) else []
    if name in _KEEPING and len(given) == 1:
        return _element_of(target, given[0], node)
    parts = [item.value for item in target.elements] if isinstance(target, cst.Tuple) else []
    if name == "enumerate":
        parts = parts[1:]
    elif name != "zip":
        return None
    found = (_element_of(part, item, node) for part, item in zip(parts, given, strict=False))
    return next((item for item in found if item is not None), None)


def _leaves(small: cst.BaseSmallStatement) -> bool:
    return isinstance(small, (cst.Return, cst.Break, cst.Continue, cst.Raise))


def may_be(value: Value, keys: frozenset[str]) -> bool:
    """Whether a value may be the optimizer, or one of the optimizers, of a scheduler."""
    return value.kind is Kind.OPTIMIZER and (not value.types or bool(value.types & keys))


def _is_known_one(value: Value, keys: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a value is surely the optimizer of a scheduler, or may be another one that is known."""
    return value.types == keys or keys < value.types <= known


def may_have_groups(value: Value) -> bool:
    """Whether an optimizer has groups of parameters, or is made by nothing in sight: who asks for its groups makes it so."""
    return value.among == {GROUPED} or not (value.among or value.types)
