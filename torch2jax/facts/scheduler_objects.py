"""Schedulers that no single optimizer is made for in sight: they stay objects, and each step sets the learning rate.

scheduler = get_scheduler(args, optimizer)    ->    scheduler = get_scheduler(args, optimizer, opt_state)
scheduler.step()                                    opt_state.hyperparams["learning_rate"] = jnp.asarray(scheduler.step())

One of several, made by a function, kept in an object, saved and taken up again: what is asked is only that the optimizers are
known, and stand beside the scheduler wherever it steps. Optimizers and schedulers that may meet are decided together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.facts.combined_schedulers import SEQUENTIAL
from torch2jax.facts.held_optimizers import HeldOptimizers
from torch2jax.facts.infer import Values
from torch2jax.facts.optimizer_pairs import OptimizerPairs, may_be_several
from torch2jax.facts.scheduler_moves import changes_owner, may_be_made_again
from torch2jax.facts.schedules import (
    LAMBDA,
    MULTIPLICATIVE,
    PLATEAU,
    PREFIX,
    Form,
    Kept,
    LentRates,
    Refused,
    Schedule,
    SchedulerObject,
    Schedules,
    Search,
    begin_search,
    is_lost,
    note_rates,
    note_schedulers,
)
from torch2jax.facts.shared_rates import NAME, RatesAround, SharedRates
from torch2jax.facts.training import Step, method_call
from torch2jax.ops.schema import Tables
from torch2jax.program.program import Program, dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants, elements_of
from torch2jax.values import GROUPED, NOTHING, Kind, Value

_STARTING_ELSEWHERE = frozenset(
    f"{PREFIX}{name}" for name in ("ConstantLR", "CyclicLR", "LambdaLR", "LinearLR", "OneCycleLR")
)  # schedulers whose first learning rate may not be that of the optimizer
_GOING_BACK = frozenset(
    {LAMBDA, SEQUENTIAL, f"{PREFIX}CosineAnnealingWarmRestarts"}
)  # schedulers that begin with the learning rate the optimizer was made with

_BASES = frozenset({f"{PREFIX}LRScheduler", f"{PREFIX}_LRScheduler"})


@dataclass(slots=True)
class ObjectSchedules:
    """The optimizers of schedulers that may meet, and these."""

    schedules: list[Schedule] = field(default_factory=list)
    objects: list[SchedulerObject] = field(default_factory=list)
    states: list[cst.Call] = field(default_factory=list)
    tests: dict[cst.Call, set[Kept]] = field(default_factory=dict)  # `isinstance(scheduler, StepLR)`
    apart: dict[cst.Call, str] = field(default_factory=dict)  # schedulers that may meet another optimizer, and where
    lent: list[LentRates] = field(default_factory=list)
    problems: list[tuple[cst.CSTNode, str]] = field(default_factory=list)  # optimizers that other files know more of


class Apart(Refused):
    """Why a scheduler may step beside an optimizer that it was not made for."""


def find_schedules(
    program: Program,
    values: Values,
    tables: Tables,
    steps: Sequence[Step],
    files: Iterable[SharedRates] = (),
    threads: bool = False,
) -> Schedules:
    """The schedulers of a file, and the learning rates that it sets itself, as far as they can be followed; `files` are what
    the other files of the program do with learning rates, and `threads` says that the states of optimizers are values.
    """
    held = HeldOptimizers(program, values) if threads else None
    search, found = begin_search(program, values, tables, steps, RatesAround(files), held), Schedules()
    note_schedulers(search, found)
    _keep_objects(search, found)
    note_rates(search, found)
    _keep_objects(search, found)  # those that may be others where they are used
    found.shared = _said(search, found)
    return found


def _keep_objects(search: Search, found: Schedules) -> None:
    """Make objects of the schedulers that cannot become schedules, with all that they may meet."""
    kept = find_objects(
        search, [node for node, _ in found.problems if isinstance(node, cst.Call)], _asked(search, found)
    )
    made = {item.made for item in kept.objects}
    found.objects += kept.objects
    found.states += kept.states
    found.tests |= kept.tests
    found.lent += kept.lent
    left = [(node, reason) for node, reason in found.problems if node not in made]
    found.problems = [(node, kept.apart.get(node, reason)) for node, reason in left]  # type: ignore[call-overload]
    found.problems += kept.problems
    found.by_optimizer |= {item.optimizer: item for item in kept.schedules}


def _asked(search: Search, found: Schedules) -> list[frozenset[str]]:
    """The optimizers that this file and others know the schedulers of, and that are not decided yet."""
    decided = {item for schedule in found.by_optimizer.values() for item in search.values(schedule.optimizer).types}
    decided |= {item for node, _ in found.problems for item in search.values(node).types}
    uses = [search.values(node).types for node in _uses(search)]
    reads = [search.values(item.optimizer).types for item in search.accesses]
    scheduled = frozenset[str]().union(*search.scheduled())
    asked = [keys for keys in uses if search.is_shared(keys)]
    asked += [keys for keys in reads if keys & scheduled and search.own(keys) != keys]
    asked += [frozenset({key}) for key in sorted(search.own(search.around.needed & scheduled))]
    lent = frozenset[str]().union(*(item.keys for item in found.lent))
    return [keys for keys in asked if keys and not keys & decided and not keys & lent]


def _said(search: Search, found: Schedules) -> SharedRates:
    """What a file says to the others of the learning rates of optimizers."""
    values = search.values
    steps = [call.func.value for line in found.steps if (call := method_call(line, "step")) is not None]  # type: ignore[attr-defined]
    read = [values(node.func.value) for node in found.reads if isinstance(node, cst.Call)]  # type: ignore[attr-defined]
    kept = {*found.reads, *found.writes}
    read += [values(item.optimizer) for item in search.accesses if {item.node, item.writes} & kept]
    needed = [item.types for item in read] + [values(node).types for node in steps]
    needed += [values(item.made).types for item in found.objects]
    written = [values(item.optimizer).types for item in search.accesses if item.writes is not None]
    called = [
        values(node).types for node in _uses(search) if isinstance(search.program.index.parents[node], cst.Attribute)
    ]
    mentioned = [*called, *(values(item.optimizer).types for item in search.accesses)]
    mentioned += [values(call).types for call in search.made]
    every = frozenset[str]().union(*needed)
    grouped = frozenset[str]().union(*(values(node.value).types for node in found.groups))
    return SharedRates(
        made=[(str(values.torch_name(call.func)), values(call).types) for call in search.made],
        mentioned=frozenset[str]().union(*mentioned),
        written=frozenset[str]().union(*written),
        needed=every - search.own(every),
        grouped=grouped - search.own(grouped),
        saved=search.saved,
        loaded=search.loaded,
    )


def find_objects(search: Search, refused: Sequence[cst.Call], asked: Sequence[frozenset[str]] = ()) -> ObjectSchedules:
    """The schedulers among some that can be objects, with all that they may meet, and those of optimizers that several files
    know.
    """
    found = ObjectSchedules()
    left = list(refused)
    while left:
        keys, calls = _component(search, search.values(left[0]).types)
        left = [call for call in left if call not in calls and call is not left[0]]
        if any(is_lost(search, call) for call in calls):
            continue
        try:
            _Objects(search, keys, calls).find(found)
        except Apart as refusal:
            found.apart |= dict.fromkeys(calls, str(refusal))
        except Refused as refusal:
            if search.is_shared(keys):  # else what was said of each of them stays
                found.apart |= dict.fromkeys(calls, str(refusal))
    waiting = list(asked)
    while waiting:
        keys, calls = _component(search, waiting.pop())
        waiting = [item for item in waiting if not item & keys]
        if calls:
            continue  # which have been looked at
        try:
            _Objects(search, keys, calls).find(found)
        except Refused as refusal:
            made = [node for node in search.values.sites if isinstance(node, cst.Call) and search.is_maker(node, keys)]
            found.problems += [(call, str(refusal)) for call in made or _called(search, keys)]
    return found


def _called(search: Search, keys: frozenset[str]) -> Iterator[cst.Call]:
    """The calls of methods of the schedulers of some optimizers."""
    for node in _uses(search):
        function = search.program.index.parents[node]
        call = search.program.index.parents.get(function)
        if isinstance(call, cst.Call) and call.func is function and search.values(node).types & keys:
            yield call


def _component(search: Search, keys: frozenset[str]) -> tuple[frozenset[str], list[cst.Call]]:
    """The optimizers, and the calls that make schedulers, that may meet those of some optimizers."""
    meeting = [search.values(item).types for item in search.made]
    meeting += [item for node in _uses(search) if (item := search.values(node).types)]
    meeting += [search.values(item.optimizer).types for item in search.accesses]
    meeting += [
        node.union(*search.optimizers_around(item)) for item in _uses(search) if (node := search.values(item).types)
    ]
    while True:
        more = keys.union(*(item for item in meeting if item & keys))
        if more == keys:
            return keys, [item for item in search.made if search.values(item).types & keys]
        keys = more


def _uses(search: Search) -> Iterator[cst.CSTNode]:
    for node in (*search.program.index.names, *search.program.index.attributes):
        if search.values(node).kind is Kind.SCHEDULER:
            yield node


@dataclass(slots=True)
class _Objects:
    search: Search
    keys: frozenset[str]
    calls: Sequence[cst.Call]
    steps: dict[cst.SimpleStatementLine, str] = field(default_factory=dict)
    reads: dict[cst.BaseExpression, str] = field(default_factory=dict)
    states: list[cst.Call] = field(default_factory=list)
    tests: dict[cst.Call, set[Kept]] = field(default_factory=dict)

    def find(self, found: ObjectSchedules) -> None:
        """Add what was found, if nothing is in the way."""
        search = self.search
        if not self.keys or any(not search.values(call).types for call in self.calls):
            raise Refused("its optimizer is not in sight")
        writes: dict[cst.SimpleStatementLine, str] = {}
        search.add_accesses(self.keys, self.reads, writes)
        if writes or self.keys & search.around.written:
            raise Refused("the learning rate is set elsewhere, too")
        for node in search.uses(self.keys):
            self.note_use(node)
        self.check_alternatives()
        self.check_pairs()
        if changes_owner(search.program, search.values, self.keys):
            raise Refused("an object is given one that was made for another")
        search.check_steps(search.updates(self.keys), list(self.steps), self.reads)
        own = search.own(self.keys)
        schedules = {key: self.optimizer(key) for key in sorted(own)}
        if search.is_shared(self.keys):
            schedules = {key: search.check_shared(item) for key, item in schedules.items()}
        if len({item.hyperparameter for item in schedules.values()}) > 1:
            raise Refused("the learning rates of its optimizers have several names")
        self.check_places()
        objects = [self.scheduler(call, schedules) for call in self.calls]
        found.schedules += schedules.values()
        if not own:
            found.lent.append(LentRates(self.keys, self.steps, self.reads))
        found.objects += objects
        found.states += self.states
        found.tests |= self.tests

    def check_pairs(self) -> None:
        """Of several optimizers that may be meant, each steps with its own scheduler."""
        program, values = self.search.program, self.search.values
        if not may_be_several(program, values, self.keys):
            return
        pairs = OptimizerPairs(program, values)
        for line, optimizer in self.steps.items():
            call = method_call(line, "step")
            scheduler = dotted(call.func.value) if call is not None and isinstance(call.func, cst.Attribute) else None
            if scheduler is None or not pairs.belongs(scheduler, optimizer, line):
                raise Apart(f"it may be that of another optimizer where it steps beside `{optimizer}`")
        if not pairs.are_stored_together(self.keys, self.is_one):
            raise Apart("an object is given one that may have been made for another optimizer")

    def is_one(self, value: Value) -> bool:
        return value.kind is Kind.SCHEDULER and bool(value.types & self.keys)

    def optimizer(self, key: str) -> Schedule:
        made = self.search.maker(key)
        line = self.search.program.index.statement_of(made)
        if GROUPED in self.search.values(made).among or not isinstance(line, cst.SimpleStatementLine):
            raise Refused("its optimizer has groups of parameters")
        rate = self.search.rate(made)
        self.search.check_lasting(None, made, line, rate)
        return Schedule(made, line, rate, Form.OBJECT, None, self.steps, self.reads, {})

    def scheduler(self, call: cst.Call, schedules: dict[str, Schedule]) -> SchedulerObject:
        search, line = self.search, self.search.program.index.statement_of(call)
        search.check_loads(call, self.keys)
        if search.values.torch_name(call.func) == MULTIPLICATIVE:
            raise Refused("what it gives depends on all that it gave before")
        if search.values.torch_name(call.func) in _GOING_BACK:
            if not call.args or may_be_made_again(search.program, search.values, call):
                raise Refused(
                    "its optimizer may have had another one, and it goes back to the learning rate before that"
                )
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        is_bound = isinstance(small, cst.Assign) and len(small.targets) == 1 and dotted(small.targets[0].target)
        place = dotted(call.args[0].value) if call.args and not call.args[0].star else None
        if getattr(small, "value", None) is not call or not (is_bound or isinstance(small, cst.Return)) or not place:
            raise Refused("it must be given to a variable or returned")
        target = small.targets[0].target if isinstance(small, cst.Assign) else None
        if isinstance(target, cst.Attribute):
            search.check_place(target)
        assert isinstance(line, cst.SimpleStatementLine)
        types = search.values(call).types
        schedule = schedules.get(min(types))
        is_near = schedule is not None and len(types) == 1 and self.is_in_sight(schedule, line)
        name = schedule.hyperparameter if schedule is not None else NAME
        return SchedulerObject(call, line, place, schedule if is_near else None, self.starts_elsewhere(call), name)

    def starts_elsewhere(self, call: cst.Call) -> bool:
        """Whether the first learning rate may not be that of the optimizer."""
        name = self.search.values.torch_name(call.func)
        if name == f"{PREFIX}MultiStepLR":
            milestones = next((item.value for item in call.args[1:2]), None)
            given = self.search.values(milestones).items if milestones is not None else None
            return given is None or any(item.const is NOTHING or item.const == 0 for item in given)
        return name in _STARTING_ELSEWHERE

    def is_in_sight(self, schedule: Schedule, line: cst.SimpleStatementLine) -> bool:
        """Whether the learning rate of an optimizer may be written again where its scheduler is made."""
        program = self.search.program
        function = program.function_around(line)
        if program.function_around(schedule.optimizer_line) is not function:
            return False
        read = (
            [item.value for item in descendants(schedule.rate) if isinstance(item, cst.Name)] if schedule.rate else []
        )
        bound = [
            reads_and_writes(item)[1]
            for item in program.index.nodes
            if isinstance(item, (cst.SimpleStatementLine, cst.For, cst.With))
            and item is not line
            and program.function_around(item) is function
        ]
        return all(sum(name in item for item in bound) <= 1 for name in read)

    def note_use(self, node: cst.CSTNode) -> None:
        index, search = self.search.program.index, self.search
        parent = index.parents[node]
        call = index.parents.get(parent)
        if isinstance(parent, cst.Attribute) and isinstance(call, cst.Call) and call.func is parent:
            return self.note_method(node, parent.attr.value, call)
        types = search.values(node).types
        if isinstance(parent, cst.Arg) and isinstance(call, cst.Call):
            if search.is_passed_on(call, parent.value, types) or self.note_test(call, parent.value):
                return None
        elif isinstance(
            parent,
            cst.ComparisonTarget | cst.Comparison | cst.If | cst.BooleanOperation | cst.UnaryOperation | cst.Return,
        ):
            return None
        elif isinstance(parent, cst.Element) and call is not None:
            if isinstance(index.parents.get(call), (cst.Return, cst.AssignTarget, cst.Assign)):
                return None  # `return optimizer, scheduler`, and what takes or keeps both
        elif isinstance(parent, cst.Assign) and parent.value is node:
            return None  # another name of it
        raise Refused("it is used in another way than `step()` and `get_last_lr()`")

    def note_test(self, call: cst.Call, scheduler: cst.BaseExpression) -> bool:
        """Whether a call asks of which class a scheduler is, where its object tells."""
        match call:
            case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=asked), cst.Arg(value=kinds)]) if (
                asked is scheduler
            ):
                names = [self.search.values.torch_name(item) for item in elements_of(kinds)]
            case _:
                return False
        made, found = self.makers(self.keys), set[Kept]()
        for name in names:
            if name in _BASES:
                found |= {Kept.RATES, Kept.PLATEAU}
            elif name == PLATEAU:
                found.add(Kept.PLATEAU)
            elif name is None or (name in made and made - {PLATEAU, name}):
                return False  # one of several classes, which are one in the translation
            elif name in made:
                found.add(Kept.RATES)
        self.tests[call] = found
        return True

    def note_method(self, node: cst.CSTNode, name: str, call: cst.Call) -> None:
        search, index = self.search, self.search.program.index
        types, line = search.values(node).types, index.statement_of(call)
        if name in ("state_dict", "load_state_dict"):
            makers = self.makers(self.keys)
            if PLATEAU in makers or not any(types & saved for saved in (*search.saved, *search.around.saved)):
                raise Refused("its state is saved without that of its optimizer, or is more than a count")
            self.states.append(call)
            return
        place = search.optimizer_beside(node, types, self.keys) or self.only_pair(node, types)
        place = place or search.optimizer_in(node, types, self.keys)
        if name == "step" and method_call(line, "step") is call and self.is_step(call, types):
            assert isinstance(line, cst.SimpleStatementLine)
            self.steps[line] = place
        elif name == "get_last_lr" and not call.args:
            self.reads[call] = place
        else:
            raise Refused("it is used in another way than `step()` and `get_last_lr()`")

    def only_pair(self, node: cst.CSTNode, types: frozenset[str]) -> str | None:
        """The one of several optimizers which may be meant that goes back to the same call as a scheduler."""
        program, scheduler = self.search.program, dotted(node) if isinstance(node, cst.BaseExpression) else None
        places = self.search.places_in(program.function_around(node), types)
        if len(places) < 2 or scheduler is None:
            return None
        pairs = OptimizerPairs(program, self.search.values)
        found = [item for item in places if pairs.belongs(scheduler, item, program.index.statement_of(node))]
        return self.search.place_at(found[0], node) if len(found) == 1 else None

    def is_step(self, call: cst.Call, types: frozenset[str]) -> bool:
        """Whether a step is given a metric, the number of an epoch, or nothing: what that is to it, the object knows."""
        names = self.makers(types)
        is_plain = all(not item.star and item.keyword is None for item in call.args)
        return len(call.args) <= (0 if MULTIPLICATIVE in names else 1) and is_plain

    def makers(self, keys: frozenset[str]) -> set[str]:
        """The classes of the schedulers of some optimizers, also those that other files make."""
        own = [item for item in self.calls if self.search.values(item).types & keys]
        elsewhere = {name for name, types in self.search.around.made if types & keys}
        return {str(self.search.values.torch_name(item.func)) for item in own} | elsewhere

    def check_alternatives(self) -> None:
        """An optimizer has one scheduler: where several are made for it, one call runs or the other."""
        for number, call in enumerate(self.calls):
            for other in self.calls[:number]:
                if self.search.values(call).types & self.search.values(other).types and not self.is_either(call, other):
                    raise Refused("its optimizer has several schedulers")
            if any(types & self.search.values(call).types for _, types in self.search.around.made):
                raise Refused("its optimizer has several schedulers")

    def is_either(self, call: cst.Call, other: cst.Call) -> bool:
        index = self.search.program.index
        lines = [index.statement_of(item) for item in (call, other)]
        if self.search.program.function_around(call) is not self.search.program.function_around(other):
            return False
        if all(isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Return) for line in lines):
            return True
        above = list(index.ancestors(call))
        shared = next((item for item in index.ancestors(other) if item in above), None)
        return isinstance(shared, cst.If)

    def check_places(self) -> None:
        """A scheduler that is made again and again is made with its optimizer."""
        index = self.search.program.index
        for call in self.calls:
            loops = [item for item in index.ancestors(call) if isinstance(item, (cst.For, cst.While))]
            for key in self.search.values(call).types:
                is_own = bool(self.search.own({key}))
                around = set(index.ancestors(self.search.maker(key))) if is_own else set[cst.CSTNode]()
                if any(loop not in around for loop in loops):
                    raise Refused("it is made in a loop, and its optimizer elsewhere")


__all__ = ["find_schedules"]
