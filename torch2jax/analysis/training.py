"""Find the statements that make one training step: forward pass, `loss.backward()`, clipping, `optimizer.step()`.

optimizer.zero_grad()
loss = F.cross_entropy(model(x), y)      forward: what the loss is computed from
loss.backward()
optimizer.step()
total += loss.item()                     after: it reads results, but belongs to the host
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from torch2jax.analysis.cleared import Gradients
from torch2jax.analysis.flow import Flow, accesses, build_flow, free_variables
from torch2jax.analysis.graphs import Graphs
from torch2jax.analysis.infer import Values, bound_names
from torch2jax.analysis.liveness import Liveness, live_variables
from torch2jax.analysis.program import Function, Program, dotted
from torch2jax.analysis.surroundings import hidden_module, surroundings
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind, Value

Block = cst.IndentedBlock | cst.Module
HOST_METHODS = frozenset({"item", "tolist", "numpy", "append", "write", "info", "debug", "update", "add_scalar", "log"})
HOST_FUNCTIONS = frozenset({"print", "open", "input", "float", "int"})


@dataclass(slots=True, eq=False)
class Step:
    """One training step.

    `forward` are the statements that compute the loss (and what else is live), `after` host statements that stood among
    them, `dropped` those without a counterpart (`zero_grad`). `results` are live names that the forward pass defines.
    `begin` is where it may begin in a block that holds several steps. `blocked` is a forward pass that host values stop.
    `problem` says why the step cannot be translated (then nothing else is meant).
    """

    function: Function | None
    block: Block
    backward: cst.Call
    backward_statement: cst.SimpleStatementLine
    loss: cst.BaseExpression
    optimizer: cst.BaseExpression | None = None
    step_statement: cst.SimpleStatementLine | None = None
    forward: list[cst.BaseStatement] = field(default_factory=list)
    after: list[cst.BaseStatement] = field(default_factory=list)
    dropped: list[cst.BaseStatement] = field(default_factory=list)
    clips: list[cst.SimpleStatementLine] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    leaves: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    loss_is_live: bool = False
    begin: int = 0
    blocked: list[cst.BaseStatement] = field(default_factory=list)
    dead_inputs: bool = False
    gradient_reads: list[cst.Attribute] = field(default_factory=list)
    problem: str | None = None
    code: str = "T2J500"

    @property
    def first(self) -> cst.BaseStatement:
        """The statement in whose place the call of the step stands."""
        return self.forward[0] if self.forward else self.backward_statement


class Flows:
    """Control flow and liveness of function bodies, made when asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._liveness: dict[object, Liveness] = {}

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


def find_steps(program: Program, values: Values, flows: Flows) -> list[Step]:
    """Every `backward()` of the file as a step, in source order."""
    steps = []
    for call in program.index.calls:
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value != "backward":
            continue
        kind = values(function.value).kind
        if kind not in (Kind.TENSOR, Kind.UNKNOWN) or (kind is Kind.UNKNOWN and not _mentions_torch(values, program)):
            continue
        steps.append(_find_step(program, values, flows, call, function.value))
    _refuse_graphs(steps, program, values)
    _refuse_hidden_modules(steps, values)
    _refuse_left_gradients(steps, program, values)
    return steps


def _refuse_left_gradients(steps: Sequence[Step], program: Program, values: Values) -> None:
    """Backward passes of their own whose gradients meet those of others in the parameters."""
    gradients = Gradients(program, values)
    for step in steps:
        if step.problem is not None or step.optimizer is not None or not step.models:
            continue
        if gradients.are_used_behind(step.backward_statement, step.function):
            step.problem = (
                "its gradients are added to those that an `optimizer.step()` uses: no `zero_grad()` is between"
            )
        elif gradients.are_left_before(step.backward_statement, step.function):
            step.problem = "its gradients are added to those of another backward pass: no `zero_grad()` is between"


