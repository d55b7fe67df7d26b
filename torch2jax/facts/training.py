"""Find the statements that make one training step: forward pass, `loss.backward()`, clipping, `optimizer.step()`.

optimizer.zero_grad()
loss = F.cross_entropy(model(x), y)      forward: what the loss is computed from
loss.backward()
optimizer.step()
total += loss.item()                     after: it reads results, but belongs to the host
"""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

import libcst as cst

from torch2jax.facts.captures import code_of, surroundings
from torch2jax.facts.contexts import turns_off
from torch2jax.facts.dependence import Dependence
from torch2jax.facts.effects import is_discrete
from torch2jax.facts.gradient_reads import GradientRead
from torch2jax.facts.infer import Values
from torch2jax.facts.open_optimizers import may_be_trained
from torch2jax.facts.owned_optimizers import trained_at_calls, trained_beside
from torch2jax.facts.parameters import optimized
from torch2jax.facts.storage import without_data
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.flow import Flow, build_flow, free_variables
from torch2jax.program.liveness import Liveness, live_variables
from torch2jax.program.program import Function, Program, dotted, owner_name
from torch2jax.program.statements import assigned_pairs, read_before_bound, reads_and_writes, suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import NOT_ALWAYS, bound_names, children, descendants
from torch2jax.values import Kind, Value

Block = cst.IndentedBlock | cst.Module
HOST_METHODS = frozenset({"item", "tolist", "numpy", "append", "write", "info", "debug", "update", "add_scalar", "log"})
CLIPS = ("clip_grad_norm_", "clip_grad_value_")
NO_MODULE = "no module is called in it, so what is trained cannot be seen"
SEVERAL_OPTIMIZERS = "one `backward()` serves several optimizers"
_WITHOUT_GRAPH = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.PYTHON})
_NUMBERS = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL})
HOST_FUNCTIONS = frozenset({"print", "open", "input", "float", "int"})


@dataclass(slots=True, eq=False)
class Update:
    """The lines with which one optimizer uses, and empties, the gradients of models, in functions where all have these places.

    `kept`: gradients go on from statement to statement (they add up, or a function leaves them to another), in a variable
    beside the optimizer, or (`is_local`) of the one function; there they are None before the statement `first`. `may_be_none`:
    a line may find no gradients. `is_shared`: other functions, where the places are others, use or empty them, too. `reads`
    are loops that look at them where they surely are. Gradients that no optimizer uses have no `optimizer`, and no lines;
    `loops` over the parameters end with emptying them, and `of_tensors` are those of tensors, not of modules. `empty`: where
    the program looks at gradients that are None, `open`: that may be, `foreign`: that are those of others.
    """

    optimizer: str
    models: tuple[str, ...]
    function: Function | None
    lines: dict[cst.SimpleStatementLine, Function | None] = field(default_factory=dict)
    clears: dict[cst.SimpleStatementLine, Function | None] = field(default_factory=dict)
    node: cst.BaseExpression | None = None
    sites: frozenset[int] = frozenset()
    kept: bool = False
    may_be_none: bool = False
    is_local: bool = False
    is_shared: bool = False
    first: cst.BaseStatement | None = None
    reads: list[GradientRead] = field(default_factory=list)
    loops: list[cst.For] = field(default_factory=list)
    of_tensors: bool = False
    empty: set[cst.CSTNode] = field(default_factory=set)
    open: set[cst.CSTNode] = field(default_factory=set)
    foreign: set[cst.CSTNode] = field(default_factory=set)

    @property
    def asks(self) -> bool:
        """Whether it makes a difference to the program which parameters have gradients."""
        return any((read.asks or not read.stops) and not read.is_for_some for read in self.reads)


@dataclass(slots=True, eq=False)
class Step:
    """One training step.

    `forward` are the statements that compute the loss (and what else is live). Among them stood statements that belong to
    the host: `ahead` are those that may run before the step, `after` those that may run behind it. `dropped` have no
    counterpart (`zero_grad`). `trained` are the modules (and tensors) that the optimizer updates, in its order; none where that
    cannot be seen. `results` are live names that the forward pass defines.
    `begin` is where it may begin in a block that holds several steps, `end` where `backward()` stands in the block. `written`
    are the variables that the forward pass binds, or whose tensors it changes. `blocked` is a forward pass that host values stop.
    `problem` says why the step cannot be translated (then nothing else is meant).

    With `updates`, one for each optimizer, the step is in two parts: gradients are computed where its last forward statement
    stands, the parameters change where `optimizer.step()` stands, and what is between stays there. `adds` are the updates to
    whose gradients its own are added. Without them, forward pass and update are one function. `is_cleared_elsewhere`: no
    `zero_grad()` in the block in front of it belongs to it. `uses_earlier`: a variable that it reads, and that statements
    before `begin` have computed from what may be trained.

    `carried` are parts of the loss that were computed before the step (see `facts.carried`): each is a `Step` of its own kind, with
    `carries`, the variables that bring its graph into others, and no `backward()`. `fixed` are the statements of such parts in
    the function: they stay apart from all steps. `passed` are parts into which its gradients go on, whether or not it needs them.
    `unset` are inputs that nothing may have bound: only a round before does, or the branch of a choice on which they are read.
    `barrier` is the last statement that stands in the middle of a step and has to stay there: the step may begin behind it.

    `is_eager`: numbers are taken of tensors among what the loss is computed with; such a step is not compiled.

    A part may be computed once in each round and kept in lists (see `facts.stored_graphs`): `stores`, to which the lines `added` add
    what `carries` names, and which the lines `emptied` make or empty; or in fields, which the lines `added` set. Lines that `stays` says stand behind others are left there.
    """

    function: Function | None
    block: Block
    backward: cst.Call
    backward_statement: cst.SimpleStatementLine
    loss: cst.BaseExpression
    optimizer: cst.BaseExpression | None = None
    step_statement: cst.SimpleStatementLine | None = None
    forward: list[cst.BaseStatement] = field(default_factory=list)
    ahead: list[cst.BaseStatement] = field(default_factory=list)
    after: list[cst.BaseStatement] = field(default_factory=list)
    dropped: list[cst.BaseStatement] = field(default_factory=list)
    clips: list[cst.SimpleStatementLine] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    leaves: list[str] = field(default_factory=list)
    trained: tuple[str, ...] = ()
    inputs: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    loss_is_live: bool = False
    begin: int = 0
    end: int = 0
    written: set[str] = field(default_factory=set)
    blocked: list[cst.BaseStatement] = field(default_factory=list)
    dead_inputs: bool = False
    problem: str | None = None
    hidden: tuple[Function, str] | None = None  # what reads the trained module from around it, and its name there
    code: str = "T2J500"
    updates: tuple[Update, ...] = ()
    adds: set[Update] = field(default_factory=set)
    is_cleared_elsewhere: bool = False
    uses_earlier: str | None = None
    brought: frozenset[str] = frozenset()
    carried: tuple[Step, ...] = ()
    carries: tuple[str, ...] = ()
    fixed: frozenset[cst.BaseStatement] = frozenset()
    passed: tuple[Step, ...] = ()
    barrier: cst.BaseStatement | None = None
    unset: list[str] = field(default_factory=list)
    is_eager: bool = False
    stores: tuple[str, ...] = ()
    added: tuple[cst.SimpleStatementLine, ...] = ()
    stays: bool = False
    emptied: tuple[cst.SimpleStatementLine, ...] = ()

    @property
    def brings(self) -> tuple[str, ...]:
        """The places by which a part that was computed before steps comes into them."""
        return self.stores or self.carries

    @property
    def in_lists(self) -> bool:
        """Whether lists keep what it gives: fields, which keep one value each, are never emptied."""
        return bool(self.emptied)

    @property
    def whole(self) -> list[cst.BaseStatement]:
        """The forward pass, behind the parts that were computed before."""
        return [*dict.fromkeys(line for part in self.carried for line in part.forward), *self.forward]

    @property
    def region(self) -> list[cst.CSTNode]:
        """All that its gradients go through, the loss included."""
        return [*self.whole, cst.Expr(self.loss)]

    @property
    def named(self) -> list[cst.CSTNode]:
        """Where it and the parts that were computed before it name what they use."""
        return [*self.region, *(cst.Expr(part.loss) for part in self.carried)]

    @property
    def reached(self) -> list[str]:
        """The modules that its gradients are of, those of parts that were computed before among them."""
        earlier = [place for part in self.carried for place in part.models]
        return list(dict.fromkeys([*self.models, *earlier]))

    @property
    def is_refused(self) -> bool:
        return self.problem is not None

    @property
    def anchor(self) -> cst.BaseStatement:
        """The statement in whose place what computes the gradients is called."""
        return self.forward[-1] if self.updates and self.forward else self.backward_statement

    @property
    def first(self) -> cst.BaseStatement:
        """The statement in whose place the call of the step stands."""
        return self.forward[0] if self.forward else self.backward_statement


