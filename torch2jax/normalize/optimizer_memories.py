"""Lists in which an optimizer keeps what it has computed in a step for one parameter, for the others: it is computed anew.

buffered = self.buffer[int(state["step"] % 10)]
if state["step"] == buffered[0]:
    length, size = buffered[1], buffered[2]
else:                                                ->
    buffered[0] = state["step"]
    length = longest - state["step"]                     length = longest - state["step"]
    buffered[1] = length
    size = 1 / length                                    size = 1 / length
    buffered[2] = size

Compiled code knows no numbers of steps, and computes what is the same for all parameters once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import bound_names, count_name, descendants

_Line = cst.BaseStatement


@dataclass(frozen=True, slots=True)
class Memory:
    """A list, what an entry of it was computed for, and the statements that compute it."""

    place: str
    name: str
    asked: cst.BaseExpression
    lines: list[_Line]
    assigned: frozenset[str]

    @classmethod
    def of(cls, line: _Line, following: _Line) -> Memory | None:
        """The memory that two statements use."""
        match line, following:
            case (
                cst.SimpleStatementLine(
                    body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Subscript() as row)]
                ),
                cst.If(
                    test=cst.Comparison() as test,
                    body=cst.IndentedBlock(body=then),
                    orelse=cst.Else(body=cst.IndentedBlock(body=other)),
                ),
            ):
                place, asked = _kept_at(row.value), _asked(test, name)
                stored, lines = _stores(other, name)
                taken = _taken(then, name)
                if place is None or asked is None or taken is None or 0 not in stored:
                    return None
                is_same = all(code(stored[at]) == one for one, at in taken.items() if at in stored)
                if code(stored[0]) != code(asked) or not is_same or taken.values() - stored.keys():
                    return None
                if any(count_name(item, name) for item in lines) or _changes_later(other, name, taken):
                    return None
                return cls(place, name, asked, lines, frozenset(_assigned(lines)))
        return None

    def is_used_in(self, rest: Sequence[_Line]) -> bool:
        """Whether statements from the decision on ask for more of the entry than it does."""
        return any(count_name(line, self.name) for line in rest[1:])


def _kept_at(node: cst.BaseExpression) -> str | None:
    """The name of a field or an option that holds the list."""
    match node:
        case cst.Attribute(value=cst.Name("self"), attr=cst.Name(name)):
            return name
        case cst.Subscript(
            value=cst.Name(), slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
        ):
            return str(key.raw_value)
    return None


def _entry(node: cst.CSTNode, name: str) -> int | None:
    """The number of an entry: 1 in `buffered[1]`."""
    match node:
        case cst.Subscript(
            value=cst.Name(value), slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer(value=number)))]
        ) if value == name:
            return int(number)
    return None


def _asked(test: cst.Comparison, name: str) -> cst.BaseExpression | None:
    match test:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=right)]):
            sides = [(left, right), (right, left)]
            return next((one for one, other in sides if _entry(other, name) == 0), None)
    return None


def _taken(lines: Sequence[_Line], name: str) -> dict[str, int] | None:
    """The entries that variables get: `length, size = buffered[1], buffered[2]`."""
    found = {}
    for line in lines:
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
                is_row = isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple)
                pairs = [(target, value)]
                if is_row:
                    pairs = [(a.value, b.value) for a, b in zip(target.elements, value.elements, strict=False)]  # type: ignore[attr-defined]
                for one, given in pairs:
                    number = _entry(given, name)
                    if not isinstance(one, cst.Name) or number is None:
                        return None
                    found[one.value] = number
            case _:
                return None
    return found


def _stores(lines: Sequence[_Line], name: str) -> tuple[dict[int, cst.BaseExpression], list[_Line]]:
    """What is stored in the entries, and the other statements."""
    stored, rest = {}, []
    for line in lines:
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]) if (
                number := _entry(target, name)
            ) is not None:
                stored[number] = value
            case _:
                rest.append(line)
    return stored, rest


def _changes_later(lines: Sequence[_Line], name: str, taken: dict[str, int]) -> bool:
    """Whether a variable gets another value behind the statement that stores it."""
    seen = set[str]()
    for line in lines:
        if seen & _assigned([line]):
            return True
        stored, _ = _stores([line], name)
        seen |= {code(value) for number, value in stored.items() if number in taken.values()}
    return False


def _assigned(lines: Iterable[_Line]) -> set[str]:
    lines = list(lines)
    targets = [node.target for line in lines for node in descendants(line, cst.AssignTarget)]
    targets += [node.target for line in lines for node in descendants(line, cst.AugAssign)]
    return {name for target in targets for name in bound_names(target)}


def without_memories(init: cst.FunctionDef, names: frozenset[str]) -> cst.FunctionDef:
    """`__init__` without the lists, as options of groups or as fields."""
    made = init.visit(_WithoutMemories(names))
    assert isinstance(made, cst.FunctionDef)
    return made.with_changes(lines_after_decorators=[])


class _WithoutMemories(cst.CSTTransformer):
    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        kept = [item for item in updated_node.args if item.keyword is None or item.keyword.value not in self.names]
        if len(kept) == len(updated_node.args):
            return updated_node
        if kept:
            kept[-1] = kept[-1].with_changes(
                comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace("")
            )
        return updated_node.with_changes(args=kept)

    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.Dict:
        kept = [
            item for item in updated_node.elements if not (isinstance(item, cst.DictElement) and self.is_name(item.key))
        ]
        return updated_node if len(kept) == len(updated_node.elements) else updated_node.with_changes(elements=kept)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        match updated_node.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=target)])] if self.is_memory(target):
                return cst.RemoveFromParent()
        return updated_node

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If | cst.RemovalSentinel:
        is_empty = not updated_node.body.body and original_node.body.body and updated_node.orelse is None
        return cst.RemoveFromParent() if is_empty else updated_node

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For | cst.RemovalSentinel:
        is_empty = not updated_node.body.body and original_node.body.body
        return cst.RemoveFromParent() if is_empty else updated_node

    def is_memory(self, target: cst.BaseExpression) -> bool:
        match target:
            case cst.Attribute(value=cst.Name("self"), attr=cst.Name(name)):
                return name in self.names
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
                return dotted(target.value) is not None and self.is_name(key)
        return False

    def is_name(self, key: cst.BaseExpression) -> bool:
        return isinstance(key, cst.SimpleString) and key.raw_value in self.names


__all__ = ["Memory", "without_memories"]
