"""Numbers that say which process of a program for several it is.

What a variable or a field is on all ways is known by its value. Where one way has another value (`gpu=None`), or a field belongs to an object
that the program does not make itself (`args.rank`), a rank is found by where it is kept: forward, joined by union, a may-analysis.

main = rank == 0                   a test
scale = 2.0 if main else 1.0       a number that each process has for itself
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind, Value

RANK, LOCAL_RANK = "rank", "local_rank"  # the types of ranks among all processes, and among those of a host
TEST, OWN = "test", "own"  # what a rank decides, and the types of values that differ between processes for it
_SAME = frozenset({Kind.NONE, Kind.STR, Kind.LOADER, Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.DATASET, Kind.DEVICE, Kind.FUNCTION, Kind.CLASS})  # fmt: skip
KEPT = "kept"  # the mark of a file that keeps ranks in a field: of which class, by which name, and which of the two

VARIABLES = {"RANK": "get_rank", "LOCAL_RANK": "get_node_local_rank", "WORLD_SIZE": "get_world_size"}


def is_rank(value: Value) -> bool:
    """Whether a number says which process it is, on some way."""
    return value.kind is Kind.INT and not value.types.isdisjoint((RANK, LOCAL_RANK))


_Place = tuple[object, str]  # where a variable is bound, a function and what it returns, or a class and a field
_RESULT = "return"


@dataclass(slots=True)
class Ranks:
    """What of a file may be a rank: `kept` are the places that hold some where values do not tell it, with which they are."""

    program: Program
    values: Values
    kept: dict[_Place, frozenset[str]]
    inside: Collection[cst.CSTNode] = ()  # all that runs on every device: what is read there is told there
    shared: frozenset[_Place] = frozenset()  # what all processes are given by one of them, or reduce

    @property
    def is_empty(self) -> bool:
        """Whether nothing in the file is a rank."""
        nodes = self.program.index.every(cst.Name, cst.Attribute, cst.Call)
        return not self.kept and not any(is_rank(self.values(node)) for node in nodes)

    def types_of(self, node: cst.CSTNode) -> frozenset[str]:
        """What is said of a name, a field or the result of a call: which kinds of ranks it may be, or that ranks decide on it."""
        value = self.values(node)
        if is_rank(value):
            return value.types & {RANK, LOCAL_RANK}
        if not self.kept or value.kind in _SAME:
            return frozenset()
        found = frozenset[str]().union(*(self.kept.get(place, ()) for place in self._places(node)))
        return found if value.is_a(Kind.UNKNOWN, Kind.INT) else found - {RANK, LOCAL_RANK}

    def __call__(self, node: cst.CSTNode) -> bool:
        return _is_place(node) and not self.types_of(node).isdisjoint((RANK, LOCAL_RANK))

    def decides(self, node: cst.CSTNode | None) -> bool:
        """Whether what an expression gives is the own of each process, since a rank decides on it."""
        return node is not None and OWN in self._given(node)

    @property
    def fields(self) -> frozenset[tuple[str, ...]]:
        """The fields that hold ranks, as marks."""
        return frozenset(
            (KEPT, owner, name, item)
            for (owner, name), types in self.kept.items()
            for item in types
            if isinstance(owner, str)
        )

    def outermost(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """The largest expressions below a node that are ranks."""
        if isinstance(node, (cst.Name, cst.Attribute, cst.Call)) and self(node):
            yield node
            return
        for child in children(node):
            yield from self.outermost(child)

    def _places(self, node: cst.CSTNode) -> Iterator[_Place]:
        match node:
            case cst.Name():
                if node in self.program.index.parents:
                    yield from ((item.node, "") for item in self.program.definitions.of(node))
            case cst.Attribute(value=owner, attr=cst.Name(name)):
                value = self.values(owner)
                own = value.types if value.is_a(Kind.OBJECT, Kind.MODULE, Kind.CLASS) else ()
                for key in own or ("",):
                    yield key, name
            case cst.Call():
                for function in self.values.callees.get(node, ()):
                    yield function, _RESULT

    def is_below_test(self, node: cst.CSTNode) -> bool:
        """Whether a rank decides whether a node runs at all."""
        around = self.program.index.ancestors(node)
        return any(isinstance(item, cst.If) and self._is_test(item.test) for item in around)

    def _given(self, node: cst.CSTNode | None) -> frozenset[str]:
        """What an expression hands on."""
        match node:
            case None:
                return frozenset()
            case cst.IfExp(test=test, body=left, orelse=right):
                apart = self._is_test(test) and not _is_alike(left, right) and not self._are_same(left, right)
                return self._given(left) | self._given(right) | ({OWN} if apart else set())
            case cst.BooleanOperation(left=left, right=right):
                return self._given(left) | self._given(right)
            case cst.BinaryOperation(left=left, operator=cst.Modulo()) if self._given(left) & {RANK, LOCAL_RANK}:
                return frozenset({RANK, LOCAL_RANK})  # within a host, or some other group
            case cst.NamedExpr(value=inner) | cst.Call(func=cst.Name("int"), args=[cst.Arg(value=inner)]):
                return self._given(inner)
            case cst.Comparison() | cst.UnaryOperation(operator=cst.Not()) if self._is_test(node):
                return frozenset({TEST})
            case cst.Name() | cst.Attribute():
                return self.types_of(node)
            case cst.Call() if self.values.callees.get(node):
                return self.types_of(node)
        found = frozenset[str]().union(*(self._given(child) for child in children(node)))
        is_own = OWN in found or (TEST in found and isinstance(node, (cst.BinaryOperation, cst.Call)))
        types = self.types_of(node) if isinstance(node, cst.Call) else frozenset()
        return types | ({OWN} if is_own else set()) | (found & {TEST} if isinstance(node, cst.Arg) else set())

    def _is_test(self, node: cst.CSTNode) -> bool:
        """Whether processes may find something else in a condition: ranks go into it, and not for the question whether there are any."""
        if isinstance(node, cst.Comparison) and all(_is_no_rank(item) for item in node.comparisons):
            return False
        if _is_place(node) and self.types_of(node) - {OWN}:
            return True
        return any(map(self._is_test, children(node)))

    def _are_same(self, *nodes: cst.CSTNode) -> bool:
        """Whether values are nothing that differs for training: texts, models, loaders."""
        return any(self.values(node).kind in _SAME for node in nodes)

    def _bind(self, target: cst.CSTNode, value: cst.CSTNode | None, line: cst.CSTNode) -> None:
        if isinstance(target, (cst.Tuple, cst.List)) and isinstance(value, (cst.Tuple, cst.List)):
            for inner, item in zip(target.elements, value.elements, strict=False):
                self._bind(inner.value, item.value, line)
        elif types := self._given(value):
            self._keep(self._bound(target, line), types)

    def _bound(self, target: cst.CSTNode, line: cst.CSTNode) -> Iterator[_Place]:
        """The places that an assignment writes to."""
        match target:
            case cst.Name():
                yield (line if isinstance(line, (cst.AugAssign, cst.NamedExpr)) else target), ""
            case cst.Subscript(value=inner):
                yield from self._places(inner)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                for item in elements:
                    yield from self._bound(item.value, line)
            case cst.StarredElement(value=inner):
                yield from self._bound(inner, line)
            case _:
                yield from self._places(target)

    def _bind_below(self, node: cst.If) -> None:
        """What is bound where a rank decides."""
        for below in (node.body, node.orelse):
            for line in descendants(below) if below is not None else ():
                match line:
                    case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
                        pass
                    case cst.AugAssign(target=target, value=value):
                        pass
                    case cst.Return(value=cst.BaseExpression() as value) if not self._are_same(value):
                        self._keep(iter([(self.program.function_around(line), _RESULT)]), frozenset({OWN}))
                        continue
                    case _:
                        continue
                if not self._are_same(value) and not _is_alike(target, value):
                    self._keep(self._bound(target, line), frozenset({OWN}))

    def _keep(self, places: Iterator[_Place], types: frozenset[str]) -> None:
        for place in places:
            known = types - {OWN} if place in self.shared else types
            if known:
                self.kept[place] = self.kept.get(place, frozenset()) | known

    def _pass(self, call: cst.Call, callees: Collection[Function]) -> None:
        """What functions are given."""
        for function in callees:
            named = {item.name.value: item for item in function.parameters}
            for name, value in arguments_by_parameter(function, call, self.values):
                types = self._given(value)
                if types := types - {OWN} if call in self.inside else types:
                    self._keep(iter([(named.get(name), "")]), types)

    def follow(self) -> None:
        """Find all places, to the fixpoint."""
        index = self.program.index
        if self.is_empty:
            return
        calls = [
            call for call in index.calls if (self.values.torch_name(call.func) or "").startswith("torch.distributed.")
        ]
        given = [
            item.value for call in calls for item in call.args if isinstance(item.value, (cst.Name, cst.Attribute))
        ]
        self.shared = frozenset(place for item in given for place in self._places(item))
        before: dict[_Place, frozenset[str]] | None = None
        while before != self.kept:
            before = dict(self.kept)
            for node in index.every(cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.CompFor):
                match node:
                    case cst.Assign(targets=targets, value=value):
                        for item in targets:
                            self._bind(item.target, value, node)
                    case cst.AugAssign(target=target, value=value) | cst.For(target=target, iter=value) | cst.CompFor(target=target, iter=value):  # fmt: skip
                        if self.decides(value) or (isinstance(node, cst.AugAssign) and self.decides(target)):
                            self._keep(self._bound(target, node), frozenset({OWN}))
                    case cst.AnnAssign(target=target, value=value) | cst.NamedExpr(target=target, value=value):
                        self._bind(target, value, node)
            for choice in index.every(cst.If):
                if self._is_test(choice.test):
                    self._bind_below(choice)
            for line in index.every(cst.Return):
                if types := self._given(line.value):
                    self._keep(iter([(self.program.function_around(line), _RESULT)]), types)
            for call, callees in self.values.callees.items():
                if call in index.parents:
                    self._pass(call, callees)


def _is_place(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.Name, cst.Attribute, cst.Call))


def _is_no_rank(target: cst.ComparisonTarget) -> bool:
    """`rank != -1`, `rank is not None`, `rank >= 0`: the same for all ranks."""
    other, operator = target.comparator, target.operator
    if isinstance(other, cst.UnaryOperation) or dotted(other) == "None":
        return True
    return isinstance(other, cst.Integer) and other.value == "0" and isinstance(operator, (cst.GreaterThanEqual, cst.LessThan))  # fmt: skip


def _is_alike(one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether one of two expressions is a call that is given the other first: `tqdm(loader)` beside `loader`."""
    return any(
        isinstance(call, cst.Call) and bool(call.args) and code(call.args[0].value) == code(item)
        for call, item in ((one, other), (other, one))
    ) or code(one) == code(other)


