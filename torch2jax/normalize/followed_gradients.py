"""What the gradient of a variable may hold at each place of its function: `x.grad` of a tensor that is trained by hand, or attacked.

Forward over the flow of the function: sets of sums of backward passes, joined by union; a may-analysis. A tensor that comes from another
variable, out of a list or an argument has what that had before; arguments of functions have what all that is passed for them has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.facts.gradient_accumulation import Gradients
from torch2jax.facts.infer import all_marks
from torch2jax.normalize.gradient_clears import asks_gradient
from torch2jax.normalize.gradient_helpers import GRAD
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import CASTING, PLACING
from torch2jax.program.calls import arguments_by_parameter, chain_start
from torch2jax.program.dataflow import Direction, Solution, solve
from torch2jax.program.flow import Flow, Point, evaluated_at, flow_of, free_variables
from torch2jax.program.liveness import live_variables
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.records import dataclass
from torch2jax.syntax.walk import bound_names, children, descendants, own_nodes
from torch2jax.values import Kind, Value

GIVEN_NEW = "given new"  # marks (function, parameter): it adds to the gradient of what it is given, which has to have none before
HAS_GRADIENT = "has gradient"  # marks (function, variable): torch keeps the gradient taken there with the variable
LEAVES = "leaves gradients"  # marks (function): gradients of what it does stay with the parameters of models
GIVES_GRADIENT = "gives gradient"  # marks (function): what it gives may have a gradient
_SAME = PLACING | CASTING | {"requires_grad_", "contiguous"}
_VIEWS = (
    frozenset({"detach", "numpy", "view", "reshape", "flatten", "squeeze", "unsqueeze", "permute", "transpose"}) | _SAME
)
_NEW = {"clone", "detach", "unsqueeze", "squeeze", "view", "reshape", "permute", "transpose", "repeat", "clamp"}
_THROUGH = {"enumerate", "zip", "iter", "next", "list", "tuple", "reversed", "sorted", "tqdm"}
_HOLDING = {Kind.TENSOR, Kind.UNKNOWN, Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.OBJECT}
_EMPTY, _MIXED, _BEGUN = "empty", "mixed", "some pass has run"
_MOST = 4  # passes whose gradients are added up
_SHOWING = frozenset({"float", "int", "print", "repr", "str"})
_Sum = tuple[cst.Call, ...]
State = frozenset[str | _Sum]
Reads = dict[cst.Attribute, frozenset[_Sum]]


@dataclass(frozen=True, slots=True)
class Scope:
    """What has variables of its own: a function, or (None) the file."""

    function: Function | None
    node: cst.FunctionDef | cst.Module

    @property
    def nodes(self) -> Sequence[cst.CSTNode]:
        return list(own_nodes(self.node))

    @property
    def body(self) -> Sequence[cst.CSTNode]:
        return self.node.body if isinstance(self.node, cst.Module) else self.node.body.body


class Followed:
    """All variables of a file that are followed. Marks say which functions add to gradients of what they are given, or give
    tensors with gradients, and do not show it any more.
    """

    def __init__(self, work: NormalizationRound) -> None:
        self.work = work
        self.gradients = Gradients(work.program, work.values)
        marks = list(all_marks(work.program))
        self.adding = {mark[1] for mark in marks if mark[0] == GIVEN_NEW}
        self.leaving = {mark[1] for mark in marks if mark[0] == GIVES_GRADIENT}
        self.having = {mark[1:] for mark in marks if mark[0] == HAS_GRADIENT}
        self._giving: dict[Function, bool] = {}
        self._variables: dict[tuple[Function | None, str], Variable] = {}
        self._given: dict[tuple[Function, str], bool] = {}
        self._places: dict[Function | None, Mapping[cst.CSTNode, Point]] = {}

    def variable(self, function: Function | None, name: str) -> Variable:
        """A variable of a function, or (None) of the file."""
        if (function, name) not in self._variables:
            node = function.node if function is not None else self.work.index.module
            self._variables[function, name] = Variable(self, Scope(function, node), flow_of(node), name)
        return self._variables[function, name]

    def is_given_new(self, function: Function, name: str) -> bool:
        """Whether no tensor that the file passes for a parameter, or what it holds, has a gradient by then."""
        if (function, name) not in self._given:
            self._given[function, name] = False  # where it comes from itself
            calls = [call for call in function.callers if call in self.work.index.parents]
            self._given[function, name] = (
                name != function.self_name
                and not self._is_called_otherwise(function, calls)
                and all(isinstance(call, cst.Call) and self.passes_new(function, call, name) for call in calls)
            )
        return self._given[function, name]

    def passes_new(self, function: Function, call: cst.Call, name: str) -> bool:
        """Whether a call passes a tensor for a parameter that has no gradient by then."""
        around = self.work.program.function_around(call)
        point = self.places(around).get(call)
        acting = [node for node in _evaluated(point) if self.acts(node)] if point is not None else []
        if point is None or acting not in ([], [call]):
            return False
        passed = [value for key, value in arguments_by_parameter(function, call, self.work.values) if key == name]
        if not passed:
            return not any(item.star for item in call.args)
        if self._runs_again(call):
            return self._makes_new(chain_start(passed[0], _SAME))
        return self.is_new(passed[0], around, point)

    def _runs_again(self, call: cst.Call) -> bool:
        """Whether a call is made more than once where it stands, or later: in a comprehension, or a lambda."""
        for node in self.work.index.ancestors(call):
            if isinstance(node, (cst.Lambda, cst.BaseComp)):
                return True
            if isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
                return False
        return False

    @property
    def given_new(self) -> list[tuple[Function, str]]:
        """The parameters for which the file passes new tensors only, as far as that was asked."""
        return [item for item, is_new in self._given.items() if is_new]

    def places(self, function: Function | None) -> Mapping[cst.CSTNode, Point]:
        """The points of a function, or (None) of the file, at which its nodes are evaluated."""
        if function not in self._places:
            flow = flow_of(function.node if function is not None else self.work.index.module)
            self._places[function] = {node: point for point in flow.points for node in _evaluated(point)}
        return self._places[function]

    def _is_called_otherwise(self, function: Function, calls: Sequence[cst.CSTNode]) -> bool:
        """Whether a function may be called where nobody knows that it is this one."""
        index = self.work.index
        known = {id(call.func) for call in calls if isinstance(call, cst.Call)}
        for node in index.every(cst.Attribute if function.owner is not None else cst.Name):
            parent = index.parents.get(node)
            if id(node) in known or isinstance(parent, (cst.ImportAlias, cst.FunctionDef)):
                continue
            match node:
                case cst.Attribute(attr=cst.Name(name)) if name == function.name:
                    callees = self.work.values.callees.get(parent, ()) if isinstance(parent, cst.Call) else ()
                    if not callees or function in callees:
                        return True
                case cst.Name(name) if name == function.name and not index.is_label(node):
                    if not self._is_called_where_given(parent, calls):
                        return True
        return False

    def _is_called_where_given(self, argument: cst.CSTNode | None, calls: Sequence[cst.CSTNode]) -> bool:
        """Whether a function is an argument of functions that are known to call it."""
        call = self.work.index.parents.get(argument) if isinstance(argument, cst.Arg) else None
        given = self.work.values.callees.get(call, ()) if isinstance(call, cst.Call) else ()
        around = [self.work.program.function_around(item) for item in calls]
        return bool(given) and all(item in around for item in given)

    def acts(self, node: cst.CSTNode) -> bool:
        """Whether what is called may add to gradients."""
        if not isinstance(node, cst.Call):
            return False
        callees = self.work.values.callees.get(node, ())
        return is_backward(node) or any(self.gradients.acts(item) or item.key in self.adding for item in callees)

    def is_new(self, value: cst.BaseExpression, function: Function | None, point: Point, is_begun: bool = True) -> bool:
        """Whether what an expression gives at a point has no gradient there: neither a tensor nor what a container holds.
        Of what is not known that holds before any pass `is_begun`.
        """
        start = chain_start(value, _SAME)
        if self._makes_new(start) or self.work.values(start).kind not in _HOLDING:
            return True
        match start:
            case cst.Name(name):
                return self.variable(function, name).is_new(point)
            case cst.Attribute(value=inner) if function is not None and dotted(inner) == function.self_name:
                return not is_begun
            case cst.Subscript(value=inner) | cst.Attribute(value=inner):
                parts = [inner]
            case cst.IfExp(body=one, orelse=other):
                parts = [one, other]
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                parts = [item.value for item in elements]
            case cst.Call(func=cst.Name(name), args=args) if name in _THROUGH:
                parts = [item.value for item in args]
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("items" | "values")), args=[]):
                parts = [inner]
            case cst.Call() if self.work.values.callees.get(start):
                return all(self._gives_new(item, start) for item in self.work.values.callees[start])
            case _:
                return not is_begun
        return all(self.is_new(part, function, point, is_begun) for part in parts)

    def _gives_new(self, function: Function, call: cst.Call) -> bool:
        """Whether what a function of the program gives has no gradient."""
        if function.key in self.leaving:
            return False
        if function.node not in self.work.program.functions:  # of another file
            return self.shares_nothing(call) and not self.gradients.acts(function)
        if function not in self._giving:
            self._giving[function] = False  # where it comes from itself
            self._giving[function] = self.results_are_new(function)
        return self._giving[function]

    def results_are_new(self, function: Function) -> bool:
        """Whether all that a function gives, one by one or at its end, has no gradient where it gives that."""
        places = self.places(function)
        given = [node for node in own_nodes(function.node) if isinstance(node, (cst.Return, cst.Yield))]
        return all(
            isinstance(node.value, cst.BaseExpression)
            and node in places
            and self.is_new(node.value, function, places[node])
            for node in given
            if node.value is not None
        )

    def shares_nothing(self, call: cst.Call) -> bool:
        """Whether a function of the program gives a tensor that shares nothing with what it is given."""
        value = self.work.values(call)
        is_known = value.kind is Kind.TENSOR and bool(self.work.values.callees.get(call))
        return is_known and all(root.startswith("new:") for root in value.roots)

    def _makes_new(self, value: cst.BaseExpression) -> bool:
        """Whether an expression makes a tensor that has no gradient yet."""
        match value:
            case cst.Call(func=func):
                if self.work.values.callees.get(value):
                    return False
                name = self.work.values.torch_name(func)
                if name is not None:
                    return name not in ("torch.as_tensor", "torch.asarray")
                if not isinstance(func, cst.Attribute):
                    return False
                kind = self.work.values(func.value).kind
                return kind is Kind.TENSOR or (kind is Kind.UNKNOWN and func.attr.value in _NEW)
            case cst.Attribute(value=inner, attr=cst.Name("data")):
                return self.work.values(inner).kind is Kind.TENSOR
            case cst.BinaryOperation() | cst.UnaryOperation():
                return True
        return False


class Variable:
    """What the gradient of one variable may hold: forward over the flow of its function."""

    def __init__(self, followed: Followed, scope: Scope, flow: Flow, name: str) -> None:
        self.followed, self.work, self.scope, self.flow, self.name = followed, followed.work, scope, flow, name
        self._solution: Solution[State] | None = None
        self._is_running = False
        self.is_inner = False  # whether it keeps its gradient though it was computed from others
        self.adding: set[cst.Call] = set()  # passes that find the gradients of others

    @property
    def solution(self) -> Solution[State]:
        if self._solution is None:
            self._is_running = True
            self._solution = self._solve(_EMPTY if self._begins_new() else _MIXED)
            self._is_running = False
        return self._solution

    def _solve(self, begin: str) -> Solution[State]:
        return solve(
            self.flow,
            Direction.FORWARD,
            transfer=self._transfer,
            join=lambda one, other: one | other,
            boundary=frozenset({begin}),
            bottom=frozenset[str | _Sum](),
        )

    def is_new(self, point: Point) -> bool:
        """Whether the gradient is empty before a point, whichever way leads there; not where this is being asked already."""
        return not self._is_running and self.solution.before(point) <= {_EMPTY, _BEGUN}

    def reads(self, nodes: Sequence[cst.Attribute]) -> Reads | None:
        """The passes whose gradient each read may see; None where that is not clear."""
        asked = [node for node in nodes if not any(map(self._is_idle, self.work.index.ancestors(node)))]
        if not asked or not all(map(self._may_be_replaced, asked)) or self._is_trained_by_hand():
            return None
        if any(
            isinstance(node, (cst.FunctionDef, cst.Lambda)) and self.name in free_variables(node)
            for node in descendants(self.scope.node)
            if node is not self.scope.node
        ):
            return None
        apart = self._seen_by(asked, self._solve(_MIXED)) if self._is_given() else None
        return apart or self._seen_by(asked, self.solution)

    def _is_idle(self, statement: cst.CSTNode) -> bool:
        """Whether a statement only empties the gradient, or cuts it from a graph that it is not in."""
        return empties(statement, self.name) or is_detached(statement, self.name)

    def _seen_by(self, asked: Sequence[cst.Attribute], solution: Solution[State]) -> Reads | None:
        """The passes whose gradient each read may see, given what the gradient may hold at each point."""
        found: Reads = {}
        places = self.followed.places(self.scope.function)
        for node in asked:
            state = solution.before(places[node]) - {_BEGUN} if node in places else frozenset({_MIXED})
            found[node] = frozenset(_sums(state))
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
            if (call := self._pass(point)) is not None and _sums(solution.before(point))
        }
        return found if any(found.values()) and not self._steps(found, solution) else None

    def _is_given(self) -> bool:
        return self.scope.function is not None and self.name in self.scope.function.parameter_names

    def _begins_new(self) -> bool:
        """Whether there is no gradient where the function begins."""
        function = self.scope.function
        if function is None:
            return True
        if self._is_given():
            return self.followed.is_given_new(function, self.name)
        return any(self.name in (*item.defs, *item.may_defs) for item in self.flow.accesses_by_index)

    def _is_trained_by_hand(self) -> bool:
        """Whether the function itself adds to the tensor, as updates of a step do: `w -= lr * w.grad`; with a model that is asked
        there is no such step.
        """
        if any(self.work.values(node.func).kind is Kind.MODULE for node in descendants(self.scope.node, cst.Call)):
            return False
        places = (self.name, f"{self.name}.data")
        return any(dotted(node.target) in places for node in descendants(self.scope.node, cst.AugAssign))

    def _changes_in_place(self, point: Point) -> bool:
        return isinstance(point, cst.Expr) and _is_cleared(point, self.name)

    def _may_be_replaced(self, node: cst.Attribute) -> bool:
        """Whether a gradient of a tensor of the function's own is read, or changed in place, but not set."""
        value = self.work.values(node.value)
        if isinstance(self.work.index.parents[node], (cst.AssignTarget, cst.Del)):
            return False
        own = all(root.startswith(("new:", "param:")) for root in value.roots)
        return value.kind is Kind.TENSOR and ("leaf" in value.types or self.is_inner) and own

    def _steps(self, found: Reads, solution: Solution[State]) -> bool:
        """Whether an optimizer of tensors may use the gradient."""
        passes = passes_of(found)
        roots = frozenset[str]().union(*(self.work.values(node.value).roots for node in found))
        for point in self.flow.points:
            for node in _evaluated(point):
                match node:
                    case cst.Call(func=cst.Attribute(value=place, attr=cst.Name("step"))):
                        parts = self.work.values(place).items or ()
                        is_of_others = bool(parts) and all(
                            part.kind is not Kind.TENSOR or _is_beside(part, roots) for part in parts
                        )
                        state = solution.before(point)
                        has_some = _MIXED in state or any(passes.intersection(item) for item in _sums(state))
                        if has_some and not is_of_others:
                            return True
        return False

    def _transfer(self, point: Point, state: State) -> State:
        if not state:
            return state
        if isinstance(point, cst.CSTNode) and (_is_cleared(point, self.name) or empties(point, self.name)):
            return state & {_BEGUN} | {_EMPTY}
        call = self._pass(point)
        if call is not None:
            return self._added(call, state)
        if any(map(self.followed.acts, _evaluated(point))) or self._was_pass(point):
            state = frozenset({_BEGUN, _MIXED})
        return self._bound(point, state)

    def _added(self, call: cst.Call, state: State) -> State:
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

    def _was_pass(self, point: Point) -> bool:
        """Whether a statement stands for a backward pass that has left a gradient with the variable."""
        function = self.scope.function
        if (function.key if function is not None else "", self.name) not in self.followed.having:
            return False
        for node in _evaluated(point):
            match node:
                case cst.Call(func=func, args=[_, cst.Arg(value=inputs), *_]) if self.name in bound_names(inputs):
                    if self.work.values.torch_name(func) == GRAD:
                        return True
        return False

    def _bound(self, point: Point, state: State) -> State:
        """Behind what gives the variable another tensor."""
        match point:
            case cst.AugAssign():
                return state
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value) if self.name in bound_names(target):
                pairs = assigned_pairs(target, value)
                value = next(other for one, other in pairs if self.name in bound_names(one))
                start = chain_start(value, _SAME)
                if isinstance(start, cst.Name) and start.value == self.name:
                    return state
                return self._behind(value, point, state)
            case cst.BaseExpression() if self.name in bound_names(point):
                loop = self.work.index.parents[point]
                return self._behind(loop.iter, loop, state) if isinstance(loop, cst.For) else state
            case cst.BaseSmallStatement() if self.name in _binds(point):
                return state & {_BEGUN} | {_MIXED if _BEGUN in state else _EMPTY}
        return state

    def _behind(self, value: cst.BaseExpression, point: Point, state: State) -> State:
        """Behind what makes the variable (part of) some value."""
        is_new = self.followed.is_new(value, self.scope.function, point, _BEGUN in state)
        return state & {_BEGUN} | {_EMPTY if is_new else _MIXED}

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
                    if self.work.values.torch_name(call.func) is not None or self.followed.shares_nothing(call):
                        return False
                    if isinstance(call.func, cst.Attribute) and self.work.values(call.func.value).kind is Kind.TENSOR:
                        return call.func.attr.value == "set_"
                    if isinstance(call.func, cst.Name) and call.func.value in _SHOWING:
                        return False
                    if not self.work.values.callees.get(call):
                        return True
                    node = call
                case _:
                    return True