def _refuse_hidden_modules(steps: Sequence[Step], values: Values) -> None:
    """Steps that call functions which read the trained module from around them: as a constant, without a gradient."""
    for step in steps:
        found = hidden_module([*step.forward, step.loss], step.models, values) if step.problem is None else None
        if found is not None:
            function, name = found
            step.problem = (
                f"`{function.name}` reads `{name}` from around it, where it would be a constant: give it as an argument"
            )


def _refuse_graphs(steps: Sequence[Step], program: Program, values: Values) -> None:
    """Steps whose loss depends on what was computed from the same parameters before they begin."""
    graphs: Graphs | None = None
    for step in steps:
        if step.problem is not None:
            continue
        graphs = graphs or Graphs(program, values)
        region: list[cst.CSTNode] = [*step.forward, cst.Expr(step.loss)]
        models = [value for name in step.models if (value := value_of_place(region, name, values)) is not None]
        place = graphs.brought_into(step.forward, step.loss, read_first(region), models, bool(step.leaves))
        if place is not None:
            step.problem = f"`{place}` was computed from what it trains, before it: the gradient would not go on there"


def read_first(region: Sequence[cst.CSTNode]) -> set[str]:
    """The names that statements in a row read as they were before the first of them."""
    found: set[str] = set()
    bound: set[str] = set()
    for part in region:
        found |= read_before_bound(part) - bound
        bound |= reads_and_writes(part)[1]
    return found


def _mentions_torch(values: Values, program: Program) -> bool:
    return any(value.kind is Kind.TORCH for value in program.module_env.values())


