"""Functions under `@torch.no_grad()` that differentiated code calls, where nothing says whether they give back new tensors.

@torch.no_grad()                        @without_gradient
def encode(self, x):             ->     def encode(self, x):
    return self.encoder(x)                  return self.encoder(x)

The decorator asks when the program runs: what the function makes is a constant, what it was given and hands back is none.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.plan.names import is_bound
from torch2jax.program.program import Function
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import always
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import own_nodes
from torch2jax.values import Kind

_HOLDERS = ("param:", "field:")


def decorated_as_constant(unit: Unit, decorator: cst.Decorator, node: cst.FunctionDef) -> bool:
    """Put the decorator of the support code in the place of torch's; False where it would not see all that is constant."""
    function = unit.facts.program.functions[node]
    planned = unit.plan.functions.get(function)
    gives_more = planned is not None and bool(planned.extras or planned.behind or planned.gives_state)
    nodes = list(own_nodes(node))
    results = [item.value for item in nodes if isinstance(item, cst.Return) and item.value is not None]
    if gives_more or node.asynchronous is not None or any(isinstance(item, cst.Yield) for item in nodes):
        return False
    if any(_is_stored_elsewhere(unit, function, item) for item in nodes):
        return False
    if not all(_is_seen(unit, function, part) for value in results for part in _parts(value)):
        return False
    unit.edits.replace(decorator.decorator, always(quote("without_gradient")))
    return True


def _parts(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The items of what is written as a tuple, list or dict."""
    if isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            yield from _parts(element.value)
    elif isinstance(node, cst.Dict):
        for item in node.elements:
            yield from _parts(item.value)
    elif isinstance(node, cst.IfExp):
        yield from _parts(node.body)
        yield from _parts(node.orelse)
    else:
        yield node


def _is_seen(unit: Unit, function: Function, node: cst.BaseExpression) -> bool:
    """Whether the arrays of a result are told apart by being the very ones that were given: a view of an argument might be,
    where it changes nothing, and what other objects hold is none that the decorator knows.
    """
    value = unit.facts.values(node)
    if isinstance(node, cst.Name):
        own = is_bound(unit.facts.flows, function, node.value) or value.kind is not Kind.TENSOR
        is_given = value.roots == {f"param:{node.value}"}
        return own and (is_given or not _may_be_part(value.roots))
    if isinstance(node, cst.Attribute) and value.kind in (Kind.TENSOR, Kind.UNKNOWN):
        return unit.facts.values(node.value).kind is Kind.MODULE
    return not _may_be_part(value.roots)


def _may_be_part(roots: frozenset[str]) -> bool:
    return any(root.startswith(_HOLDERS) for root in roots)


def _is_stored_elsewhere(unit: Unit, function: Function, item: cst.CSTNode) -> bool:
    """Whether something is put where others than the caller find it: in an object, or by a method of a container."""
    if isinstance(item, (cst.Global, cst.Nonlocal)):
        return True
    if isinstance(item, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign)):
        return isinstance(item.target, (cst.Attribute, cst.Subscript)) and not _is_own(unit, function, item.target)
    if isinstance(item, cst.Expr) and isinstance(item.value, cst.Call) and isinstance(item.value.func, cst.Attribute):
        receiver = unit.facts.values(item.value.func.value)
        is_container = receiver.is_sequence or receiver.kind in (Kind.DICT, Kind.UNKNOWN)
        return is_container and not _is_own(unit, function, item.value.func.value)
    return False


def _is_own(unit: Unit, function: Function, node: cst.BaseExpression) -> bool:
    """Whether an expression is a variable of the function itself, or a part of what is in one."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    if not isinstance(node, cst.Name):
        return False
    given = (*function.parameter_names, function.star_name, function.double_star_name)
    return node.value not in given and is_bound(unit.facts.flows, function, node.value)


__all__ = ["decorated_as_constant"]
