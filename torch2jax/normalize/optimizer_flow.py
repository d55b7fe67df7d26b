"""What is read later in the body of the step of an optimizer, statement by statement.

p_data_fp32.add_(update)        `p` shares its storage with `p_data_fp32` where both have one type, but is not read
p.data.copy_(p_data_fp32)       before it gets a value anyway
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.records import dataclass

_Line = cst.BaseStatement
_WITHOUT_VALUES = frozenset({"device", "dim", "dtype", "is_sparse", "ndim", "nelement", "numel", "shape", "size"})


class Fate(Enum):
    """What becomes of a value first."""

    READ = auto()
    GONE = auto()
    STAYS = auto()


@dataclass(frozen=True, slots=True)
class Place:
    """A variable or an entry of the state. `lasts`: it is there behind the step, too; `key` says for which entry an expression stands."""

    text: str
    lasts: bool
    key: Callable[[cst.CSTNode], str | None]

    def is_at(self, node: cst.CSTNode) -> bool:
        while isinstance(node, cst.Attribute) and node.attr.value == "data":
            node = node.value
        return self.key(node) == self.text or (isinstance(node, cst.BaseExpression) and dotted(node) == self.text)

    def is_read(self, node: cst.CSTNode) -> bool:
        """Whether an expression or a statement asks for its values."""
        if isinstance(node, cst.Attribute) and node.attr.value in _WITHOUT_VALUES:
            return False
        if self.key(node) is not None or (isinstance(node, cst.Attribute) and node.attr.value == "grad"):
            return self.is_at(node)
        if isinstance(node, cst.Subscript) and dotted(node.value) == "self.state":
            return False
        if isinstance(node, (cst.Name, cst.Attribute)) and self.is_at(node):
            return True
        return any(self.is_read(item) for item in _operands(node))

    def fate(self, lines: Sequence[_Line]) -> Fate:
        """What becomes of it in statements that run one after the other."""
        for line in lines:
            found = self.fate_in(line)
            if found is not Fate.STAYS:
                return found
        return Fate.STAYS

    def fate_in(self, line: _Line) -> Fate:
        if isinstance(line, cst.If):
            if self.is_read(line.test):
                return Fate.READ
            other = line.orelse
            rest = other.body.body if isinstance(other, cst.Else) else [other] if other is not None else []
            ways = [self.fate(_lines(line.body.body)), self.fate(_lines(rest))]
            return ways[0] if ways[0] is ways[1] else Fate.READ if Fate.READ in ways else Fate.STAYS
        if isinstance(line, cst.For):  # which may run not at all
            is_read = self.is_read(line.iter) or self.fate(_lines(line.body.body)) is Fate.READ
            return Fate.READ if is_read else Fate.STAYS
        if not isinstance(line, cst.SimpleStatementLine):
            return Fate.READ if self.is_read(line) else Fate.STAYS
        for small in line.body:
            if isinstance(small, cst.Continue):
                return Fate.READ if self.lasts else Fate.GONE
            if isinstance(small, cst.Raise):
                return Fate.GONE
            if (found := self.fate_at(small)) is not Fate.STAYS:
                return found
        return Fate.STAYS

    def fate_at(self, small: cst.BaseSmallStatement) -> Fate:
        given = overwritten(small)
        if given is None:
            return Fate.READ if self.is_read(small) else Fate.STAYS
        targets, value = given
        if self.is_read(value):
            return Fate.READ
        if any(self.is_at(target) for target in targets):
            return Fate.GONE
        stored = [target for target in targets if not isinstance(target, (cst.Name, cst.Attribute))]
        return Fate.READ if any(self.is_read(target) for target in stored) else Fate.STAYS


def overwritten(small: cst.BaseSmallStatement) -> tuple[list[cst.BaseExpression], cst.BaseExpression] | None:
    """What a statement gives a value, and the value."""
    match small:
        case cst.Assign(targets=targets, value=value):
            given = [item.target for item in targets]
            parts = [item.value for target in given if isinstance(target, cst.Tuple) for item in target.elements]
            return [target for target in given if not isinstance(target, cst.Tuple)] + parts, value
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=target, attr=cst.Name("copy_")), args=[one])):
            return [target], one.value
    return None


def is_read_later(place: Place, ahead: Sequence[Sequence[_Line]]) -> bool:
    """Whether a place is read by what follows in each of the suites around a statement, the innermost last."""
    for lines in reversed(ahead):
        found = place.fate(lines)
        if found is not Fate.STAYS:
            return found is Fate.READ
    return place.lasts


def _lines(body: Sequence[cst.BaseStatement] | Sequence[cst.BaseSmallStatement]) -> list[_Line]:
    return [line for line in body if isinstance(line, cst.BaseStatement)]


def _operands(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The parts of a node that are read, without the names of attributes and of arguments."""
    if isinstance(node, cst.Attribute):
        return [node.value]
    if isinstance(node, cst.Arg):
        return [node.value]
    return list(node.children)


__all__ = ["Fate", "Place", "is_read_later", "overwritten"]