def _find_step(program: Program, values: Values, flows: Flows, call: cst.Call, loss: cst.BaseExpression) -> Step:
    index = program.index
    statement = index.statement_of(call)
    block = index.parents[statement]
    function = program.function_around(call)
    assert isinstance(statement, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    if not isinstance(statement, cst.SimpleStatementLine) or method_call(statement, "backward") is not call:
        return Step(function, index.module, call, statement, loss, problem="`backward()` is not a statement of its own")  # type: ignore[arg-type]
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return Step(
            function, index.module, call, statement, loss, problem="the step stands on one line with its header"
        )
    step = Step(function, block, call, statement, loss)
    if any(argument for argument in call.args if not _is_harmless(argument, values, function, program)):
        step.problem = "`backward()` has arguments"
        return step
    _find_update(step, values)
    if step.problem is None:
        _find_forward(step, values)
    if step.problem is None:
        _find_interface(step, program, values, flows)
    return step


def _is_harmless(argument: cst.Arg, values: Values, function: Function | None, program: Program) -> bool:
    """Whether an argument of `backward` changes nothing: a kept graph does not where there is no second `backward`."""
    if argument.keyword is None or argument.keyword.value != "retain_graph":
        return False
    calls = [
        call
        for call in program.index.calls
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "backward"
    ]
    alone = sum(program.function_around(call) is function for call in calls) == 1
    return values(argument.value).const is False or alone


def _find_update(step: Step, values: Values) -> None:
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
    step.begin = max((place + 1 for place in _ends(body, values) if place < position), default=0) if several else 0
    optimizers = [item for item in steppers if values(item[2].func.value).kind is Kind.OPTIMIZER]  # type: ignore[attr-defined]
    if len(optimizers) > 1:
        step.problem = "one `backward()` serves several optimizers"
        return
    if optimizers:
        _, statement, call = optimizers[0]
        assert isinstance(statement, cst.SimpleStatementLine) and isinstance(call.func, cst.Attribute)
        if call.args:
            step.problem = "`optimizer.step` has a closure"
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


def _ends(body: Sequence[cst.BaseStatement], values: Values) -> Iterator[int]:
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
    if not step.dropped:
        step.problem = "gradients are not cleared in every step (no `zero_grad()` beside it), so they accumulate"


def _is_clip(statement: cst.BaseStatement, values: Values) -> bool:
    return clip_call(statement, values) is not None


def clip_call(statement: cst.CSTNode, values: Values) -> cst.Call | None:
    """The call of torch.nn.utils.clip_grad_norm_ or clip_grad_value_ that a statement consists of."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    small = statement.body[0]
    value = small.value if isinstance(small, (cst.Expr, cst.Assign)) else None
    if not isinstance(value, cst.Call):
        return None
    name = values.torch_name(value.func) or ""
    return value if name in ("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_") else None


def _clipped_place(statement: cst.SimpleStatementLine, values: Values) -> str | None:
    """`model` where the gradients of `model.parameters()`, all of them, are clipped."""
    call = clip_call(statement, values)
    first = call.args[0].value if call is not None and call.args else None
    if isinstance(first, cst.Call) and isinstance(first.func, cst.Attribute) and first.func.attr.value == "parameters":
        return dotted(first.func.value)
    return None


def reads_and_writes(statement: cst.CSTNode) -> tuple[set[str], set[str]]:
    """The names that a whole statement may read, and those it may bind."""
    reads: set[str] = set()
    writes: set[str] = set()
    for point in _points(statement):
        found = accesses(point)
        reads.update(found.uses)
        writes.update(found.defs)
        if isinstance(point, cst.FunctionDef):
            reads.update(free_variables(point))
    return reads, writes


def read_before_bound(statement: cst.CSTNode) -> set[str]:
    """The names that a statement reads as they were before it: not the variable of a loop, or what its body binds first."""
    match statement:
        case cst.For():
            inner = _before_bound_in_order(statement.body)
            bound = reads_and_writes(statement.with_changes(body=cst.IndentedBlock([]), orelse=None))[1]
            found = reads_and_writes(cst.Expr(statement.iter))[0] | (inner - bound)
            return found | (_before_bound_in_order(statement.orelse.body) if statement.orelse is not None else set())
        case cst.If():
            found = reads_and_writes(cst.Expr(statement.test))[0] | _before_bound_in_order(statement.body)
            if isinstance(statement.orelse, cst.Else):
                return found | _before_bound_in_order(statement.orelse.body)
            return found | (read_before_bound(statement.orelse) if statement.orelse is not None else set())
    return reads_and_writes(statement)[0]


def _before_bound_in_order(suite: cst.BaseSuite) -> set[str]:
    found: set[str] = set()
    bound: set[str] = set()
    for part in suite.body:
        found |= read_before_bound(part) - bound
        if isinstance(part, (cst.SimpleStatementLine, cst.BaseSmallStatement)):
            bound |= reads_and_writes(part)[1]
    return found


def _points(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(statement, cst.SimpleStatementLine):
        yield from statement.body
        return
    yield statement
    if isinstance(statement, cst.FunctionDef):
        return  # what its body binds is its own
    if isinstance(statement, cst.For):
        yield statement.target
    if isinstance(statement, cst.With):
        yield from [item.asname for item in statement.items if item.asname is not None]
    for child in children(statement):
        if isinstance(child, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            for inner in child.body:
                yield from _points(inner) if isinstance(inner, cst.BaseStatement) else [inner]
        elif isinstance(child, (cst.If, cst.Else)):
            yield from _points(child) if isinstance(child, cst.If) else [p for s in child.body.body for p in _points(s)]


def self_paths(node: cst.CSTNode, name: str = "self") -> set[str]:
    """The `self.x` paths (one attribute deep) below a node."""
    return {
        f"{name}.{item.attr.value}"
        for item in descendants(node)
        if isinstance(item, cst.Attribute) and isinstance(item.value, cst.Name) and item.value.value == name
    }


def _trained_call(node: cst.CSTNode, values: Values) -> bool:
    """Whether something below a node depends on trained values: a module call, or a leaf that requires a gradient."""
    for item in descendants(node):
        if isinstance(item, cst.Call) and values(item.func).kind is Kind.MODULE:
            if not values(item.func).is_loss_module:
                return True
        if isinstance(item, (cst.Name, cst.Attribute)) and "leaf" in values(item).types:
            return True
        if isinstance(item, cst.Call):
            for function in values.callees.get(item, ()):
                if any(value.kind is Kind.MODULE for value in function.seen.values()):
                    return True
    return False


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
    """The names that a statement gives to new lists: `parts = []`, `parts = deque()`."""
    return {
        target.target.value
        for item in descendants(statement)
        if isinstance(item, cst.Assign)
        and (isinstance(item.value, (cst.List, cst.ListComp)) or _makes_list(item.value))
        for target in item.targets
        if isinstance(target.target, cst.Name)
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
            if values(item.func.value).kind is not Kind.MODULE:
                return True
        if isinstance(item.func, cst.Name) and item.func.value in HOST_FUNCTIONS:
            return True
    return isinstance(statement, (cst.SimpleStatementLine)) and any(
        isinstance(small, (cst.Raise, cst.Return, cst.Global, cst.Import, cst.ImportFrom)) for small in statement.body
    )


def _find_forward(step: Step, values: Values) -> None:
    body = list(step.block.body)
    end = body.index(step.backward_statement)
    needed = {dotted(step.loss)} if dotted(step.loss) else set()
    needed |= reads_and_writes(cst.Expr(step.loss))[0]
    tainted = _tainted(step, body[:end], values)
    if not tainted and not _trained_call(step.loss, values):
        tainted = set(body[:end])  # no module is called anywhere
    chosen: list[cst.BaseStatement] = []
    filled: set[str] = set()
    for statement in reversed(body[step.begin : end]):
        if statement in step.dropped:
            continue
        reads, writes = reads_and_writes(statement)
        writes |= _grown(statement)
        if writes & needed and (statement in tainted or _made_lists(statement) & filled):
            chosen.append(statement)
            needed -= _surely_bound(statement)
            needed |= reads
            filled |= _grown(statement)
        else:
            needed -= _surely_bound(statement)
    for statement in reversed(body[: step.begin]):
        earlier = sorted(reads_and_writes(statement)[1] & needed)
        if statement in tainted and earlier:
            step.problem = f"it uses `{earlier[0]}`, which was computed for another step"
            return
        needed -= _surely_bound(statement)
    if not chosen:
        if _trained_call(step.loss, values) or not step.models:
            return
    chosen.reverse()
    start = body.index(chosen[0]) if chosen else end
    _classify(step, body, start, chosen, values)


def _surely_bound(statement: cst.BaseStatement) -> set[str]:
    """The variables that a line of assignments binds, whatever they held before."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return set()
    return {
        name
        for small in statement.body
        if isinstance(small, cst.Assign)
        for target in small.targets
        for name in bound_names(target.target)
    }


def _tainted(step: Step, body: Sequence[cst.BaseStatement], values: Values) -> set[cst.BaseStatement]:
    """The statements whose results depend on trained values."""
    names: set[str] = set()
    found: set[cst.BaseStatement] = set()
    for statement in body:
        reads, writes = reads_and_writes(statement)
        if _trained_call(statement, values) or reads & names:
            found.add(statement)
            names |= writes | _grown(statement)
    return found


def _classify(
    step: Step, body: Sequence[cst.BaseStatement], start: int, chosen: Sequence[cst.BaseStatement], values: Values
) -> None:
    last = body.index(step.step_statement or step.backward_statement)
    end = body.index(step.backward_statement)
    own: set[str] = set()  # lists that the step makes
    for position, statement in enumerate(body[start : last + 1], start):
        own |= _made_lists(statement)
        if statement in step.dropped or statement in (step.backward_statement, step.step_statement):
            continue
        if statement in step.clips:
            continue
        if position < end and statement in chosen:
            if is_host(statement, values, own):
                step.problem = "the loss is computed with values that have left the device (`.item()`, `print`, ...)"
                step.code = "T2J504"
                step.blocked = list(chosen)
                return
            step.forward.append(statement)
        elif position < end and not is_host(statement, values) and _is_tensor_assignment(statement, values):
            step.forward.append(statement)
        else:
            step.after.append(statement)


def _is_tensor_assignment(statement: cst.CSTNode, values: Values) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    return all(
        isinstance(small, cst.Assign) and values(small.value).kind in (Kind.TENSOR, Kind.TUPLE)
        for small in statement.body
    )


def _find_interface(step: Step, program: Program, values: Values, flows: Flows) -> None:
    """What goes in and out of the step, by the liveness of the function around it."""
    liveness = flows.liveness(step.function)
    last = step.step_statement or step.backward_statement
    live = set(liveness.after_statement(last))
    for statement in step.after:
        live |= reads_and_writes(statement)[0]
    defined: set[str] = set()
    reads: list[str] = []
    region: list[cst.CSTNode] = [*step.forward, cst.Expr(step.loss)]
    for part in region:
        used, bound = read_before_bound(part), reads_and_writes(part)[1]
        reads.extend(name for name in ordered(part, used) if name not in defined and name not in reads)
        defined |= bound
    for statement in step.clips:
        call = clip_call(statement, values)
        for argument in call.args[1:] if call is not None else ():
            used = reads_and_writes(cst.Expr(argument.value))[0]
            reads.extend(name for name in ordered(argument.value, used) if name not in reads)
    own_name = owner_name(step.function)
    paths: list[str] = []
    if own_name is not None and own_name in reads:
        reads.remove(own_name)
        for part in region:
            paths.extend(path for path in sorted(self_paths(part, own_name)) if path not in paths)
        if uses_bare_self(region, own_name, program):
            step.problem = f"the loss is computed by methods of `{own_name}`"
            return
    local = local_names(step.function, program, values)
    for name in (*[name for name in reads if name in local], *paths):
        value = value_of_place(region, name, values)
        if value is not None and "leaf" in value.types:
            step.leaves.append(name)
        if value is not None and value.kind is Kind.MODULE and not value.is_loss_module:
            step.models.append(name)
        else:
            step.inputs.append(name)
    loss_name = dotted(step.loss)
    step.loss_is_live = loss_name in live
    if step.loss_is_live and values(step.loss).rank:
        step.problem = (
            f"`{loss_name}` is read behind it and has axes, though `backward()` wants a number: `{loss_name}.squeeze()`"
        )
    functions = {part.name.value for part in step.forward if isinstance(part, cst.FunctionDef)}
    step.results = [name for name in in_order(step.forward, defined - functions) if name in live and name != loss_name]
    step.dead_inputs = len(step.models) == 1 and all(
        _is_plain(region, name, values)
        or ("." not in name and name not in live and _is_fresh(name, step, program, values))
        for name in step.inputs
    )
    if any(_clipped_place(statement, values) not in step.models for statement in step.clips):
        step.problem = "only some of the gradients are clipped"
    if not step.models and step.optimizer is not None:
        step.problem = "no module is called in it, so what is trained cannot be seen"


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


def owner_name(function: Function | None) -> str | None:
    while function is not None:
        if function.self_name is not None:
            return function.self_name
        function = function.outer
    return None


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
                owner = function.owner if function is not None else None
                if isinstance(holder, cst.Call) and holder.func is parent and owner is not None:
                    if owner.method(parent.attr.value) is not None:
                        return True
    return False


def local_names(function: Function | None, program: Program, values: Values) -> set[str]:
    """The names that a step must be given: those of the function around it, or the variables of a script; global variables
    that may change.
    """
    if function is None:
        skip = (Kind.TORCH, Kind.FUNCTION, Kind.CLASS)
        names = {name for name, value in program.module_env.items() if value.kind not in skip}
        return {
            name
            for name in names
            if program.module_env[name].kind is not Kind.PYTHON or not isinstance(program.module_env[name].const, str)
        }
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