def find_ranks(
    program: Program, values: Values, marks: Collection[tuple[str, ...]], inside: Collection[cst.CSTNode] = ()
) -> Ranks:
    """The ranks of a file; `marks` say in which fields other files keep some, `inside` is all that runs on every device."""
    kept: dict[_Place, frozenset[str]] = {}
    for _, owner, name, kind in (mark for mark in marks if mark[0] == KEPT):
        kept[owner, name] = kept.get((owner, name), frozenset()) | {kind}
    found = Ranks(program, values, kept, inside)
    found.follow()
    return found


def variable_of_torchrun(node: cst.CSTNode) -> str | None:
    """Which function of torch.distributed says what an expression reads from the environment that torchrun makes."""
    name: cst.BaseExpression | None = None
    match node:
        case cst.Subscript(value=place, slice=[cst.SubscriptElement(slice=cst.Index(value=item))]):
            name = item if dotted(place) == "os.environ" else None
        case cst.Call(func=function, args=[cst.Arg(value=item), *_]):
            name = item if dotted(function) in ("os.environ.get", "os.getenv") else None
    if not isinstance(name, cst.SimpleString) or not isinstance(name.evaluated_value, str):
        return None
    return VARIABLES.get(name.evaluated_value)


__all__ = ["KEPT", "LOCAL_RANK", "OWN", "RANK", "VARIABLES", "Ranks", "find_ranks", "is_rank", "variable_of_torchrun"]
