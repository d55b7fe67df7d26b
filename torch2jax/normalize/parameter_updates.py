"""Parameters that an operator of Python changes in place are changed by the method of torch that does the same, or by a store.

self.weight *= 2              ->   self.weight.mul_(2)
layer.bias.data -= step       ->   layer.bias.data.sub_(step)
self.weight[0] += 1           ->   self.weight[0].add_(1)
self.weight[mask] += 1        ->   self.weight[mask] = self.weight[mask] + 1

A field that is a parameter stays that parameter: it is not given another tensor, as an assignment would say.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.storage import index_step
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants

_METHODS: dict[type[cst.BaseAugOp], tuple[str, str]] = {
    cst.AddAssign: ("add_", "+"),
    cst.SubtractAssign: ("sub_", "-"),
    cst.MultiplyAssign: ("mul_", "*"),
    cst.DivideAssign: ("div_", "/"),
    cst.PowerAssign: ("pow_", "**"),
}


def normalize_parameter_updates(work: NormalizationRound) -> None:
    """Normalize all such statements of a file."""
    for node in work.index.every(cst.AugAssign):
        method, operator = _METHODS.get(type(node.operator), ("", ""))
        base = node.target.value if isinstance(node.target, cst.Subscript) else node.target
        if not method or not _is_parameter(work, base):
            continue
        if base is node.target or _is_view(work, node.target):
            work.edits.replace(node, partial(_called, node, method))
        elif not any(isinstance(item, (cst.Call, cst.NamedExpr)) for item in descendants(node.target)):
            work.edits.replace(node, partial(_stored, node, operator))


def _is_parameter(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression is a field that holds a parameter, or its `data`."""
    if isinstance(node, cst.Attribute) and node.attr.value == "data":
        node = node.value
    is_field = isinstance(node, cst.Attribute) and dotted(node) is not None
    return is_field and not work.values(node).types.isdisjoint(("parameter", "frozen"))


def _is_view(work: NormalizationRound, place: cst.BaseAssignTargetExpression) -> bool:
    return isinstance(place, cst.Subscript) and not isinstance(index_step(place, work.values), str)


def _called(node: cst.AugAssign, method: str, rewrite: Rewriter) -> cst.CSTNode:
    return cst.Expr(
        quote(f"{{place}}.{method}({{value}})", place=node.target, value=as_expression(rewrite(node.value)))
    )


def _stored(node: cst.AugAssign, operator: str, rewrite: Rewriter) -> cst.CSTNode:
    value = quote(f"{{left}} {operator} {{right}}", left=node.target, right=as_expression(rewrite(node.value)))
    return cst.Assign([cst.AssignTarget(node.target)], value)


__all__ = ["normalize_parameter_updates"]