@dataclass(frozen=True, slots=True)
class Stores:
    """Lists that `append` fills, by their places: `full` get what was computed from trained values, `plain` never do. Among
    those that are full are the fields of objects for one value; `given` are the targets of lines that give them such.
    """

    full: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    given: frozenset[cst.Attribute] = frozenset()


class Flows:
    """Control flow and liveness of function bodies, made when asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._liveness: dict[object, Liveness] = {}
        self.steps: Sequence[Step] | None = None  # once somebody has asked for them
        self.stores = Stores()

    def liveness(self, function: Function | None) -> Liveness:
        if function not in self._liveness:
            module = self.program.index.module
            if function is None:
                flow: Flow = build_flow(module.body)
            else:
                flow = build_flow(function.node.body.body, function.node.params)
            self._liveness[function] = live_variables(flow)
        return self._liveness[function]


def method_call(statement: cst.CSTNode, name: str) -> cst.Call | None:
    """The call if a statement is just `<expression>.name(...)`."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    small = statement.body[0]
    if not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
        return None
    function = small.value.func
    return small.value if isinstance(function, cst.Attribute) and function.attr.value == name else None


def cleared_place(small: cst.BaseSmallStatement) -> str | None:
    """What a line empties the gradient of, or (`detach_`) does nothing else to: a tensor, or (`zero_grad`) a module."""
    match small:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name("grad")))], value=cst.Name("None")
        ):
            return dotted(owner)
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=gradient, attr=cst.Name("zero_" | "detach_")))):
            if isinstance(gradient, cst.Attribute) and gradient.attr.value == "data":
                gradient = gradient.value
            if isinstance(gradient, cst.Attribute) and gradient.attr.value == "grad":
                return dotted(gradient.value)
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("zero_grad")))):
            return dotted(owner)
    return None


def empties(small: cst.BaseSmallStatement) -> bool:
    """Whether a line that `cleared_place` knows leaves no gradient."""
    match small:
        case cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name("detach_")))):
            return False
    return True


def _clears(statement: cst.CSTNode) -> bool:
    """Whether a line does nothing but empty gradients."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    return small is not None and cleared_place(small) is not None and empties(small)


def _is_stepped_inside(body: Sequence[cst.BaseStatement], clearing: cst.CSTNode) -> bool:
    """Whether an optimizer whose gradients a line empties makes a step on some ways only: `if i % 2: second.step()`."""
    cleared = {
        code(call.func.value) for call in descendants(clearing, cst.Call) if isinstance(call.func, cst.Attribute)
    }
    inside = (
        call.func
        for statement in body
        if not isinstance(statement, cst.SimpleStatementLine)
        for call in descendants(statement, cst.Call)
    )
    return any(
        isinstance(func, cst.Attribute) and func.attr.value == "step" and code(func.value) in cleared for func in inside
    )


def _empties_tensor(statement: cst.CSTNode) -> bool:
    """Whether a line empties the gradient of a tensor, which nothing but another `backward()` sees."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    return small is not None and cleared_place(small) is not None and method_call(statement, "zero_grad") is None


def last_line(loop: cst.For) -> cst.SimpleStatementLine | None:
    """The line that ends the body of a loop."""
    last = loop.body.body[-1]
    while isinstance(last, cst.With):
        last = last.body.body[-1]
    return last if isinstance(last, cst.SimpleStatementLine) and len(last.body) == 1 else None


def sets_zeros(call: cst.Call) -> bool:
    """Whether a call of `zero_grad` gives gradients that are there zeros, and does not take them away."""
    return any(not isinstance(item.value, cst.Name) or item.value.value != "True" for item in call.args)


def read_first(region: Sequence[cst.CSTNode]) -> set[str]:
    """The names that statements in a row read as they were before the first of them."""
    found: set[str] = set()
    bound: set[str] = set()
    for part in region:
        found |= read_before_bound(part) - bound
        bound |= reads_and_writes(part)[1]
    return found


def keeps_graph(argument: cst.Arg) -> bool:
    """Whether an argument of `backward` is `retain_graph=...`."""
    return argument.keyword is not None and argument.keyword.value == "retain_graph"


def find_update(step: Step, values: Values) -> None:
    """The statements around `backward()`: zero_grad, clipping, optimizer.step()."""
    body = list(step.block.body)
    position = body.index(step.backward_statement)
    steppers = [
        (place, statement, call)
        for place, statement in enumerate(body)
        if (call := method_call(statement, "step")) is not None
        and values(call.func.value).kind in (Kind.OPTIMIZER, Kind.UNKNOWN)  # type: ignore[attr-defined]
        and values(call.func.value).kind is not Kind.SCHEDULER  # type: ignore[attr-defined]
        and place > position
    ]
    backwards = [place for place, statement in enumerate(body) if method_call(statement, "backward") is not None]
    following = min((place for place in backwards if place > position), default=len(body))
    if any(place > following for place, _, _ in steppers) and not any(place < following for place, _, _ in steppers):
        step.problem = "the gradients of several `backward()` are added up"
        return
    steppers = [item for item in steppers if item[0] < following]
    several = len(backwards) > 1 or any(map(_holds_step, body[:position]))
    step.begin = max((place + 1 for place in step_ends(body, values) if place < position), default=0) if several else 0
    if step.barrier in body:
        step.begin = max(step.begin, body.index(step.barrier) + 1)
    optimizers = [item for item in steppers if values(item[2].func.value).kind is Kind.OPTIMIZER]  # type: ignore[attr-defined]
    if len(optimizers) > 1:
        step.problem = SEVERAL_OPTIMIZERS
        return
    if optimizers:
        _, statement, call = optimizers[0]
        assert isinstance(statement, cst.SimpleStatementLine) and isinstance(call.func, cst.Attribute)
        if call.args:
            step.problem = "`optimizer.step` has a closure"
            return
        if dotted(call.func.value) is None:
            step.problem = (
                f"`{code(call.func.value)}` has no name of its own, so its state has none either: give it a variable"
            )
            return
        step.optimizer = call.func.value
        step.step_statement = statement
        _find_zeroing(step, body, values, alone=len(backwards) == 1)
    end = body.index(step.step_statement) if step.step_statement is not None else position
    for statement in body[position + 1 : end]:
        if _is_clip(statement, values):
            assert isinstance(statement, cst.SimpleStatementLine)
            step.clips.append(statement)


def _holds_step(statement: cst.BaseStatement) -> bool:
    """Whether there is a `backward()` within a compound statement."""
    return isinstance(statement, cst.BaseCompoundStatement) and any(
        method_call(item, "backward") is not None for item in descendants(statement)
    )


def step_ends(body: Sequence[cst.BaseStatement], values: Values) -> Iterator[int]:
    """Where steps end in a block that holds several: at `backward()` and `optimizer.step()`, or behind a loop with steps."""
    for place, statement in enumerate(body):
        call = method_call(statement, "step")
        if (
            _holds_step(statement)
            or method_call(statement, "backward") is not None
            or (
                call is not None
                and isinstance(call.func, cst.Attribute)
                and values(call.func.value).kind is Kind.OPTIMIZER
            )
        ):
            yield place


def _find_zeroing(step: Step, body: Sequence[cst.BaseStatement], values: Values, alone: bool) -> None:
    """The `zero_grad()` of a step: anywhere but between `backward()` and `step()`; among others only before `backward()`."""
    optimizer = dotted(step.optimizer)
    assert step.step_statement is not None
    backward, stepped = body.index(step.backward_statement), body.index(step.step_statement)
    for place, statement in enumerate(body):
        call = method_call(statement, "zero_grad")
        if call is None or not (alone or step.begin <= place < backward):
            continue
        assert isinstance(call.func, cst.Attribute)
        receiver = values(call.func.value)
        if dotted(call.func.value) == optimizer or receiver.kind is Kind.MODULE:
            step.dropped.append(statement)
            if backward < place < stepped:
                step.problem = "gradients are cleared before they are used"
                return
    step.is_cleared_elsewhere = not step.dropped


def _is_clip(statement: cst.BaseStatement, values: Values) -> bool:
    return clip_call(statement, values) is not None


