"""`loss.backward()` for tensors of the function's own: their `.grad` is what torch.autograd.grad gives.

x = x.clone().requires_grad_()         ->   x = x.clone().requires_grad_()
out = f(x)                                  out = f(x)
for i in range(3):                          for i in range(3):
    if x.grad is not None:
        x.grad.zero_()
    out[i].backward(retain_graph=True)          x_grad = torch.autograd.grad(out[i], x, retain_graph=True)[0]
    rows.append(x.grad.clone())                 rows.append(x_grad.clone())

What `.grad` may hold is followed forward through the function (sets of sums of backward passes; join is union; a may-analysis):
each read has to see sums of whole gradients, and each pass either the first of them or what others have left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.flag_statements import set_flag
from torch2jax.facts.gradient_accumulation import Gradients
from torch2jax.facts.training import method_call, speaks_of_complex
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import CASTING, PLACING
from torch2jax.program.calls import chain_start
from torch2jax.program.dataflow import Direction, solve
from torch2jax.program.flow import Flow, Point, evaluated_at, flow_of, free_variables
from torch2jax.program.liveness import live_variables
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import bound_names, children, descendants, own_nodes
from torch2jax.values import Kind, Value

_SAME = PLACING | CASTING | {"requires_grad_", "contiguous"}
_VIEWS = (
    frozenset({"detach", "numpy", "view", "reshape", "flatten", "squeeze", "unsqueeze", "permute", "transpose"}) | _SAME
)
_EMPTY, _MIXED, _BEGUN = "empty", "mixed", "some pass has run"
_MOST = 4  # passes whose gradients are added up
_SHOWING = frozenset({"float", "int", "print", "repr", "str"})
_Sum = tuple[cst.Call, ...]
_State = frozenset[str | _Sum]


@dataclass(frozen=True, slots=True)
class _Scope:
    """What has variables of its own: a function, or (None) the file."""

    function: Function | None
    node: cst.FunctionDef | cst.Module

    @property
    def nodes(self) -> Sequence[cst.CSTNode]:
        return list(own_nodes(self.node))

    @property
    def body(self) -> Sequence[cst.CSTNode]:
        return self.node.body if isinstance(self.node, cst.Module) else self.node.body.body


_Reads = dict[cst.Attribute, frozenset[_Sum]]


def normalize_backward(work: NormalizationRound) -> None:
    """Normalize each `backward()` behind which a function, or the file itself, asks for gradients of its own tensors."""
    if not _is_named_torch(work):
        return
    for function in (*work.program.functions.values(), None):
        scope = _Scope(function, function.node if function is not None else work.index.module)
        is_block = function is None or isinstance(function.node.body, cst.IndentedBlock)
        if is_block and _mentions_both(scope) and not speaks_of_complex(descendants(scope.node)):
            _normalize(work, scope)


def _is_named_torch(work: NormalizationRound) -> bool:
    value = work.program.module_env.get("torch")
    return value is not None and value.kind is Kind.TORCH and value.const == "torch"


def _mentions_both(scope: _Scope) -> bool:
    attributes = {node.attr.value for node in scope.nodes if isinstance(node, cst.Attribute)}
    return {"grad", "backward"} <= attributes and "register_hook" not in attributes


def _normalize(work: NormalizationRound, scope: _Scope) -> None:
    reads: dict[str, list[cst.Attribute]] = {}
    for node in sorted(scope.nodes, key=work.index.order.__getitem__):
        match node:
            case cst.Attribute(value=cst.Name(name), attr=cst.Name("grad")):
                reads.setdefault(name, []).append(node)
    inner = {_retained(line) for line in scope.nodes}
    gradients = Gradients(work.program, work.values)
    flow = flow_of(scope.node)
    seen: dict[str, _Reads] = {}
    adding: dict[str, set[cst.Call]] = {}
    for name, nodes in reads.items():
        followed = _Followed(work, scope, flow, gradients, name, name in inner)
        found = followed.reads(nodes)
        if found:
            seen[name], adding[name] = found, followed.adding
    passes: dict[cst.Call, list[str]] = {}
    for name, found in seen.items():
        for call in _passes(found):
            passes.setdefault(call, []).append(name)
    if any(len(names) > 1 and not inner.isdisjoint(names) for names in passes.values()):
        return  # they are computed from each other
    if _trains(work, scope.body):
        used = {
            call for call in passes if gradients.are_used_behind(work.index.statement_of(call), scope.function)
        }  # reported with the steps
        while kept := used.union(*(_passes(seen[name]) for call in used for name in passes[call])) - used:
            used |= kept
        seen = {name: found for name, found in seen.items() if used.isdisjoint(_passes(found))}
        passes = {call: names for call, names in passes.items() if call not in used}
    if passes:
        _write(work, scope, seen, passes, adding)


def _passes(reads: _Reads) -> frozenset[cst.Call]:
    """All backward passes whose gradients are read."""
    return frozenset(call for sums in reads.values() for passes in sums for call in passes)


def _write(
    work: NormalizationRound,
    scope: _Scope,
    seen: dict[str, _Reads],
    passes: dict[cst.Call, list[str]],
    adding: dict[str, set[cst.Call]],
) -> None:
    fresh = work.local(scope.node)
    made = {name: fresh(f"{name}_grad") for name in seen}
    for call, names in passes.items():
        _write_pass(work, call, names, made, {name for name in names if call in adding[name]})
    for name, found in seen.items():
        for node in found:
            new = cst.Name(made[name])
            work.edits.replace(node, lambda rewrite, new=new: new.deep_clone())  # type: ignore[misc]
    for statement in scope.nodes:
        for name in seen:
            if isinstance(statement, cst.SimpleStatementLine) and _sets(statement, name):
                marked = quote_statement(f"{name}.requires_grad_()")
                work.edits.rewrite_statement(statement, lambda rewrite, marked=marked: [marked])  # type: ignore[misc]
            if _retained(statement) == name:
                work.edits.remove(statement)
            if _empties(statement, name) and not _stands_in_guard(work, statement, name):
                work.edits.remove(statement)
    cleared = list(_cleared_around(work, scope, passes))
    for line in (*cleared, *_without_use(work, scope, cleared)):
        work.edits.remove(line)


def _write_pass(
    work: NormalizationRound, call: cst.Call, names: Sequence[str], made: dict[str, str], adding: set[str]
) -> None:
    """Take the gradients of one pass, and add those of `adding` to what is there of passes before."""
    assert isinstance(call.func, cst.Attribute)
    parts, options = {"loss": call.func.value}, []
    for argument in call.args:
        keyword = argument.keyword.value if argument.keyword is not None else "gradient"
        parts[keyword] = argument.value
        options.append("{gradient}" if keyword == "gradient" else "retain_graph={retain_graph}")
    texts = _taken(work, names, made, adding, options)
    work.edits.rewrite_statement(
        work.index.statement_of(call),
        lambda rewrite: [
            quote_statement(texts[0], **{hole: rewrite.expression(node) for hole, node in parts.items()}),
            *map(quote_statement, texts[1:]),
        ],
    )


def _taken(
    work: NormalizationRound, names: Sequence[str], made: dict[str, str], adding: set[str], options: Sequence[str]
) -> list[str]:
    """Lines that take the gradients of some tensors: `x_grad, y_grad = torch.autograd.grad({loss}, (x, y))`."""
    given = ", ".join([names[0] if len(names) == 1 else f"({', '.join(names)})", *options])
    asked = f"torch.autograd.grad({{loss}}, {given})"
    if len(names) == 1:
        (name,) = names
        before = f"{made[name]} + " if name in adding else ""
        return [f"{made[name]} = {before}{asked}[0]"]
    new = {name: work.fresh(f"{made[name]}_more") if name in adding else made[name] for name in names}
    sums = [f"{made[name]} = {made[name]} + {new[name]}" for name in names if name in adding]
    return [f"{', '.join(new.values())} = {asked}", *sums]


def _cleared_around(
    work: NormalizationRound, scope: _Scope, passes: dict[cst.Call, list[str]]
) -> Iterator[cst.SimpleStatementLine]:
    """The lines that empty gradients of parameters, and of the tensors themselves, of which nobody asks before they are emptied again."""
    inside = scope.nodes
    others = {node for node in inside if _is_backward(node) and node not in passes}
    if not others:
        yield from (line for line in inside if method_call(line, "zero_grad") is not None)  # type: ignore[misc]
        return
    for line in dict.fromkeys(work.index.statement_of(call) for call in passes):
        body = list(work.index.parents[line].body)  # type: ignore[attr-defined]
        for statement in reversed(body[: body.index(line)]):
            if not others.isdisjoint(descendants(statement)):
                break
            if method_call(statement, "zero_grad") is not None:
                yield statement


def _without_use(
    work: NormalizationRound, scope: _Scope, cleared: Sequence[cst.SimpleStatementLine]
) -> Iterator[cst.SimpleStatementLine]:
    """The lines that make optimizers of which nothing was asked but to empty gradients."""
    nodes = scope.nodes
    gone = {node for line in cleared for node in descendants(line)}
    asked = {node.value for node in gone if isinstance(node, cst.Name)}
    stores = [line for line in nodes if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1]
    for line in stores:
        match line.body[0]:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name) as target)], value=value):
                if work.values(value).kind is Kind.OPTIMIZER and name in asked:
                    reads = [node for node in nodes if isinstance(node, cst.Name) and node.value == name]
                    if all(node in gone or node is target for node in reads):
                        yield line


def _sets(line: cst.SimpleStatementLine, name: str) -> bool:
    """`name.requires_grad = True`."""
    flag = set_flag(line, name)
    return isinstance(line.body[0], cst.Assign) and isinstance(flag, cst.Name) and flag.value == "True"


def _is_backward(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "backward"


# lines that empty a gradient


def _retained(statement: cst.CSTNode) -> str | None:
    """The variable of `z.retain_grad()`, a tensor that was computed from others and keeps its gradient."""
    match statement:
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(
                    value=cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("retain_grad")), args=[])
                )
            ]
        ):
            return name
    return None


def _empties(statement: cst.CSTNode, name: str) -> bool:
    """`name.grad.zero_()` or `name.grad = None`, perhaps where it is not None."""
    match statement:
        case cst.SimpleStatementLine(body=[small]):
            return _is_cleared(small, name)
        case cst.If(test=test, body=cst.IndentedBlock(body=body), orelse=None):
            return _asks(test, name) and all(
                isinstance(line, cst.SimpleStatementLine)
                and all(_is_cleared(small, name) or _is_detached(small, name) for small in line.body)
                for line in body
            )
    return False


def _is_cleared(small: cst.CSTNode, name: str) -> bool:
    match small:
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=gradient, attr=cst.Name("zero_")))):
            return dotted(gradient) in (f"{name}.grad", f"{name}.grad.data")
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(value=gradient, attr=cst.Name("fill_")), args=[cst.Arg(value=cst.Integer("0"))]
            )
        ):
            return dotted(gradient) in (f"{name}.grad", f"{name}.grad.data")
        case cst.Assign(targets=[target], value=cst.Name("None")):
            return dotted(target.target) == f"{name}.grad"
    return False


def _is_detached(small: cst.CSTNode, name: str) -> bool:
    match small:
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=gradient, attr=cst.Name("detach_")))):
            return dotted(gradient) == f"{name}.grad"
    return False


def _asks(test: cst.BaseExpression, name: str) -> bool:
    """`name.grad is not None`."""
    match test:
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=cst.IsNot(), comparator=cst.Name("None"))]
        ):
            return dotted(left) == f"{name}.grad"
    return False


def _stands_in_guard(work: NormalizationRound, statement: cst.CSTNode, name: str) -> bool:
    around = work.index.parents.get(work.index.parents[statement])
    return isinstance(around, cst.If) and _empties(around, name)


class _Followed:
    """What the gradient of one variable may hold: forward over the flow of its function."""

    def __init__(
        self, work: NormalizationRound, scope: _Scope, flow: Flow, gradients: Gradients, name: str, is_inner: bool
    ) -> None:
        self.work, self.scope, self.flow, self.gradients, self.name = work, scope, flow, gradients, name
        self.is_inner = is_inner  # whether it keeps its gradient though it was computed from others
        self.is_strict = False  # whether the variable may hold tensors that others made
        self.adding: set[cst.Call] = set()  # passes that find the gradients of others

    def reads(self, nodes: Sequence[cst.Attribute]) -> _Reads | None:
        """The passes whose gradient each read may see; None where that is not clear."""
        asked = [
            node for node in nodes if not any(_empties(item, self.name) for item in self.work.index.ancestors(node))
        ]
        if not asked or not all(map(self._may_be_replaced, asked)) or self._is_trained_by_hand():
            return None
        if any(
            isinstance(node, (cst.FunctionDef, cst.Lambda)) and self.name in free_variables(node)
            for node in descendants(self.scope.node)
            if node is not self.scope.node
        ):
            return None
        solution = solve(
            self.flow,
            Direction.FORWARD,
            transfer=self._transfer,
            join=lambda one, other: one | other,
            boundary=frozenset({_MIXED if self._is_given() else _EMPTY}),
            bottom=frozenset[str | _Sum](),
        )
        found: _Reads = {}
        places = {node: point for point in self.flow.points for node in _evaluated(point)}
        for node in asked:
            state = solution.before(places[node]) - {_BEGUN} if node in places else frozenset({_MIXED})
            found[node] = frozenset(item for item in state if isinstance(item, tuple))
            if len(found[node]) < len(state):
                return None
        changing = [
            point
            for point in self.flow.points
            if self._changes_in_place(point)
            or (self._pass(point) is not None and solution.before(point) - {_EMPTY, _BEGUN})
        ]
        if changing and any(self._is_kept(node, changing) for node in asked):
            return None
        self.adding = {
            call
            for point in self.flow.points
            if (call := self._pass(point)) is not None
            and any(isinstance(item, tuple) for item in solution.before(point))
        }
        return found if any(found.values()) and not self._steps(solution.before, found) else None

    def _is_given(self) -> bool:
        return self.scope.function is not None and self.name in self.scope.function.parameter_names

    def _is_trained_by_hand(self) -> bool:
        """Whether the function itself adds to the tensor, as updates of a step do: `w -= lr * w.grad`."""
        places = (self.name, f"{self.name}.data")
        return any(dotted(node.target) in places for node in descendants(self.scope.node, cst.AugAssign))

    def _changes_in_place(self, point: Point) -> bool:
        return isinstance(point, cst.Expr) and _is_cleared(point, self.name)

    def _may_be_replaced(self, node: cst.Attribute) -> bool:
        """Whether a gradient of a tensor of the function's own is read, and neither set nor changed."""
        value = self.work.values(node.value)
        place: cst.CSTNode = node
        while isinstance(self.work.index.parents[place], cst.Subscript):
            place = self.work.index.parents[place]
        parent = self.work.index.parents[place]
        if isinstance(parent, (cst.AssignTarget, cst.Del)) or (
            isinstance(parent, cst.AugAssign) and parent.target is place
        ):
            return False
        if isinstance(parent, cst.Attribute) and parent.attr.value.endswith("_"):
            return False
        own = all(root.startswith(("new:", "param:")) for root in value.roots)
        self.is_strict |= not all(root.startswith("new:") for root in value.roots)
        return value.kind is Kind.TENSOR and ("leaf" in value.types or self.is_inner) and own

    def _steps(self, before, found: _Reads) -> bool:  # type: ignore[no-untyped-def]
        """Whether an optimizer of tensors may use the gradient."""
        passes = _passes(found)
        roots = frozenset[str]().union(*(self.work.values(node.value).roots for node in found))
        for point in self.flow.points:
            for node in _evaluated(point):
                match node:
                    case cst.Call(func=cst.Attribute(value=place, attr=cst.Name("step"))):
                        parts = self.work.values(place).items or ()
                        is_of_others = bool(parts) and all(
                            part.kind is not Kind.TENSOR or _is_beside(part, roots) for part in parts
                        )
                        state = before(point)
                        has_some = _MIXED in state or any(passes.intersection(item) for item in _sums(state))
                        if has_some and not is_of_others:
                            return True
        return False

    def _transfer(self, point: Point, state: _State) -> _State:
        if not state:
            return state
        if isinstance(point, cst.CSTNode) and (_is_cleared(point, self.name) or _empties(point, self.name)):
            return state & {_BEGUN} | {_EMPTY}
        call = self._pass(point)
        if call is not None:
            return self._added(call, state)
        for node in _evaluated(point):
            if isinstance(node, cst.Call):
                callees = self.work.values.callees.get(node, ())
                if _is_backward(node) or any(map(self.gradients.acts, callees)):
                    state = frozenset({_BEGUN, _MIXED})
        return self._bound(point, state)

    def _added(self, call: cst.Call, state: _State) -> _State:
        """Behind one more pass: which of several sums it is added to must not depend on the way to it."""
        before = state - {_BEGUN}
        if before == {_EMPTY}:
            return frozenset({_BEGUN, (call,)})
        if before == {_MIXED} or _EMPTY in before:
            return frozenset({_BEGUN, _MIXED, *([(call,)] if _EMPTY in before else [])})
        is_new = all(call not in passes and len(passes) < _MOST for passes in _sums(before)) and _MIXED not in before
        return frozenset({_BEGUN, *((*passes, call) for passes in _sums(before))} if is_new else {_BEGUN, _MIXED})

    def _pass(self, point: Point) -> cst.Call | None:
        """A statement `loss.backward()`, perhaps with the gradient that it begins with."""
        match point:
            case cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name("backward")), args=args) as call):
                names = [
                    item.keyword.value if item.keyword is not None else "gradient" for item in args if not item.star
                ]
                is_known = len(set(names)) == len(args) and {"gradient", "retain_graph"}.issuperset(names)
                is_alone = isinstance(
                    self.work.index.parents.get(self.work.index.parents[call]), cst.SimpleStatementLine
                )
                return call if is_known and is_alone else None
        return None

    def _bound(self, point: Point, state: _State) -> _State:
        """Behind what gives the variable another tensor."""
        match point:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value) if name == self.name:
                start = chain_start(value, _SAME)
                if isinstance(start, cst.Name) and start.value == name:
                    return state
                is_shared = self.is_strict or (_BEGUN in state and self._may_have(start))
                return state & {_BEGUN} | {_MIXED if is_shared and not self._is_new(start) else _EMPTY}
            case cst.AugAssign():
                return state
            case cst.BaseSmallStatement() | cst.BaseExpression() if self.name in _binds(point):
                is_shared = self.is_strict or self._comes_again(point)
                return state & {_BEGUN} | {_MIXED if is_shared else _EMPTY}
        return state

    def _comes_again(self, target: cst.CSTNode) -> bool:
        """Whether a loop gives its variable the tensors of a list once more in the rounds of another one."""
        loop = self.work.index.parents[target]
        if not isinstance(loop, cst.For) or self.work.values(loop.iter).kind not in (Kind.LIST, Kind.TUPLE):
            return False
        return any(isinstance(around, (cst.For, cst.While)) for around in self.work.index.ancestors(loop))

    def _makes_new(self, call: cst.Call) -> bool:
        """Whether a function of the program gives a tensor that shares nothing with what it is given."""
        value = self.work.values(call)
        is_known = value.kind is Kind.TENSOR and bool(self.work.values.callees.get(call))
        return is_known and all(root.startswith("new:") for root in value.roots)

    def _may_have(self, value: cst.BaseExpression) -> bool:
        """Whether an expression gives a tensor of this function that may have a gradient."""
        if isinstance(value, cst.Name):
            return "leaf" in self.work.values(value).types
        return isinstance(value, cst.Call) and bool(self.work.values.callees.get(value))

    def _is_new(self, value: cst.BaseExpression) -> bool:
        """Whether an expression makes a tensor that has no gradient yet."""
        match value:
            case cst.Call():
                torch_name = self.work.values.torch_name(value.func)
                return not self.work.values.callees.get(value) and torch_name not in (
                    "torch.as_tensor",
                    "torch.asarray",
                )
            case cst.Attribute(attr=cst.Name("data")) | cst.BinaryOperation() | cst.UnaryOperation():
                return True
        return False

    def _is_kept(self, node: cst.BaseExpression, changing: Sequence[Point]) -> bool:
        """Whether what is read may be there under another name when the gradient changes in place."""
        parents = self.work.index.parents
        while True:
            parent = parents[node]
            match parent:
                case cst.Attribute(attr=cst.Name("data" | "T")):
                    node = parent
                case cst.Attribute(attr=cst.Name(method)) if isinstance(parents[parent], cst.Call):
                    if method not in _VIEWS:
                        return False
                    node = parents[parent]  # type: ignore[assignment]
                case cst.Subscript():
                    node = parent
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]):
                    live = live_variables(self.flow)
                    return any(name in live.before(point) for point in changing)
                case cst.BinaryOperation() | cst.UnaryOperation() | cst.Comparison() | cst.Return():
                    return False
                case cst.FormattedStringExpression() | cst.Expr():
                    return False
                case cst.Arg() if isinstance(parents[parent], cst.Call):
                    call = cst.ensure_type(parents[parent], cst.Call)
                    if self.work.values.torch_name(call.func) is not None or self._makes_new(call):
                        return False
                    if isinstance(call.func, cst.Name) and call.func.value in _SHOWING:
                        return False
                    if not self.work.values.callees.get(call):
                        return True
                    node = call
                case _:
                    return True


