"""Whose parameters an expression stands for: `model.parameters()` and what people write to pick the trained ones of them."""

from __future__ import annotations

import libcst as cst

from torch2jax.analysis.program import dotted
from torch2jax.syntax.walk import descendants

_FLAG = "requires_grad"


def parameters_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The module in `model.parameters()`, `filter(lambda p: p.requires_grad, model.parameters())`, `[p for p in
    model.parameters() if p.requires_grad]`: all that is trained.
    """
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            return module
        case cst.Call(func=cst.Name("list" | "tuple" | "iter"), args=[cst.Arg(value=inner, star="", keyword=None)]):
            return parameters_of(inner)
        case cst.Call(func=cst.Name("filter"), args=[cst.Arg(value=cst.Lambda() as chosen), cst.Arg(value=inner)]):
            first = chosen.params.params[0].name.value if chosen.params.params else None
            return parameters_of(inner) if dotted(chosen.body) == f"{first}.{_FLAG}" else None
        case cst.ListComp() | cst.GeneratorExp():
            loop = node.for_in
            if not isinstance(node.elt, cst.Name) or dotted(loop.target) != node.elt.value or loop.inner_for_in:
                return None
            asked = [dotted(condition.test) for condition in loop.ifs]
            return parameters_of(loop.iter) if asked in ([], [f"{node.elt.value}.{_FLAG}"]) else None
    return None


def chosen_parameters(node: cst.BaseExpression, scope: cst.CSTNode) -> cst.BaseExpression | None:
    """The same, through a variable that is bound once."""
    if isinstance(node, cst.Name):
        bound = [
            item.value
            for item in descendants(scope)
            if isinstance(item, cst.Assign) and any(dotted(target.target) == node.value for target in item.targets)
        ]
        return parameters_of(bound[0]) if len(bound) == 1 and not isinstance(bound[0], cst.Name) else None
    return parameters_of(node)


__all__ = ["chosen_parameters", "parameters_of"]