def is_clip(call: cst.Call, values: Values) -> bool:
    """Whether a call is one of torch.nn.utils.clip_grad_norm_ or clip_grad_value_."""
    return values.torch_name(call.func) in {f"torch.nn.utils.{name}" for name in CLIPS}


def clip_call(statement: cst.CSTNode, values: Values) -> cst.Call | None:
    """The call of torch.nn.utils.clip_grad_norm_ or clip_grad_value_ that a statement consists of."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    small = statement.body[0]
    value = small.value if isinstance(small, (cst.Expr, cst.Assign)) else None
    return value if isinstance(value, cst.Call) and is_clip(value, values) else None


def clipped_places(call: cst.Call, program: Program, values: Values) -> tuple[str, ...]:
    """The modules of which all gradients are clipped together; none if some are left out."""
    found = optimized(call, program.definitions, values)
    return tuple(str(dotted(root)) for root in found.roots) if found is not None and not found.grouped else ()


def find_trained(step: Step, optimizer: cst.BaseExpression, values: Values) -> tuple[str, ...]:
    """The modules and tensors of a step that an optimizer updates, in its order; none if that cannot be seen."""
    region, models = step.named, step.reached
    found = {place: value_of_place(region, place, values) for place in (*models, *step.inputs)}
    known = {place: item for place, item in found.items() if item is not None}
    sites = {place: known[place].sites for place in models if place in known}
    leaves = [place for place in step.inputs if place in known and known[place].types & {"leaf", "parameter"}]
    value = values(optimizer)
    parts = value.items or ()
    if len(parts) < 2 and not any(part.kind is Kind.TENSOR for part in parts):
        if len(models) == 1:
            (place,) = models
            own = sites.get(place, frozenset())
            return (place,) if not value.sites or not own or value.sites & own else ()
        if not value.sites:
            models = may_be_trained(region, models, values)
            return (models[0],) if len(models) == 1 else ()
        own_places = [place for place in models if value.sites & sites.get(place, frozenset())]
        if len(own_places) > 1:
            told = trained_beside(optimizer, values) or trained_at_calls(optimizer, own_places, values)
            own_places = [place for place in told if place in own_places]
        return (own_places[0],) if len(own_places) == 1 else ()
    places: list[str] = []
    for part in parts:
        same = [place for place in models if part.sites & sites.get(place, frozenset())]
        if part.kind is Kind.TENSOR:
            same = [place for place in leaves if part.roots & known[place].roots]
        if len(same) != 1 or same[0] in places:
            return ()
        places += same
    return tuple(places)


def _is_cleared(step: Step, values: Values) -> bool:
    """Whether the `zero_grad()` of a step empties the gradients of all that it trains."""
    calls = [call for line in step.dropped if (call := method_call(line, "zero_grad")) is not None]
    receivers = [call.func.value for call in calls if isinstance(call.func, cst.Attribute)]
    if step.is_cleared_elsewhere:  # whether that is enough is asked once all steps are known
        return True
    if len(step.trained) < 2 or any(values(node).kind is Kind.OPTIMIZER for node in receivers):
        return True
    return set(step.trained) <= {dotted(node) for node in receivers}


def self_paths(node: cst.CSTNode, name: str = "self") -> set[str]:
    """The `self.x` paths (one attribute deep) below a node."""
    return {
        f"{name}.{item.attr.value}"
        for item in descendants(node)
        if isinstance(item, cst.Attribute) and isinstance(item.value, cst.Name) and item.value.value == name
    }


def trained_call(node: cst.CSTNode, values: Values) -> bool:
    """Whether something below a node depends on trained values: a call of a module or of its methods, or a leaf that requires a
    gradient.
    """
    for item in descendants(node):
        if isinstance(item, cst.Call) and values(item.func).kind is Kind.MODULE:
            if not values(item.func).is_loss_module:
                return True
        if isinstance(item, (cst.Name, cst.Attribute)) and not values(item).types.isdisjoint(("leaf", "parameter")):
            return values(item).kind is Kind.TENSOR
        if isinstance(item, cst.Call) and values(item).kind is Kind.PARAMETERS:
            return True
        if isinstance(item, cst.Call):
            if isinstance(item.func, cst.Attribute) and values(item.func.value).kind is Kind.MODULE:
                if values.callees.get(item) and not values(item.func.value).is_loss_module:
                    return True
            for function in values.callees.get(item, ()):
                if any(value.kind is Kind.MODULE for value in function.seen.values()) or _runs_module(function):
                    return True
    return False


def _runs_module(function: Function) -> bool:
    """Whether a function is a method that a module has once it has been made."""
    return function.owner is not None and function.owner.is_module and function.name != "__init__"


def _grown(statement: cst.CSTNode) -> set[str]:
    """The names of lists to which a statement adds."""
    return {
        item.func.value.value
        for item in descendants(statement)
        if isinstance(item, cst.Call)
        and isinstance(item.func, cst.Attribute)
        and item.func.attr.value in ("append", "extend")
        and isinstance(item.func.value, cst.Name)
    }


def _made_lists(statement: cst.CSTNode) -> set[str]:
    """The names that a statement gives to new lists: `parts = []`, `parts = deque()`, `parts, others = [], []`."""
    return {
        place.value
        for item in descendants(statement)
        if isinstance(item, cst.Assign)
        for target in item.targets
        for place, value in assigned_pairs(target.target, item.value)
        if isinstance(place, cst.Name) and (isinstance(value, (cst.List, cst.ListComp)) or _makes_list(value))
    }


def _makes_list(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and dotted(node.func) in ("list", "deque", "collections.deque")


def is_host(statement: cst.CSTNode, values: Values, own: set[str] | frozenset[str] = frozenset()) -> bool:
    """Whether a statement does what only the host can do: printing, reading numbers, growing containers but its `own`."""
    for item in descendants(statement):
        if not isinstance(item, cst.Call):
            continue
        if isinstance(item.func, cst.Attribute) and dotted(item.func.value) in own:
            continue
        if isinstance(item.func, cst.Attribute) and item.func.attr.value in HOST_METHODS:
            if _gives_own_result(statement, item, values):
                continue
            if values(item.func.value).kind not in (Kind.MODULE, Kind.TORCH) and not _is_logarithm(item, values):
                return True
        if isinstance(item.func, cst.Name) and item.func.value in HOST_FUNCTIONS and not _is_number(item, values):
            return True
    return isinstance(statement, (cst.SimpleStatementLine)) and any(
        isinstance(small, (cst.Raise, cst.Return, cst.Global, cst.Import, cst.ImportFrom)) for small in statement.body
    )


def _gives_own_result(statement: cst.CSTNode, call: cst.Call, values: Values) -> bool:
    """Whether a call of a method that the object around it has itself gives what is asked for: `loss = self.update(x)`."""
    callees = values.callees.get(call, ())
    function = values.program.function_around(call) if call in values.program.index.parents else None
    is_own = isinstance(call.func, cst.Attribute) and dotted(call.func.value) == owner_name(function)
    return (
        is_own
        and bool(callees)
        and isinstance(statement, cst.SimpleStatementLine)
        and not any(isinstance(small, cst.Expr) for small in statement.body)
    )


def _is_number(call: cst.Call, values: Values) -> bool:
    """Whether a call makes a number of numbers: `float(len(x))`."""
    numbers = (Kind.INT, Kind.FLOAT, Kind.BOOL)
    is_conversion = isinstance(call.func, cst.Name) and call.func.value in ("float", "int")
    return is_conversion and bool(call.args) and all(values(item.value).kind in numbers for item in call.args)


def _runs_in_step(step: Step, statement: cst.CSTNode, values: Values, keeps: bool, made: set[str]) -> bool:
    """Whether a statement of the host can run where gradients are followed, if nothing is compiled. What lists keep for a step
    may be looked at that way; all that calls what is trained where there is no other way (`is_eager`).
    """
    if step.is_eager or step.stores or (keeps and not trained_call(statement, values)):
        return _takes_numbers(statement, values, made)
    return False


def _takes_numbers(statement: cst.CSTNode, values: Values, made: set[str]) -> bool:
    """Whether a statement takes nothing but numbers of tensors, or arrays cut from their graphs, and gives nobody anything else;
    lists that the step has `made` are its own.
    """
    for call in (item for item in descendants(statement) if isinstance(item, cst.Call)):
        match call.func:
            case cst.Attribute(value=receiver, attr=cst.Name("numpy" | "tolist")):
                if not _is_cut(receiver, values):
                    return False
            case cst.Attribute(value=receiver, attr=cst.Name("append")):
                kept = [item.value for item in call.args if values(item.value).kind not in _WITHOUT_GRAPH]
                if dotted(receiver) not in made and not all(_is_cut(item, values) for item in kept):
                    return False
            case cst.Attribute(value=receiver, attr=cst.Name(name)) if name in HOST_METHODS and name != "item":
                if values(receiver).kind not in (Kind.MODULE, Kind.TORCH) and not _is_logarithm(call, values):
                    if any(_shows_graph(item.value, values) for item in call.args):
                        return False
            case cst.Name("print"):
                if any(_shows_graph(item.value, values) for item in call.args):
                    return False
            case cst.Name("int" | "float"):
                tensors = [item.value for item in call.args if values(item.value).kind not in _WITHOUT_GRAPH]
                if not all(_is_cut(item, values) for item in tensors):
                    return False
            case cst.Name(name) if name in HOST_FUNCTIONS:
                return False
    leaving = (cst.Raise, cst.Return, cst.Global, cst.Import, cst.ImportFrom)
    return not any(isinstance(node, leaving) for node in descendants(statement))


def _shows_graph(node: cst.BaseExpression, values: Values) -> bool:
    """Whether something that is printed or written down may hold a tensor with its graph, and not only numbers of it."""
    match node:
        case cst.FormattedString(parts=parts):
            shown = [item.expression for item in parts if isinstance(item, cst.FormattedStringExpression)]
        case cst.ConcatenatedString(left=left, right=right):
            shown = [left, right]
        case cst.BinaryOperation(left=left, right=right) if values(node).kind not in _NUMBERS:
            shown = [left, right]
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            shown = [item.value for item in elements]
        case cst.Dict(elements=elements):
            shown = [item.value for item in elements]
        case cst.Call(func=cst.Name("str" | "repr" | "format") | cst.Attribute(attr=cst.Name("format")), args=args):
            shown = [item.value for item in args]
        case _:
            return values(node).kind not in _WITHOUT_GRAPH and not _is_cut(node, values)
    return any(_shows_graph(item, values) for item in shown)


def _is_cut(node: cst.BaseExpression, values: Values) -> bool:
    """Whether a tensor has no graph: it is cut from it, or holds whole numbers."""
    value = values(node)
    if value.kind is Kind.TENSOR and is_discrete(value.dtype):
        return True
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name("detach"))) | cst.Attribute(attr=cst.Name("data")):
            return True
        case cst.Call(func=cst.Attribute(value=drawn, attr=cst.Name("sample"))) if (
            values(drawn).kind is Kind.TORCH_OBJECT
        ):
            return True  # of a distribution
        case cst.Call(func=cst.Attribute(value=inner)) | cst.Subscript(value=inner):
            return _is_cut(inner, values)
        case cst.Name() if node in values.program.index.parents:
            definition = values.program.definitions.only(node)
            line = values.program.definitions.assignment(definition) if definition is not None else None
            return line is not None and not isinstance(line.value, cst.Name) and _is_cut(line.value, values)
    return False


def _is_logarithm(call: cst.Call, values: Values) -> bool:
    """Whether a call of a method `log` is of a tensor's: a logger's is given something."""
    assert isinstance(call.func, cst.Attribute)
    return call.func.attr.value == "log" and (not call.args or values(call.func.value).kind is Kind.TENSOR)


def find_forward(step: Step, values: Values, flows: Flows) -> None:
    body = list(step.block.body)
    end = step.end
    dependence = Dependence(values, step.function)
    changing = [place for place in range(step.begin, end) if _changes_leaf(body[place], values)]
    step.begin = max([step.begin, *(place + 1 for place in changing)])  # no gradient goes through such a change
    needed = {dotted(step.loss)} if dotted(step.loss) else set()
    needed |= dependence.of(cst.Expr(step.loss)).reads
    tainted = _tainted(step, body[:end], values, dependence, flows.stores)
    if not tainted and not trained_call(step.loss, values):
        tainted = set(body[step.begin : end])  # no module is called anywhere
        if changing:
            tainted |= _computed_from_leaves(body[: step.begin], values, dependence)
    chosen: list[cst.BaseStatement] = []
    wanted: set[cst.BaseStatement] = set()  # what the loss depends on without a gradient
    nearest: set[cst.BaseStatement] = set()  # that, up to variables that lines compute from what they held before
    near = set(needed)
    filled: set[str] = set()
    for statement in reversed(body[step.begin : end]):
        if statement in step.dropped or _empties_tensor(statement):
            continue
        if statement in step.fixed:
            needed -= _surely_bound(statement)
            near -= _surely_bound(statement)
            continue
        writes, reads = written_by(statement, dependence) | _grown(statement), dependence.of(statement).reads
        if writes & near and (statement in tainted or _made_lists(statement) & filled):
            chosen.append(statement)
            needed = (needed - _surely_bound(statement)) | reads
            near = (near - _surely_bound(statement)) | reads
            filled |= _grown(statement)
        elif writes & needed:
            wanted.add(statement)
            needed = (needed - _surely_bound(statement)) | reads
            if writes & near:
                nearest.add(statement)
                near |= reads
            near -= _surely_bound(statement)
    for statement in reversed(body[: step.begin]):
        earlier = sorted(reads_and_writes(statement)[1] & needed)
        if statement in tainted and earlier and statement not in step.fixed:
            step.uses_earlier = step.uses_earlier or earlier[0]
        needed -= _surely_bound(statement)
    if not chosen:
        if trained_call(step.loss, values) or not step.models:
            _place_rest(step, body[end:], [], dependence, flows)
            return
    chosen.reverse()
    start = body.index(chosen[0]) if chosen else end
    wanted = nearest.union(body[start:]) & wanted  # what is computed in front of the step stays there
    _classify(step, body, start, chosen, wanted, dependence, flows)


def _changes_leaf(statement: cst.CSTNode, values: Values) -> bool:
    """Whether a statement changes in place what gradients are taken of: torch allows that without a graph only."""
    if _empties_tensor(statement):
        return False
    for node in descendants(statement):
        match node:
            case cst.Call(func=cst.Attribute(value=changed, attr=cst.Name(name))) if is_inplace_name(name):
                pass
            case cst.AugAssign(target=changed) | cst.AssignTarget(target=cst.Subscript() as changed):
                pass
            case cst.AssignTarget(target=cst.Attribute(value=changed, attr=cst.Name("data"))):
                pass
            case _:
                continue
        while isinstance(changed, cst.Subscript):
            changed = changed.value
        if _is_leaf(without_data(changed, values), values) and not _flags(node):
            return True
    return False


def _flags(node: cst.CSTNode) -> bool:
    """`x.requires_grad_()`"""
    return (
        isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "requires_grad_"
    )


def _is_leaf(node: cst.CSTNode, values: Values) -> bool:
    return isinstance(node, (cst.Name, cst.Attribute)) and "leaf" in values(node).types


def _computed_from_leaves(
    body: Sequence[cst.BaseStatement], values: Values, dependence: Dependence
) -> set[cst.BaseStatement]:
    """The statements whose results depend on what gradients are taken of, which is no module."""
    found: set[cst.BaseStatement] = set()
    names: set[str] = set()
    for statement in body:
        reads = any(_is_leaf(node, values) for node in _own_reads(statement))
        if not _changes_leaf(statement, values) and (reads or dependence.of(statement).reads & names):
            found.add(statement)
            names |= written_by(statement, dependence)
    return found


def _own_reads(statement: cst.BaseStatement) -> Iterable[cst.CSTNode]:
    """The nodes of a statement; of a definition those that name something around it: its parameters are those of its calls."""
    if not isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        return descendants(statement)
    free = set(free_variables(statement))
    return (node for node in descendants(statement, cst.Name) if node.value in free)


def may_come_from_leaves(place: str, function: Function | None, values: Values) -> bool:
    """Whether a variable of a function may have been computed from tensors that gradients are taken of; whatever modules have
    computed from others counts as constant.
    """
    scope: cst.CSTNode = function.node if function is not None else values.program.index.module
    inside = [node for node in descendants(scope) if values.program.function_around(node) is function]
    dependence = Dependence(values, function)
    found: set[str] = set()
    while True:
        before = len(found)
        for node in inside:
            match node:
                case (
                    cst.For(target=target, iter=source)
                    | cst.NamedExpr(target=target, value=source)
                    | cst.WithItem(item=source, asname=cst.AsName(name=target))
                ):
                    if names_in(source) & found or any(
                        _is_leaf(item, values) for item in (source, *descendants(source))
                    ):
                        found |= bound_names(target)
                case cst.SimpleStatementLine():
                    reads = any(_is_leaf(item, values) for item in descendants(node))
                    if reads or dependence.of(node).reads & found:
                        found |= written_by(node, dependence)
        if len(found) == before:
            return place in found


def written_by(statement: cst.CSTNode, dependence: Dependence) -> set[str]:
    """The variables (and fields of the object around) that a statement binds, or whose tensors it changes in place: in JAX it
    binds these, too.
    """
    access = dependence.of(statement)
    tensors = {
        str(dotted(node))
        for node in descendants(statement)
        if isinstance(node, (cst.Name, cst.Attribute)) and dependence.values(node).kind is Kind.TENSOR
    }
    return set(access.binds) | (access.changes & tensors)


def _surely_bound(statement: cst.CSTNode) -> set[str]:
    """The variables that a definition, a line of assignments, or those in a `with` statement bind, whatever they held before."""
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        return {statement.name.value}
    if isinstance(statement, cst.With):
        return set().union(*(_surely_bound(inner) for inner in statement.body.body))
    if not isinstance(statement, cst.SimpleStatementLine):
        return set()
    return {
        name
        for small in statement.body
        if isinstance(small, cst.Assign)
        for target in small.targets
        for name in bound_names(target.target)
    }


def _tainted(
    step: Step,
    body: Sequence[cst.BaseStatement],
    values: Values,
    dependence: Dependence,
    stores: Stores,
) -> set[cst.BaseStatement]:
    """The statements whose results depend on trained values; lists that keep such are known."""
    names: set[str] = set(stores.full)
    plain = stores.plain
    found: set[cst.BaseStatement] = set()
    for statement in body:
        reads = bool(dependence.of(statement).reads & names) or _names_store(statement, stores)
        if not reads and (
            _makes_modules(statement, values) or _is_rollout(statement, values) or _is_apart(statement, values)
        ):
            continue
        if _leaves_graph(statement, values):
            continue
        if trained_call(statement, values) or _defines_trained(statement, values) or reads:
            found.add(statement)
            names |= written_by(statement, dependence) | (_grown(statement) - plain)
    return found


def _names_store(statement: cst.CSTNode, stores: Stores) -> bool:
    """Whether a statement names a list of some object that keeps trained values."""
    fields = [node for node in descendants(statement) if isinstance(node, cst.Attribute)] if stores.full else []
    return any(dotted(node) in stores.full for node in fields)


def _defines_trained(statement: cst.CSTNode, values: Values) -> bool:
    """Whether a statement defines a function that calls a module, if only in a method of an object that keeps the module."""
    if not isinstance(statement, cst.FunctionDef):
        return False
    called = (call.func for part, _ in code_of([statement.body], values) for call in descendants(part, cst.Call))
    return any(values(node).kind is Kind.MODULE and not values(node).is_loss_module for node in called)


def _is_apart(statement: cst.CSTNode, values: Values) -> bool:
    """Whether a statement defines a function that calls no module but those that it is given."""
    if not isinstance(statement, cst.FunctionDef):
        return False
    free = set(free_variables(statement)) - set(dir(builtins))
    known = (Kind.TORCH, Kind.CLASS, *_WITHOUT_GRAPH)
    around = (node for node in descendants(statement) if isinstance(node, cst.Name) and node.value in free)
    return all(values(node).kind in known for node in around)


def _makes_modules(statement: cst.CSTNode, values: Values) -> bool:
    """Whether a statement defines a class, or gives variables modules, or leaves of others than trained values:
    no gradient goes on through it.
    """
    if isinstance(statement, cst.ClassDef):
        return True
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(small, cst.Assign)
        and isinstance(small.value, cst.Call)
        and (
            values(small.value).kind is Kind.MODULE
            or (makes_leaf(small.value, values) and not trained_call(small.value, values))
        )
        for small in statement.body
    )


def _leaves_graph(statement: cst.BaseStatement, values: Values) -> bool:
    """Whether a line of the host keeps nothing but numbers, or arrays of NumPy, through which no gradient goes on."""
    if not isinstance(statement, cst.SimpleStatementLine) or not is_host(statement, values):
        return False
    return all(values(node).kind in _WITHOUT_GRAPH for small in statement.body for node in _kept_by(small))


def _kept_by(small: cst.BaseSmallStatement) -> Sequence[cst.BaseExpression]:
    """What a line gives variables, or puts into containers; itself where that is not seen."""
    match small:
        case cst.Assign(value=value):
            return [value]
        case cst.Expr(
            value=cst.Call(func=cst.Attribute(attr=cst.Name("append" | "extend")), args=[cst.Arg(value=value)])
        ):
            return [value]
        case cst.Expr(value=cst.Call(args=arguments) as call):  # it may keep what it is given
            return [call, *(argument.value for argument in arguments)]
    return [cst.Name("unknown")]


def _is_rollout(statement: cst.BaseStatement, values: Values) -> bool:
    """Whether a statement is a loop of the host that calls what is trained under `no_grad` only: its results are constants."""
    if not isinstance(statement, (cst.For, cst.While)) or not is_host(statement, values):
        return False
    waiting: list[cst.CSTNode] = [*children(statement)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, cst.With) and any(turns_off(item.item, values) for item in node.items):
            continue
        if isinstance(node, (cst.SimpleStatementLine, cst.BaseExpression)):
            if trained_call(node, values):
                return False
        else:
            waiting += children(node)
    return True


def makes_leaf(call: cst.Call, values: Values) -> bool:
    """Whether a call makes a tensor that asks for gradients: `torch.zeros(3, requires_grad=True)`, `x.clone().requires_grad_()`."""
    asks = any(item.keyword is not None and item.keyword.value == "requires_grad" for item in call.args)
    asks = asks or (isinstance(call.func, cst.Attribute) and call.func.attr.value == "requires_grad_")
    return asks and "leaf" in values(call).types


def _classify(
    step: Step,
    body: Sequence[cst.BaseStatement],
    start: int,
    chosen: Sequence[cst.BaseStatement],
    wanted: set[cst.BaseStatement],
    dependence: Dependence,
    flows: Flows,
) -> None:
    """Tell what is a part of the loss from what stands among it."""
    values = dependence.values
    last = step.end if step.step_statement is None else body.index(step.step_statement)
    own: set[str] = set()  # lists that the step makes
    born: set[str] = set()  # variables of the step that hold what it has made
    rest: list[cst.BaseStatement] = []
    reads = dependence.of(cst.Expr(step.loss)).reads.union(*(dependence.of(item).reads for item in chosen))
    keeps = bool(step.stores) or not flows.stores.full.isdisjoint(reads)
    made = set[str]().union(*map(_made_lists, chosen))
    stays = [item for item in chosen if not _runs_in_step(step, item, values, keeps, made)]
    for position, statement in enumerate(body[start : last + 1], start):
        own |= _made_lists(statement)
        if statement in step.dropped or statement in (body[step.end], step.step_statement):
            continue
        if statement in step.clips or _empties_tensor(statement):
            continue
        if statement in step.fixed:
            rest.append(statement)
            continue
        if position < step.end and statement in chosen:
            if is_host(statement, values, own) and statement in stays:
                step.problem = "the loss is computed with values that have left the device (`.item()`, `print`, ...)"
                step.code = "T2J504"
                step.blocked = list(chosen)
                step.barrier = [item for item in stays if is_host(item, values, own | _made_lists(item))][-1]
                return
            step.forward.append(statement)
        elif statement not in wanted and _makes_next_inputs(step, statement, born, dependence):
            rest.append(statement)
        elif (position < step.end and _is_taken_along(step, statement, dependence, keeps)) or (
            position < step.end
            and statement in wanted
            and (
                _is_made_here(statement, born, dependence)
                or (bool(dependence.of(statement).reads & born) and _runs_in_step(step, statement, values, keeps, made))
            )
        ):
            step.forward.append(statement)
        else:
            rest.append(statement)
        if statement in step.forward:
            born |= _surely_bound(statement)
    _place_rest(step, body, rest, dependence, flows)


def _is_taken_along(step: Step, statement: cst.BaseStatement, dependence: Dependence, keeps: bool) -> bool:
    """Whether a line that computes tensors among those of the loss is computed with them. What lists keep has another length each
    time: there only what needs the loss's own lines is.
    """
    if is_host(statement, dependence.values) or not _is_tensor_assignment(statement, dependence.values):
        return False
    return not keeps or not all(dependence.commute(statement, item) for item in step.forward)


def _makes_next_inputs(step: Step, statement: cst.BaseStatement, born: Collection[str], dependence: Dependence) -> bool:
    """Whether a line among those of the loss gives the variables that these have read to the next pass: `x, y = get_batch()`."""
    access = dependence.of(statement)
    before = set[str]().union(*(dependence.of(item).reads for item in step.forward))
    return bool(access.binds) and access.binds <= before - set(born) and access.reads.isdisjoint(born)


def _is_made_here(statement: cst.CSTNode, born: set[str], dependence: Dependence) -> bool:
    """Whether a line gives a variable a number that it says, or fills a tensor that the step has made; or an `if` that computes
    tensors.
    """
    access = dependence.of(statement)
    if access.world or access.leaves or is_host(statement, dependence.values):
        return False
    if isinstance(statement, cst.If):
        return not access.changes and all(
            _is_tensor_assignment(line, dependence.values) for line in _branches(statement)
        )
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    if all(
        isinstance(small, cst.Assign)
        and isinstance(small.value, (cst.Integer, cst.Float))
        and all(isinstance(target.target, cst.Name) for target in small.targets)
        for small in statement.body
    ):
        return True
    return bool(access.changes) and access.changes <= born and not access.binds


def _place_rest(
    step: Step,
    body: Sequence[cst.BaseStatement],
    rest: Sequence[cst.BaseStatement],
    dependence: Dependence,
    flows: Flows,
) -> None:
    """Find places for the statements that stand among the loss, or between it and the update: behind the step, or in front
    of it, where that is the same.
    """
    places = {statement: position for position, statement in enumerate(body)}
    loss = dependence.of(cst.Expr(step.loss))
    if step.updates:
        rest = [item for item in rest if step.forward and places[item] < places[step.forward[-1]]]
    stays: list[cst.BaseStatement] = []
    for statement in reversed(rest):
        if statement in step.fixed:  # it has a place of its own, in front of the step
            stays.append(statement)
            continue
        access = dependence.of(statement)
        behind = [other for other in (*step.forward, *stays) if places[other] > places[statement]]
        sinks = all(_may_follow(statement, other, step, dependence, flows) for other in behind)
        sinks = sinks and (not step.stores or dependence.are_independent(access, loss))
        clips = [line for line in step.clips if places[line] > places[statement]]
        limits = [cst.Expr(item) for item in _limits(clips, dependence.values)]
        sinks = sinks and all(dependence.are_independent(access, dependence.of(item)) for item in limits)
        if not step.updates:
            computes = replace(access, leaves=False)
            is_free = not access.trained and not access.gradients and dependence.are_independent(computes, loss)
            sinks = sinks and (is_free or step.optimizer is None)
            if access.leaves and step.optimizer is not None:
                sinks = sinks and access.stops and _is_lost(step, dependence)
        (step.after if sinks else stays).append(statement)
    step.after.reverse()
    left: list[cst.BaseStatement] = []
    for statement in reversed(stays):
        access = dependence.of(statement)
        before = [other for other in (*step.forward, *left) if places[other] < places[statement]]
        commutes = all(dependence.commute(statement, other) for other in before)
        clears = _clears(statement) and not any(dependence.of(other).gradients for other in before)
        clears = clears and (step.optimizer is None or not _is_stepped_inside(body, statement))
        if (commutes and not access.gradients and not access.leaves) or clears:
            if statement not in step.fixed:
                step.ahead.append(statement)
        elif statement not in step.fixed and (
            sources := _sources(step, statement, before, places, dependence, flows.stores)
        ):
            step.forward = [other for other in step.forward if other not in sources]
            step.ahead.extend(sorted(sources, key=places.__getitem__))
        else:
            left.append(statement)
    if left:
        first = min(left, key=lambda item: places[item])
        line = first.body[0] if isinstance(first, cst.SimpleStatementLine) else first
        step.problem = f"`{_head(line)}` stands in the middle of it and can go neither before nor behind it"
        step.blocked = list(step.forward)
        inner = [item for item in left if step.forward and places[item] < places[step.forward[-1]]]
        step.barrier = max(inner, key=lambda item: places[item], default=step.barrier)


def _limits(clips: Sequence[cst.BaseStatement], values: Values) -> list[cst.BaseExpression]:
    """What lines that clip gradients are given beside what is clipped."""
    return [argument.value for item in clips if (call := clip_call(item, values)) for argument in call.args[1:]]


def _sources(
    step: Step,
    statement: cst.BaseStatement,
    before: Sequence[cst.BaseStatement],
    places: Mapping[cst.BaseStatement, int],
    dependence: Dependence,
    stores: Stores,
) -> set[cst.BaseStatement]:
    """A line that takes a number, with the lines of the forward pass that it goes back to: where these compute nothing from
    what is trained, all of them can go in front of the step. Empty if they cannot.
    """
    tainted = _tainted(step, [*step.forward], dependence.values, dependence, stores)
    found, waiting = {statement}, [statement]
    while waiting:
        item = waiting.pop()
        access = dependence.of(item)
        if item in tainted or access.gradients or access.leaves or access.world or access.changes:
            return set()
        for other in before:
            if other in found or places[other] > places[item] or dependence.commute(item, other):
                continue
            if other not in step.forward:
                return set()
            found.add(other)
            waiting.append(other)
    return found


def _is_lost(step: Step, dependence: Dependence) -> bool:
    """Whether nobody sees what a step has made of its variables if an exception is raised behind it: they are those of the
    function, which does not catch it.
    """
    function = step.function
    if function is None or any(isinstance(node, cst.Try) for node in descendants(function.node)):
        return False
    kinds = (Kind.MODULE, Kind.OPTIMIZER)
    nodes = [
        node for part in (*step.forward, step.loss, step.optimizer) if part is not None for node in descendants(part)
    ]
    places = {
        dotted(node)
        for node in nodes
        if isinstance(node, (cst.Name, cst.Attribute)) and dependence.values(node).kind in kinds
    }
    own = set(function.env) - set(function.parameter_names)  # callers have the others
    return all(place is not None and place in own for place in places)


def _head(node: cst.CSTNode) -> str:
    """The first line of a statement, without the comments above it."""
    plain = node.with_changes(leading_lines=()) if isinstance(node, cst.BaseStatement) else node
    return code(plain).strip().splitlines()[0]


def _may_follow(
    statement: cst.BaseStatement, other: cst.BaseStatement, step: Step, dependence: Dependence, flows: Flows
) -> bool:
    """Whether a statement may go behind another one of the step. One that may leave may go behind what only computes values
    that nobody reads where it goes.
    """
    access, later = dependence.of(statement), dependence.of(other)
    if not access.leaves:
        return dependence.are_independent(access, later)
    if later.leaves or later.world or later.changes or trained_call(other, dependence.values):
        return False
    live = flows.liveness(step.function).before_statement(statement)
    free = not any(name in live for name in later.binds)
    return free and dependence.are_independent(replace(access, leaves=False), later)


def _branches(statement: cst.If) -> Iterator[cst.CSTNode]:
    """The lines of an `if` and of what else there is to it."""
    yield from statement.body.body
    if isinstance(statement.orelse, cst.If):
        yield from _branches(statement.orelse)
    elif statement.orelse is not None:
        yield from statement.orelse.body.body


def _is_tensor_assignment(statement: cst.CSTNode, values: Values) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    return all(
        isinstance(small, cst.Assign)
        and values(small.value).kind in (Kind.TENSOR, Kind.TUPLE)
        and not any(isinstance(node, cst.Attribute) for target in small.targets for node in descendants(target))
        for small in statement.body
    )


def _live_behind(step: Step, flows: Flows) -> set[str]:
    """The names that are read once the step, or what computes its gradients, has run."""
    liveness = flows.liveness(step.function)
    if not step.updates:
        live = set(liveness.after_statement(step.step_statement or step.backward_statement))
    else:
        live = set(liveness.after_statement(step.anchor))
    for statement in step.after:
        live |= read_before_bound(statement)
    return live - _own_functions(step, flows.program)


def _own_functions(step: Step, program: Program) -> set[str]:
    """The functions that the forward pass of a step defines, and nothing else names: what has captured them has gone, too."""
    region = {node for part in (*step.forward, step.loss) for node in (part, *descendants(part))}
    found = {node.name.value for node in region if isinstance(node, cst.FunctionDef)}
    named = {node.value for node in program.index.names if node.value in found and node not in region} if found else ()
    return found.difference(named)


def find_interface(step: Step, program: Program, values: Values, flows: Flows) -> None:
    """What goes in and out of the step, by the liveness of the function around it."""
    dependence = Dependence(values, step.function)
    live = _live_behind(step, flows)
    defined: set[str] = set()
    perhaps: set[str] = set()
    before = flows.liveness(step.function).before_statement(step.first)
    for statement in (*step.ahead, *step.fixed):
        before |= reads_and_writes(statement)[1]
    reads: list[str] = []
    region: list[cst.CSTNode] = [*step.forward, cst.Expr(step.loss)]
    for part in region:
        used, bound = read_before_bound(part), written_by(part, dependence)
        missing = {name for name in used if name not in defined and (name not in perhaps or name in before)}
        reads.extend(name for name in ordered(part, missing) if name not in reads)
        defined |= _surely_bound(part)
        perhaps |= bound
    for name in perhaps.intersection(reads):
        first = _first_binding(name, region, program)
        if first is not None and outermost_loop(step, program) is not None and not _in_loop(first, region, program):
            step.unset.append(name)
        elif first is not None:
            reads.remove(name)
    # what only some paths bind keeps its value on the others
    open_names = (perhaps & live) - set().union(*map(_bound_on_all_paths, step.forward)) - {dotted(step.loss)}
    reads.extend(name for name in in_order(step.forward, open_names) if name not in reads)
    defined |= perhaps
    step.written = perhaps
    limits = _limits(step.clips, values)
    for limit in limits:
        reads.extend(name for name in ordered(limit, reads_and_writes(cst.Expr(limit))[0]) if name not in reads)
    own_name = owner_name(step.function)
    paths: list[str] = []
    if own_name is not None and own_name in reads:
        reads.remove(own_name)
        made: set[str] = set()
        for part in (*region, *map(cst.Expr, limits)):
            read = sorted(place for place in dependence.of(part).reads if place.startswith(f"{own_name}."))
            found = [place for field in read for place in _places_read(field, [*region, *limits], program, values)]
            paths.extend(path for path in found if path not in paths and path not in made)
            if isinstance(part, cst.SimpleStatementLine):
                made |= dependence.of(part).binds
        if uses_bare_self(region, own_name, program):
            step.problem = f"the loss is computed by methods of `{own_name}`"
            return
    fields = sorted(place for place in step.written if "." in place)
    if fields and _is_method_of_module(step.function):
        step.problem = f"it gives `{fields[0]}` another value"
        return
    local = local_names(step.function, program, values)
    local |= {place.partition(".")[0] for place in flows.stores.full if "." in place} & set(program.module_env)
    inputs = [
        place for name in reads if name in local for place in _places_read(name, [*region, *limits], program, values)
    ]
    for name in (*inputs, *paths):
        value = value_of_place(region, name, values)
        if value is not None and "leaf" in value.types:
            step.leaves.append(name)
            if _may_be_complex(value, step.function, program):
                step.problem = f"`{name}` may be complex, and gradients of complex numbers are conjugated in torch"
        if value is not None and value.kind is Kind.MODULE and not value.is_loss_module:
            step.models.append(name)
        else:
            step.inputs.append(name)
    loss_name = dotted(step.loss)
    if loss_name is not None and "." in loss_name:
        step.loss_is_live = loss_name in step.written  # others may read the field
    else:
        step.loss_is_live = loss_name in live and (not step.updates or _is_read_apart(str(loss_name), step, program))
    if step.loss_is_live and not step.carries and values(step.loss).rank:
        step.problem = (
            f"`{loss_name}` is read behind it and has axes, though `backward()` wants a number: `{loss_name}.squeeze()`"
        )
    functions = {part.name.value for part in step.forward if isinstance(part, cst.FunctionDef)}
    step.results = [name for name in in_order(step.forward, defined - functions) if name in live and name != loss_name]
    step.results += [place for place in fields if place != loss_name]
    if step.optimizer is not None:
        step.trained = find_trained(step, step.optimizer, values)
        if not step.updates and not _is_cleared(step, values):
            step.problem = "gradients are not cleared in every step (no `zero_grad()` beside it), so they accumulate"
    given = {*step.trained, *([] if step.updates else [dotted(step.optimizer)])}  # a step is given these anyway
    step.inputs = [name for name in step.inputs if name not in given]
    bound_ahead = set[str]().union(*map(_bound_on_all_paths, step.ahead))
    plain = [name for name in step.inputs if "." not in name and name not in {*step.unset, *bound_ahead}]
    step.unset += [name for name in plain if _may_be_unset(name, step, region, program)]
    step.dead_inputs = (
        not step.carried
        and (set(step.models) == set(step.trained) if step.trained else len(step.models) == 1)
        and all(
            _is_plain(region, name, values)
            or ("." not in name and name not in live and _is_fresh(name, step, program, values))
            for name in step.inputs
        )
    )
    for item in step.clips:
        clipped = clipped_places(call, program, values) if (call := clip_call(item, values)) is not None else ()
        if not clipped or set(clipped) - {*step.reached, *step.trained} or set(step.trained) - set(clipped):
            step.problem = "only some of the gradients are clipped"
    if not step.models and not step.trained and step.optimizer is not None:
        step.problem = NO_MODULE
        if step.uses_earlier is not None:
            step.problem = f"it uses `{step.uses_earlier}`, which was computed for another step"


def _first_binding(name: str, region: Sequence[cst.CSTNode], program: Program) -> cst.CSTNode | None:
    """Where a step binds a variable first that nothing before the step has bound."""
    definitions = program.definitions
    inside = [node for part in region for node in (part, *descendants(part))]
    made = (node for node in inside if isinstance(node, cst.Name) and node.value == name)
    named = [node for node in made if node in program.index.parents]  # those of expressions of our own are in no file
    reads = [node for node in named if not program.index.is_label(node) and not definitions.is_bound(node)]
    found = {id(item.node): item.node for node in reads for item in definitions.of(node)}
    nodes = {id(node) for node in inside}
    return next(iter(found.values()), None) if found and all(key in nodes for key in found) else None


def _bound_on_all_paths(statement: cst.CSTNode | None) -> set[str]:
    """The variables that a statement binds whatever it decides; its loops are taken to run."""
    match statement:
        case cst.If(body=body, orelse=other):
            return _bound_on_all_paths(body) & _bound_on_all_paths(other.body if isinstance(other, cst.Else) else other)
        case cst.Try(body=body, handlers=handlers):
            return _bound_on_all_paths(body).intersection(*(_bound_on_all_paths(item.body) for item in handlers))
        case cst.For(target=target, body=body):
            return bound_names(target) | _bound_on_all_paths(body)
        case cst.With(body=body) | cst.While(body=body):
            return _bound_on_all_paths(body)
        case cst.BaseSuite(body=lines):
            return set().union(*map(_bound_on_all_paths, lines))
    return reads_and_writes(statement)[1] if statement is not None else set()


def _may_be_unset(name: str, step: Step, region: Sequence[cst.CSTNode], program: Program) -> bool:
    """Whether nothing may have bound a variable in front of a step, which does not read it on all of its paths."""
    if any(_surely_reads(part, name) for part in region):
        return False  # torch would not run without it, either
    scopes = program.definitions.scopes
    flow = scopes.flow(step.function.node if step.function is not None else program.index.module)
    first = step.first.body[0] if isinstance(step.first, cst.SimpleStatementLine) else step.first
    return first in flow and flow.may_be_unbound(name, first)


def _surely_reads(node: cst.CSTNode, name: str) -> bool:
    """Whether code reads a variable whatever it decides; its loops are taken to run."""
    if isinstance(node, (*NOT_ALWAYS, cst.If, cst.Try, cst.FunctionDef)):
        return False
    read = [node.value] if isinstance(node, (cst.Attribute, cst.Arg)) else children(node)
    return (isinstance(node, cst.Name) and node.value == name) or any(_surely_reads(item, name) for item in read)


def unset_above(step: Step, name: str, program: Program) -> cst.CSTNode | None:
    """The statement above which an unset input may get its first value: the loop around the step, or what binds it first."""
    scope: cst.CSTNode = step.function.node if step.function is not None else program.index.module
    loop = outermost_loop(step, program)
    variable = program.definitions.scopes.lookup(name, scope)  # type: ignore[arg-type]
    bound = [item.node for item in program.definitions.every(variable)] if variable is not None else []
    around = [[node, *program.index.ancestors(node)] for node in bound]
    if loop is not None and all(any(item is loop for item in nodes) for nodes in around):
        return loop
    body = suite_body(scope) if isinstance(scope, cst.FunctionDef) else program.index.module.body
    return next((line for line in body if any(item is line for nodes in around for item in nodes)), None)


def _in_loop(node: cst.CSTNode, region: Sequence[cst.CSTNode], program: Program) -> bool:
    """Whether a loop of the step holds a node, which is taken to run: where it does not, torch has no such variable, either."""
    around = [node, *program.index.ancestors(node)]
    part = next((item for item in around if any(item is other for other in region)), None)
    return isinstance(part, (cst.For, cst.While))


def outermost_loop(step: Step, program: Program) -> cst.BaseStatement | None:
    """The loop around all others, in its function, that runs a step in rounds."""
    found: cst.BaseStatement | None = None
    for node in program.index.ancestors(step.first):
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            break
        if isinstance(node, cst.For | cst.While):
            found = node
    return found


def _may_be_complex(value: Value, function: Function | None, program: Program) -> bool:
    """Whether a tensor is complex, or of an unknown type where complex numbers are named."""
    if value.dtype is not None:
        return value.dtype.startswith("complex")
    return speaks_of_complex(descendants(function.node) if function is not None else program.index.nodes)


def speaks_of_complex(nodes: Iterable[cst.CSTNode]) -> bool:
    """Whether complex numbers are named in code: torch conjugates their gradients, JAX does not."""
    return any(type(node) is cst.Imaginary or (type(node) is cst.Name and "complex" in node.value) for node in nodes)


def _places_read(name: str, nodes: Sequence[cst.CSTNode], program: Program, values: Values) -> list[str]:
    """The fields of an object that code reads (`args.beta`, `self.actor.network`), if it does nothing else with it; else the
    variable or field itself.
    """
    places: dict[str, None] = {}
    for node in (item for root in nodes for item in (root, *descendants(root))):
        if not isinstance(node, (cst.Name, cst.Attribute)) or dotted(node) != name:
            continue
        if isinstance(node, cst.Name) and program.index.is_label(node):
            continue
        value = values(node)
        if value.kind not in (Kind.UNKNOWN, Kind.PYTHON, Kind.OBJECT):
            return [name]
        classes = [program.class_by_key[key] for key in value.types if key in program.class_by_key]
        place: cst.BaseExpression = node
        chain: cst.BaseExpression = node
        while isinstance(parent := program.index.parents.get(chain), cst.Attribute) and parent.value is chain:
            if values(chain).kind is Kind.MODULE:
                break  # which is given as a whole
            place, chain = chain, parent
        holder = program.index.parents.get(chain)
        is_method = isinstance(holder, cst.Call) and holder.func is chain and values(chain).kind is not Kind.MODULE
        found = place if is_method else chain
        if not isinstance(found, cst.Attribute) or isinstance(holder, (cst.AssignTarget, cst.AugAssign, cst.Del)):
            return [name]
        first = str(dotted(found)).removeprefix(f"{name}.").split(".")[0]
        if any(item.method(first) is not None for item in classes):
            return [name]  # a property, which may say something else each time
        places[str(dotted(found))] = None
    ordered_places = list(places)
    nested = any(one != other and one.startswith(f"{other}.") for one in ordered_places for other in ordered_places)
    return [name] if nested or not ordered_places else ordered_places


def _is_read_apart(name: str, step: Step, program: Program) -> bool:
    """Whether code other than the forward pass and `backward()` names the loss."""
    scope = step.function.node if step.function is not None else program.index.module
    own = {node for part in (*step.forward, step.backward_statement) for node in descendants(part)}
    return any(isinstance(node, cst.Name) and node.value == name and node not in own for node in descendants(scope))


_PLAIN = (Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.DEVICE, Kind.DTYPE, Kind.FUNCTION, Kind.TORCH)


def _is_plain(region: Sequence[cst.CSTNode], place: str, values: Values) -> bool:
    value = value_of_place(region, place, values)
    return value is not None and value.kind in _PLAIN


def _is_fresh(name: str, step: Step, program: Program, values: Values, pending: frozenset[str] = frozenset()) -> bool:
    """Whether a variable only ever holds batches of a data loader, which nothing else refers to."""
    if name in pending:
        return True
    if step.function is not None and name in step.function.parameter_names:
        return False
    scope = step.function.node if step.function is not None else program.index.module
    sources: list[cst.BaseExpression] = []
    for node in descendants(scope):
        if isinstance(node, (cst.For, cst.CompFor)) and name in names_in(node.target):
            if not _yields_batches(node.iter, values):
                return False
            sources.append(node.iter)
        elif isinstance(node, (cst.AssignTarget, cst.NamedExpr, cst.AsName)) and name in names_in(_bound(node)):
            parent = program.index.parents[node]
            if not isinstance(parent, cst.Assign) or not isinstance(_bound(node), (cst.Name, cst.Tuple)):
                return False
            value = parent.value
            others = {item for item in reads_and_writes(cst.Expr(value))[0] if _may_be_array(value, item, values)}
            if not all(_is_fresh(other, step, program, values, pending | {name}) for other in others):
                return False
    return bool(sources) or _is_computed(name, scope)


def _bound(node: cst.AssignTarget | cst.NamedExpr | cst.AsName) -> cst.CSTNode:
    return node.name if isinstance(node, cst.AsName) else node.target


def _is_computed(name: str, scope: cst.CSTNode) -> bool:
    return any(isinstance(node, cst.AssignTarget) and name in names_in(node.target) for node in descendants(scope))


def _may_be_array(value: cst.CSTNode, name: str, values: Values) -> bool:
    kinds = {values(node).kind for node in descendants(value) if isinstance(node, cst.Name) and node.value == name}
    return not kinds <= set(_PLAIN)


def _yields_batches(iterable: cst.BaseExpression, values: Values) -> bool:
    """Whether a loop runs over a data loader: `loader`, `enumerate(loader)`, `tqdm(loader)`."""
    if isinstance(iterable, cst.Call) and iterable.args and values(iterable).kind is not Kind.LOADER:
        return _yields_batches(iterable.args[0].value, values)
    return values(iterable).kind is Kind.LOADER


def ordered(statement: cst.CSTNode, names: set[str]) -> list[str]:
    found: list[str] = []
    for node in descendants(statement):
        if isinstance(node, cst.Name) and node.value in names and node.value not in found:
            found.append(node.value)
    return found


def in_order(statements: Sequence[cst.CSTNode], names: set[str]) -> list[str]:
    found: list[str] = []
    for statement in statements:
        found.extend(name for name in ordered(statement, names) if name not in found)
    return found


def uses_bare_self(region: Sequence[cst.CSTNode], name: str, program: Program) -> bool:
    """Whether `self` is used other than to read a field, or a method of it is called."""
    for statement in region:
        for node in descendants(statement):
            if isinstance(node, cst.Name) and node.value == name:
                parent = program.index.parents.get(node)
                if not isinstance(parent, cst.Attribute) or parent.value is not node:
                    return True
                holder = program.index.parents.get(parent)
                function = program.function_around(parent)
                while function is not None and function.owner is None:
                    function = function.outer
                owner = function.owner if function is not None else None
                if isinstance(holder, cst.Call) and holder.func is parent and owner is not None:
                    if owner.method(parent.attr.value) is not None:
                        return True
    return False


def _is_method_of_module(function: Function | None) -> bool:
    while function is not None:
        if function.owner is not None:
            return function.owner.is_module
        function = function.outer
    return False


def local_names(function: Function | None, program: Program, values: Values) -> set[str]:
    """The names that a step must be given: those of the function around it, or the variables of a script; global variables
    that may change.
    """
    if function is None:
        skip = (Kind.TORCH, Kind.FUNCTION, Kind.CLASS)
        names = {name for name, value in program.module_env.items() if value.kind not in skip}
        changing = surroundings(program, values).names
        return {name for name in names if program.module_env[name].kind is not Kind.PYTHON or name in changing}
    names = set(function.env)
    outer = function.outer
    while outer is not None:
        names |= set(outer.env)
        outer = outer.outer
    around = surroundings(program, values)
    return names | _written_globals(function, program) | {name for name in around.names if around.passed(name)}


def _written_globals(function: Function, program: Program) -> set[str]:
    """Module-level variables that hold modules, optimizers or tensors: passed to a step rather than read in it."""
    kinds = (Kind.MODULE, Kind.OPTIMIZER, Kind.TENSOR)
    return {name for name, value in program.module_env.items() if value.kind in kinds and name not in function.env}


def value_of_place(region: Sequence[cst.CSTNode], place: str, values: Values) -> Value | None:
    for statement in region:
        for node in descendants(statement):
            if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == place:
                value = values(node)
                if value.kind is not Kind.UNKNOWN:
                    return value
    return None