def _sums(state: _State) -> list[_Sum]:
    return [item for item in state if isinstance(item, tuple)]


def _is_beside(tensor: Value, roots: frozenset[str]) -> bool:
    """Whether a tensor is made in sight, and none of those with some roots."""
    return bool(tensor.roots) and not tensor.shares(roots) and all(root.startswith("new:") for root in tensor.roots)


def _binds(point: cst.CSTNode) -> set[str]:
    if isinstance(point, cst.BaseExpression):  # the target of a loop
        return set(bound_names(point))
    targets = [
        node for node in descendants(point) if isinstance(node, (cst.AssignTarget, cst.NamedExpr, cst.AnnAssign))
    ]
    return {name for node in targets for name in bound_names(node.target)}


def _evaluated(point: Point) -> Iterator[cst.CSTNode]:
    """All that is evaluated at a point of a flow, inner nodes first."""
    for node in evaluated_at(point):
        yield from _below(node)


def _below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for child in children(node):
        yield from _below(child)
    yield node


# what else the backward pass does


def _trains(work: NormalizationRound, window: Sequence[cst.CSTNode]) -> bool:
    """Whether parameters of modules may get gradients, too: a module is called, or something of which nothing is known."""
    for statement in window:
        for node in descendants(statement):
            if not isinstance(node, cst.Call) or work.values.torch_name(node.func) is not None:
                continue
            kind = work.values(node.func).kind
            if kind is Kind.MODULE:
                if not work.values(node.func).is_loss_module:
                    return True
            elif work.values.callees.get(node) or kind is Kind.UNKNOWN:
                receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
                if receiver is None or work.values(receiver).kind is not Kind.TENSOR:
                    return True
    return False
