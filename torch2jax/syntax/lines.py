"""Give statements that may have to be rewritten lines of their own: `x = f(y); x[0] = 1` and `if c: x.add_(1)`.

Later stages put statements before and after others, which takes a block. Lines that hold only plain statements stay.

Chains of very many method calls become several lines, since calls of functions take their place: Python nests no more than
200 brackets.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import field
from functools import cache
from typing import TypeVar

import libcst as cst

from torch2jax.records import dataclass
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.walk import child_fields, descendants, with_fields

Node = TypeVar("Node", bound=cst.CSTNode)

_BUILTINS = frozenset(dir(builtins)) - {"super"}
_LONGEST = 60  # method calls of a chain: one of them may become several calls, each within the next


@dataclass(slots=True)
class Spread:
    """The new module; `origins` maps each node that was made anew to the one in the original module."""

    module: cst.Module
    origins: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)


def spread_lines(module: cst.Module) -> Spread:
    """The module with crowded lines spread out; the same module if there are none."""
    spread = Spread(module)
    spread.module = _Spreader(module, spread.origins).inside(module)  # type: ignore[assignment]
    return spread


class _Spreader:
    def __init__(self, module: cst.Module, origins: dict[cst.CSTNode, cst.CSTNode]) -> None:
        self.module = module
        self.origins = origins

    def inside(self, node: cst.CSTNode) -> cst.CSTNode:
        """A module, block or compound statement with everything below it spread."""
        if isinstance(node, cst.SimpleStatementSuite):
            return self.suite(node)
        changes: dict[str, object] = {}
        for name in child_fields(type(node)):
            value = getattr(node, name)
            if isinstance(value, (tuple, list)):
                items = [new for item in value for new in self.item(item)]
                if len(items) != len(value) or any(a is not b for a, b in zip(items, value, strict=True)):
                    changes[name] = items
            elif _holds_statements(type(value)):  # type: ignore[arg-type]
                new = self.inside(value)
                if new is not value:
                    changes[name] = new
        return self.remember(node.with_changes(**changes), node) if changes else node

    def item(self, item: cst.CSTNode) -> Sequence[cst.CSTNode]:
        if isinstance(item, cst.SimpleStatementLine):
            return self.line(item)
        return [self.inside(item)] if _holds_statements(type(item)) else [item]

    def line(self, line: cst.SimpleStatementLine) -> Sequence[cst.CSTNode]:
        if len(line.body) < 2:
            return self.unchained(line)
        if not any(map(_may_change, line.body)):
            return [line]
        lines = self.lines(line.body, line.trailing_whitespace)
        lines[0] = self.remember(lines[0].with_changes(leading_lines=line.leading_lines), line)
        return [new for item in lines for new in self.unchained(item)]

    def unchained(self, line: cst.SimpleStatementLine) -> list[cst.SimpleStatementLine]:
        """A line, the start of whose chain of method calls has lines of its own if it is too long."""
        small = line.body[0]
        if not isinstance(small, (cst.Assign, cst.Return, cst.Expr)) or type(small.value) is not cst.Call:
            return [line]
        path = _chain(small.value)
        if sum(type(node) is cst.Call for node in path) <= _LONGEST:
            return [line]
        name = FreshNames(node.value for node in descendants(self.module) if isinstance(node, cst.Name))("value")
        lines, calls, current = [], 0, _receiver(path[-1])
        for node in reversed(path):
            if calls == _LONGEST:
                around = {"lpar": (cst.LeftParen(),), "rpar": (cst.RightParen(),)} if small.value.lpar else {}
                made = cst.Assign([cst.AssignTarget(cst.Name(name))], current.with_changes(**around))
                lines.append(self.remember(cst.SimpleStatementLine([self.remember(made, small)]), small))
                calls, current = 0, cst.Name(name)
            calls += type(node) is cst.Call
            field = "func" if type(node) is cst.Call else "value"
            if getattr(node, field) is not current:
                current = self.remember(with_fields(node, **{field: current}), node)
            else:
                current = node
        lines[0] = with_fields(lines[0], leading_lines=line.leading_lines)
        last = self.remember(with_fields(small, value=current), small)
        return [*lines, self.remember(with_fields(line, body=(last,), leading_lines=()), line)]

    def suite(self, suite: cst.SimpleStatementSuite) -> cst.CSTNode:
        if not any(map(_may_change, suite.body)):
            return suite
        return self.remember(cst.IndentedBlock(self.lines(suite.body, suite.trailing_whitespace)), suite)

    def lines(
        self, body: Sequence[cst.BaseSmallStatement], trailing: cst.TrailingWhitespace
    ) -> list[cst.SimpleStatementLine]:
        result = []
        for position, small in enumerate(body):
            bare = self.remember(small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT), small)
            last = position == len(body) - 1
            line = cst.SimpleStatementLine([bare], trailing_whitespace=trailing if last else cst.TrailingWhitespace())
            result.append(self.remember(line, small))
        return result

    def remember(self, new: Node, old: cst.CSTNode) -> Node:
        self.origins[new] = old
        return new


def _receiver(node: cst.BaseExpression) -> cst.BaseExpression:
    """What a method call, attribute or subscript begins with."""
    return node.func if isinstance(node, cst.Call) else node.value  # type: ignore[attr-defined]


def _chain(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The calls, attributes and subscripts that follow each other in an expression, the last one first."""
    path: list[cst.BaseExpression] = []
    while type(node) in (cst.Call, cst.Attribute, cst.Subscript):
        path.append(node)
        node = _receiver(node)
    return path


_CLAUSES = (cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)


@cache
def _holds_statements(kind: type) -> bool:
    return issubclass(kind, (cst.BaseCompoundStatement, cst.BaseSuite, *_CLAUSES))


def _may_change(small: cst.BaseSmallStatement) -> bool:
    """Whether a statement may need others beside it: it imports, writes into something, or calls what is no builtin."""
    match small:
        case cst.Import() | cst.ImportFrom() | cst.AugAssign():
            return True
        case cst.Raise() | cst.Assert() | cst.Pass():
            return False
        case cst.Assign() if any(isinstance(target.target, (cst.Subscript, cst.Attribute)) for target in small.targets):
            return True
    return any(isinstance(node, cst.Call) and not _is_builtin(node.func) for node in descendants(small))


def _is_builtin(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in _BUILTINS
