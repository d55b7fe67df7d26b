"""Properties that give a part of their module are the place of that part: what changes it then changes the module.

@property                                      ->   @property
def fc(self):                                       def fc(self):
    return self.body[0]                                 return self.body[0]
nn.init.zeros_(self.fc.weight)                      nn.init.zeros_(self.body[0].weight)
torch.optim.SGD(net.fc.parameters(), lr=0.1)        torch.optim.SGD(net.body[0].parameters(), lr=0.1)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.syntax.edits import Rewriter, is_docstring
from torch2jax.values import Kind


def normalize_part_properties(work: NormalizationRound) -> None:
    """Normalize all reads of such properties in a file."""
    found = {
        method.name: _part_given(work, method)
        for item in work.program.class_by_key.values()
        for method in item.methods.values()
        if item.is_module and method.decorators == ["property"] and method.self_name is not None
    }
    for node in work.index.attributes if found else ():
        path = found.get(node.attr.value)
        if path is not None and _is_read(work, node) and _gives_only(work, node, path):
            work.edits.replace(node, lambda rewrite, node=node, path=path: _place(rewrite, node, path))  # type: ignore[misc]


def _part_given(work: NormalizationRound, method: Function) -> cst.BaseExpression | None:
    """The part of its module that is all a property gives: `self.body[0]`."""
    body = [line for line in suite_body(method.node) if not is_docstring(line)]
    match body:
        case [cst.SimpleStatementLine(body=[cst.Return(value=cst.Attribute() | cst.Subscript() as value)])]:
            pass
        case _:
            return None
    current: cst.BaseExpression = value
    while isinstance(current, (cst.Attribute, cst.Subscript)):
        match current:
            case cst.Attribute(value=inner):
                current = inner
            case cst.Subscript(value=inner, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]) if _is_constant(
                index
            ):
                current = inner
            case _:
                return None
    is_own = isinstance(current, cst.Name) and current.value == method.self_name
    is_module = method.returns is not None and method.returns.kind is Kind.MODULE
    return value if is_own and is_module else None


def _is_constant(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        node = node.expression
    return isinstance(node, (cst.Integer, cst.SimpleString))


def _is_read(work: NormalizationRound, node: cst.Attribute) -> bool:
    return not isinstance(work.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.Decorator, cst.Del))


def _gives_only(work: NormalizationRound, node: cst.Attribute, path: cst.BaseExpression) -> bool:
    """Whether a read is of a module of classes of the program, all of which, and those derived from them, have this property."""
    value, classes = work.values(node.value), work.program.class_by_key
    if value.kind is not Kind.MODULE or not value.types or dotted(node.value) is None:
        return False
    items = [classes.get(name) for name in value.types]
    heirs = {
        other.key: other for item in items if item is not None for other in classes.values() if item in other.lineage
    }
    given = [item.method(node.attr.value) for item in heirs.values()]
    ways = [_part_given(work, method) if method is not None else None for method in given]
    return None not in items and all(way is not None and way.deep_equals(path) for way in ways)


def _place(rewrite: Rewriter, node: cst.Attribute, path: cst.BaseExpression) -> cst.BaseExpression:
    """The path of a property, from the module that is asked for it."""
    if isinstance(path, cst.Attribute):
        return cst.Attribute(_place(rewrite, node, path.value), path.attr.deep_clone())
    if isinstance(path, cst.Subscript):
        return cst.Subscript(_place(rewrite, node, path.value), [item.deep_clone() for item in path.slice])
    return rewrite.expression(node.value)


__all__ = ["normalize_part_properties"]