def passes_of(reads: Reads) -> frozenset[cst.Call]:
    """All backward passes whose gradients are read."""
    return frozenset(call for sums in reads.values() for passes in sums for call in passes)


def _sums(state: State) -> list[_Sum]:
    return [item for item in state if isinstance(item, tuple)]


def _is_beside(tensor: Value, roots: frozenset[str]) -> bool:
    """Whether a tensor is made in sight, and none of those with some roots."""
    return bool(tensor.roots) and not tensor.shares(roots) and all(root.startswith("new:") for root in tensor.roots)


def _binds(point: cst.CSTNode) -> set[str]:
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


def is_backward(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "backward"


# lines that empty a gradient


def retained(statement: cst.CSTNode) -> str | None:
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


def empties(statement: cst.CSTNode, name: str) -> bool:
    """`name.grad.zero_()` or `name.grad = None`, perhaps where it is not None."""
    match statement:
        case cst.SimpleStatementLine(body=[small]):
            return _is_cleared(small, name)
        case cst.If(test=test, body=cst.IndentedBlock(body=body), orelse=None):
            return asks_gradient(test, name) and all(
                isinstance(line, cst.SimpleStatementLine)
                and all(_is_cleared(small, name) or is_detached(small, name) for small in line.body)
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


def is_detached(node: cst.CSTNode, name: str) -> bool:
    """`name.grad.detach_()`."""
    match node:
        case cst.SimpleStatementLine(body=[small]):
            return is_detached(small, name)
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=gradient, attr=cst.Name("detach_")))):
            return dotted(gradient) in (f"{name}.grad", f"{name}.grad.data")
    return False
