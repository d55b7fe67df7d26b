"""Numbers that say which process of a program for several it is.

What a variable or a field is on all ways is known by its value. Where one way has another value (`gpu=None`), or a field belongs to an object
that the program does not make itself (`args.rank`), a rank is found by where it is kept: forward, joined by union, a may-analysis.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Function, Program, dotted
from torch2jax.syntax.walk import children
from torch2jax.values import Kind, Value

RANK, LOCAL_RANK = "rank", "local_rank"  # the types of ranks among all processes, and among those of a host
KEPT = "kept"  # the mark of a file that keeps ranks in a field: of which class, by which name, and which of the two

VARIABLES = {"RANK": "get_rank", "LOCAL_RANK": "get_node_local_rank", "WORLD_SIZE": "get_world_size"}


def is_rank(value: Value) -> bool:
    """Whether a number says which process it is, on some way."""
    return value.kind is Kind.INT and not value.types.isdisjoint((RANK, LOCAL_RANK))


_Place = tuple[object, str]  # a function and a variable of it or what it returns, or a class and a field
_RESULT = "return"


@dataclass(slots=True)
class Ranks:
    """What of a file may be a rank: `kept` are the places that hold some where values do not tell it, with which they are."""

    program: Program
    values: Values
    kept: dict[_Place, frozenset[str]]

    def types_of(self, node: cst.CSTNode) -> frozenset[str]:
        """Which kinds of ranks a name, a field or the result of a call may be."""
        value = self.values(node)
        if is_rank(value):
            return value.types & {RANK, LOCAL_RANK}
        if not value.is_a(Kind.UNKNOWN, Kind.INT) or not self.kept:
            return frozenset()
        return frozenset().union(*(self.kept.get(place, ()) for place in self._places(node)))

    def __call__(self, node: cst.CSTNode) -> bool:
        return isinstance(node, (cst.Name, cst.Attribute, cst.Call)) and bool(self.types_of(node))

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
            case cst.Name(name):
                function = self.program.function_around(node) if node in self.program.index.parents else None
                while function is not None and name not in function.env:
                    function = function.outer
                yield function, name
            case cst.Attribute(value=owner, attr=cst.Name(name)):
                value = self.values(owner)
                own = value.types if value.is_a(Kind.OBJECT, Kind.MODULE, Kind.CLASS) else ()
                for key in own or ("",):
                    yield key, name
            case cst.Call():
                for function in self.values.callees.get(node, ()):
                    yield function, _RESULT

    def _given(self, node: cst.BaseExpression | None) -> frozenset[str]:
        """Which ranks an expression may hand on."""
        match node:
            case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
                return self._given(left) | self._given(right)
            case cst.BinaryOperation(left=left, operator=cst.Modulo()):  # within a host, or some other group
                return frozenset({RANK, LOCAL_RANK}) if self._given(left) else frozenset()
            case cst.NamedExpr(value=inner) | cst.Call(func=cst.Name("int"), args=[cst.Arg(value=inner)]):
                return self._given(inner)
            case cst.Name() | cst.Attribute() | cst.Call():
                return self.types_of(node)
        return frozenset()

    def _bind(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> None:
        if isinstance(target, (cst.Tuple, cst.List)) and isinstance(value, (cst.Tuple, cst.List)):
            for inner, item in zip(target.elements, value.elements, strict=False):
                self._bind(inner.value, item.value)
        elif types := self._given(value):
            self._keep(self._places(target), types)

    def _keep(self, places: Iterator[_Place], types: frozenset[str]) -> None:
        for place in places:
            self.kept[place] = self.kept.get(place, frozenset()) | types

    def _pass(self, call: cst.Call, callees: Collection[Function]) -> None:
        """What functions are given."""
        for function in callees:
            names = function.parameter_names[1 if function.is_method else 0 :]
            plain = [item.value for item in call.args if item.keyword is None]
            given = list(zip(names, plain, strict=False))
            given += [(item.keyword.value, item.value) for item in call.args if item.keyword is not None]
            for name, value in given:
                if types := self._given(value):
                    self._keep(iter([(function, name)]), types)

    def follow(self) -> None:
        """Find all places, to the fixpoint."""
        index = self.program.index
        before: dict[_Place, frozenset[str]] | None = None
        while before != self.kept:
            before = dict(self.kept)
            for node in index.every(cst.Assign, cst.AnnAssign, cst.NamedExpr):
                match node:
                    case cst.Assign(targets=targets, value=value):
                        for item in targets:
                            self._bind(item.target, value)
                    case cst.AnnAssign(target=target, value=value) | cst.NamedExpr(target=target, value=value):
                        self._bind(target, value)
            for line in index.every(cst.Return):
                if types := self._given(line.value):
                    self._keep(iter([(self.program.function_around(line), _RESULT)]), types)
            for call, callees in self.values.callees.items():
                if call in index.parents:
                    self._pass(call, callees)


def find_ranks(program: Program, values: Values, marks: Collection[tuple[str, ...]]) -> Ranks:
    """The ranks of a file; `marks` say in which fields other files keep some."""
    kept: dict[_Place, frozenset[str]] = {}
    for _, owner, name, kind in (mark for mark in marks if mark[0] == KEPT):
        kept[owner, name] = kept.get((owner, name), frozenset()) | {kind}
    found = Ranks(program, values, kept)
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


__all__ = ["KEPT", "LOCAL_RANK", "RANK", "VARIABLES", "Ranks", "find_ranks", "is_rank", "variable_of_torchrun"]
