"""Properties and methods that give a part of their module, or the module of another object, are the place of that: what changes
it then changes the module.

@property                                      ->   @property
def fc(self):                                       def fc(self):
    return self.body[0]                                 return self.body[0]
nn.init.zeros_(self.fc.weight)                      nn.init.zeros_(self.body[0].weight)
torch.optim.SGD(net.fc.parameters(), lr=0.1)        torch.optim.SGD(net.body[0].parameters(), lr=0.1)

def get_head(self):                            ->   def get_head(self):
    return self.head                                    return self.head
head = net.get_head()                               head = net.head
y = net.get_head()(x)                               y = net.get_head()(x)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.syntax.edits import Rewriter, is_docstring
from torch2jax.values import Kind


def normalize_part_properties(work: NormalizationRound) -> None:
    """Normalize all reads of such properties in a file, and what is kept or asked of what such methods give."""
    words = {node.attr.value for node in work.index.attributes}
    named = (pair for item in work.program.class_by_key.values() for pair in item.methods.items())
    names = {name for name, method in named if name in words and _part_given(method) is not None}
    for node in work.index.attributes if names else ():
        asked = _methods_asked(work, node) if node.attr.value in names and _is_read(work, node) else []
        path = _part_given(asked[0]) if asked else None
        if path is None or not all((way := _part_given(item)) and way.deep_equals(path) for item in asked):
            continue
        are_properties = {"property" in item.decorators for item in asked}
        read = node if are_properties == {True} else work.index.parents[node]
        if read is node or (are_properties == {False} and _is_kept(work, node, read)):
            work.edits.replace(read, lambda rewrite, node=node, path=path: _place(rewrite, node, path))  # type: ignore[misc]


def _part_given(method: Function) -> cst.BaseExpression | None:
    """The part of its module that is all a property, or a method without arguments, gives: `self.body[0]`."""
    if method.decorators not in ([], ["property"]) or len(method.parameter_names) != 1 or method.self_name is None:
        return None
    if method.star_name is not None or method.double_star_name is not None:
        return None
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


def _is_kept(work: NormalizationRound, node: cst.Attribute, read: cst.CSTNode) -> bool:
    """Whether something is done with what a method gives but to call it: it gets a name, is handed on, or asked for its parts."""
    if not isinstance(read, cst.Call) or read.func is not node or read.args:
        return False
    around = work.index.parents[read]
    return not (isinstance(around, cst.Call) and around.func is read) and not isinstance(around, cst.Expr)


def _methods_asked(work: NormalizationRound, node: cst.Attribute) -> list[Function]:
    """The methods that a read of a module, or of another object, of classes of the program may mean; none where it may mean something else."""
    value, classes = work.values(node.value), work.program.class_by_key
    if not value.is_a(Kind.MODULE, Kind.OBJECT) or not value.types or dotted(node.value) is None:
        return []
    items = [classes.get(name) for name in value.types]
    heirs = {
        other.key: other for item in items if item is not None for other in classes.values() if item in other.lineage
    }
    asked = [item.method(node.attr.value) for item in heirs.values()]
    return [] if None in items or None in asked else [item for item in asked if item is not None]


def _place(rewrite: Rewriter, node: cst.Attribute, path: cst.BaseExpression) -> cst.BaseExpression:
    """The path of a property, from the module that is asked for it."""
    if isinstance(path, cst.Attribute):
        return cst.Attribute(_place(rewrite, node, path.value), path.attr.deep_clone())
    if isinstance(path, cst.Subscript):
        return cst.Subscript(_place(rewrite, node, path.value), [item.deep_clone() for item in path.slice])
    return rewrite.expression(node.value)


__all__ = ["normalize_part_properties"]
