"""Which variables and entries of the state of an optimizer are Python's numbers: what changes a number changes one name of it.

step = state["step"]            both stand for one number
step += 1                       the entry keeps it

What is asked is the whole step, whatever its order: a variable that is a number here and a tensor there is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from enum import Enum, auto

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants


class Sort(Enum):
    """What a value is."""

    NUMBER = auto()
    TENSOR = auto()
    OPEN = auto()
    UNSEEN = auto()  # so far


_NUMBERS = frozenset({"bool", "float", "int", "len"})
_OF_NUMBERS = frozenset({"abs", "max", "min", "pow", "round"})  # where they are given numbers
_COUNTS = frozenset({"dim", "element_size", "item", "ndimension", "nelement", "numel"})


@dataclass(slots=True)
class Numbers:
    """`entry` gives an entry of the state one spelling, `group` is the variable of a group."""

    group: str
    tensors: frozenset[str]
    entry: Callable[[cst.CSTNode], str | None]
    sorts: dict[str, Sort] = field(default_factory=dict)

    def look(self, lines: Iterable[cst.CSTNode]) -> None:
        """Look at all that gets a value, until nothing new is found."""
        given = [pair for line in lines for pair in _given(line)]
        known: dict[str, Sort] | None = None
        self.sorts = {text: Sort.UNSEEN for target, _ in given if (text := self.text(target)) is not None}
        while known != self.sorts:
            known, found = self.sorts, dict.fromkeys(self.sorts, Sort.UNSEEN)
            for target, value in given:
                text = self.text(target)
                if text is not None:
                    found[text] = _joined({found[text], Sort.OPEN if value is None else self.of(value)})
            self.sorts = found

    def text(self, node: cst.CSTNode) -> str | None:
        return self.entry(node) or (node.value if isinstance(node, cst.Name) else None)

    def is_number(self, node: cst.CSTNode) -> bool:
        return self.of(node) is Sort.NUMBER

    def of(self, node: cst.CSTNode) -> Sort:
        """What an expression gives."""
        text = self.text(node)
        if text is not None:
            return Sort.TENSOR if text in self.tensors else self.sorts.get(text, Sort.OPEN)
        match node:
            case cst.BinaryOperation(left=left, right=right):
                sorts = {self.of(left), self.of(right)}
                return next((sort for sort in (Sort.TENSOR, Sort.UNSEEN, Sort.OPEN) if sort in sorts), Sort.NUMBER)
            case cst.UnaryOperation(expression=inner):
                return self.of(inner)
            case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
                return _joined({self.of(left), self.of(right)})
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
                return self.of(cst.BinaryOperation(left, cst.Add(), right))
            case cst.Subscript(value=value):
                is_number = dotted(value) == self.group or code(value).endswith((".shape", ".size()"))
                return Sort.NUMBER if is_number else self.of(value)
            case cst.Attribute(value=value, attr=cst.Name(name)):
                return Sort.NUMBER if name == "ndim" else self.of(value)
            case cst.Call():
                return self.of_call(node)
            case cst.Integer() | cst.Float():
                return Sort.NUMBER
        return Sort.OPEN

    def of_call(self, call: cst.Call) -> Sort:
        name = dotted(call.func) or ""
        if name.startswith("math.") or name in _NUMBERS:
            return Sort.NUMBER
        if name in _OF_NUMBERS:
            return Sort.NUMBER if all(map(self.is_number, (item.value for item in call.args))) else Sort.OPEN
        if isinstance(call.func, cst.Attribute):
            if call.func.attr.value in _COUNTS or (call.func.attr.value == "size" and call.args):
                return Sort.NUMBER
            if name.startswith(("torch.", "copy.deep")):
                return Sort.TENSOR
            of = self.of(call.func.value)
            return of if of in (Sort.TENSOR, Sort.UNSEEN) else Sort.OPEN
        return Sort.OPEN


def _joined(sorts: set[Sort]) -> Sort:
    """What is one of several sorts."""
    seen = sorts - {Sort.UNSEEN}
    return next(iter(seen), Sort.UNSEEN) if len(seen) < 2 else Sort.OPEN


def _given(line: cst.CSTNode) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression | None]]:
    """What gets a value in a statement and below it, and the value; None where it is not seen alone."""
    for node in descendants(line):
        match node:
            case cst.Assign(targets=targets, value=value):
                for item in targets:
                    yield from _pairs(item.target, value)
            case cst.AugAssign(target=target, value=value):
                yield target, cst.BinaryOperation(target, cst.Add(), value)
            case cst.Call(func=cst.Attribute(value=place, attr=cst.Name("setdefault")), args=[key, value]):
                yield cst.Subscript(place, [cst.SubscriptElement(cst.Index(key.value))]), value.value
            case cst.For(target=target) | cst.AsName(name=target) | cst.NamedExpr(target=target):
                yield from _pairs(target, None)


def _pairs(
    target: cst.BaseExpression, value: cst.BaseExpression | None
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression | None]]:
    if not isinstance(target, (cst.Tuple, cst.List)):
        yield target, value
        return
    items: Sequence[cst.BaseExpression | None] = [value] * len(target.elements)
    if isinstance(value, (cst.Tuple, cst.List)) and len(value.elements) == len(target.elements):
        items = [item.value for item in value.elements]
    elif not isinstance(value, cst.Subscript):
        items = [None] * len(target.elements)
    for element, item in zip(target.elements, items, strict=True):
        yield from _pairs(element.value, item)


__all__ = ["Numbers", "Sort"]
