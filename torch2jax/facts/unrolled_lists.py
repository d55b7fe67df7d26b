"""The layers of `nn.Sequential(*layers)`, one by one, where what a function goes through to fill the list is known.

layers = []
for size in sizes:                               # [8, "M", 16]
    if size == "M":
        layers.append(nn.MaxPool2d(2))           # the third one
    else:
        layers += [nn.Conv2d(n, size, 3), nn.ReLU(inplace=True)]      # the first two, and the last two

The statements are followed as they run; a test that is not known, or anything else that is done to the list, ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import Index, bound_names, count_name, descendants
from torch2jax.values import NOTHING, Kind, Value

_MOST = 512  # layers, and rounds of a loop


def unrolled(index: Index, values: Callable[[cst.CSTNode], Value], name: cst.Name) -> list[cst.BaseExpression] | None:
    """The expressions that make the elements of a list in a variable, as it is where it is read; None if that is not known."""
    function, end = index.function_of(name), index.statement_of(name)
    body = function.body.body if isinstance(function, cst.FunctionDef) else ()
    if end not in body or name.value in _parameters(function):
        return None
    search = _Unrolling(values, name.value)
    search.run(body[: list(body).index(end)])
    return search.found if search.is_made and not search.is_lost else None


def _parameters(function: cst.CSTNode | None) -> set[str]:
    if not isinstance(function, cst.FunctionDef):
        return set()
    return {node.name.value for node in descendants(function.params) if isinstance(node, cst.Param)}


@dataclass(slots=True)
class _Unrolling:
    """One run through a block. `bound` holds what variables of loops are in the round at hand."""

    values: Callable[[cst.CSTNode], Value]
    name: str
    found: list[cst.BaseExpression] = field(default_factory=list)
    bound: dict[str, object] = field(default_factory=dict)
    is_made: bool = False
    is_lost: bool = False

    def run(self, block: Sequence[cst.CSTNode]) -> None:
        for line in block:
            self.is_lost = self.is_lost or len(self.found) > _MOST
            if self.is_lost:
                return
            self.line(line)

    def line(self, line: cst.CSTNode) -> None:
        match line:
            case cst.For(orelse=None) if count_name(line, self.name):
                self.loop(line)
            case cst.If() if count_name(line, self.name):
                self.branch(line)
            case cst.SimpleStatementLine(body=[small]):
                self.small(small)
            case _:
                self.is_lost = self.is_lost or count_name(line, self.name) > 0
        if not isinstance(line, (cst.For, cst.If)) or not count_name(line, self.name):
            self.forget(line)

    def forget(self, line: cst.CSTNode) -> None:
        """Variables of loops that a statement binds are not what the loop has bound them to."""
        for node in (line, *descendants(line)):
            if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.CompFor)):
                for name in self.bound.keys() & set(bound_names(node.target)):
                    self.bound[name] = NOTHING

    def loop(self, loop: cst.For) -> None:
        has_jumps = any(isinstance(node, (cst.Break, cst.Continue, cst.Return)) for node in descendants(loop.body))
        rounds = None if has_jumps else self.rounds(loop.iter)
        if rounds is None or len(rounds) > _MOST:
            self.is_lost = True
            return
        for item in rounds:
            self.bind(loop.target, item)
            self.run(loop.body.body)

    def rounds(self, node: cst.BaseExpression) -> list[object] | None:
        """What a loop goes through, one by one."""
        match node:
            case cst.Call(func=cst.Name("range"), args=args):
                numbers = [self.constant(item.value) for item in args]
                bounds = [item for item in numbers if isinstance(item, int)]
                return list(range(*bounds)) if len(bounds) == len(numbers) and len(bounds) in (1, 2) else None
            case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner)]):
                items = self.rounds(inner)
                return None if items is None else list(enumerate(items))
        value = self.values(node)
        if value.kind not in (Kind.LIST, Kind.TUPLE) or value.items is None:
            return None
        return [item.const for item in value.items]

    def bind(self, target: cst.BaseAssignTargetExpression, item: object) -> None:
        match target:
            case cst.Name(name):
                self.bound[name] = item
            case cst.Tuple(elements=elements) if isinstance(item, tuple) and len(item) == len(elements):
                for element, part in zip(elements, item, strict=True):
                    self.bind(element.value, part)  # type: ignore[arg-type]
            case _:
                for node in (target, *descendants(target)):
                    if isinstance(node, cst.Name):
                        self.bound[node.value] = NOTHING

    def branch(self, line: cst.If) -> None:
        known = self.constant(line.test)
        if known is NOTHING or count_name(line.test, self.name):
            self.is_lost = True
        elif known:
            self.run(line.body.body)
        elif isinstance(line.orelse, cst.If):
            self.line(line.orelse)
        elif line.orelse is not None:
            self.run(line.orelse.body.body)

    def small(self, small: cst.CSTNode) -> None:
        """A statement on one line: what it adds to the list."""
        match small:
            case (
                cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)
                | cst.AnnAssign(target=cst.Name(name), value=cst.BaseExpression() as value)
            ) if name == self.name:
                self.found, self.is_made = [], True
                self.extend(value)
            case cst.AugAssign(target=cst.Name(name), operator=cst.AddAssign(), value=value) if name == self.name:
                self.extend(value)
            case cst.Expr(
                cst.Call(
                    func=cst.Attribute(value=cst.Name(name), attr=cst.Name("append" | "extend" as method)),
                    args=[cst.Arg(value=value, keyword=None, star="")],
                )
            ) if name == self.name:
                if method == "extend":
                    self.extend(value)
                else:
                    self.is_lost = self.is_lost or count_name(value, self.name) > 0
                    self.found.append(value)
            case _:
                self.is_lost = self.is_lost or count_name(small, self.name) > 0

    def extend(self, value: cst.BaseExpression) -> None:
        elements = list(_elements(value, self.name))
        if any(item is None for item in elements):
            self.is_lost = True
        self.found += [item for item in elements if item is not None]

    def constant(self, node: cst.BaseExpression) -> object:
        """What an expression is in the round at hand; NOTHING where that is not known."""
        match node:
            case cst.Name(name) if name in self.bound:
                return self.bound[name]
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
                return _compared(self.constant(left), operator, self.constant(right))
            case cst.UnaryOperation(operator=cst.Not(), expression=inner):
                known = self.constant(inner)
                return NOTHING if known is NOTHING else not known
            case cst.BooleanOperation(left=left, operator=operator, right=right):
                first, second = self.constant(left), self.constant(right)
                if first is NOTHING or second is NOTHING:
                    return NOTHING
                return first and second if isinstance(operator, cst.And) else first or second
            case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=inner), cst.Arg(value=cst.Name(kind))]):
                known = self.constant(inner)
                kinds = {"int": int, "str": str, "float": float}
                return NOTHING if known is NOTHING or kind not in kinds else isinstance(known, kinds[kind])
        if any(count_name(node, name) for name in self.bound):
            return NOTHING
        return self.values(node).const


def _elements(value: cst.BaseExpression, name: str) -> Iterator[cst.BaseExpression | None]:
    """The elements of a list that is written out; None for what is not."""
    match value:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            for item in elements:
                known = isinstance(item, cst.Element) and not count_name(item.value, name)
                yield item.value if known else None
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            yield from _elements(left, name)
            yield from _elements(right, name)
        case cst.Call(args=[]) if dotted(value.func) == "list":
            return
        case _:
            yield None


def _compared(left: object, operator: cst.BaseCompOp, right: object) -> object:
    if left is NOTHING or right is NOTHING:
        return NOTHING
    match operator:
        case cst.Equal():
            return left == right
        case cst.NotEqual():
            return left != right
        case cst.Is() if right is None:
            return left is None
        case cst.IsNot() if right is None:
            return left is not None
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        match operator:
            case cst.LessThan():
                return left < right
            case cst.LessThanEqual():
                return left <= right
            case cst.GreaterThan():
                return left > right
            case cst.GreaterThanEqual():
                return left >= right
    return NOTHING


__all__ = ["unrolled"]
