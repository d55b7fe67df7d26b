"""Biases of layers that keep axes of size 1 behind torch's one: they are read, and given other values, in torch's shape.

conv.bias.mean()              ->   conv.bias.reshape(-1).mean()
[conv.bias]                   ->   [torch_view(conv.bias, (-1,))]    for an optimizer these are the same parameter
conv.bias.copy_(b)            ->   conv = eqx.tree_at(lambda m: m.bias, conv, b.reshape(conv.bias.shape))
nn.init.zeros_(conv.bias)     ->   (filled as it is: no shape is seen)
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.module_state import is_target
from torch2jax.facts.storage import without_data
from torch2jax.program.program import dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind

_FILLING = frozenset({"zero_", "fill_", "uniform_", "normal_"})
_TAKING = frozenset(f"torch.nn.functional.conv{n}d" for n in (1, 2, 3))


def rewrite_layer_biases(unit: Unit) -> None:
    """Rewrite all reads whose shape may be seen; runs before statements, which give places other values."""
    if not unit.facts.target.wide_biases:
        return
    for node in unit.facts.program.index.attributes:
        if is_wide_bias(unit, node) and shows_shape(unit, node) and node not in unit.edits.nodes:
            template = "torch_view({x}, (-1,))" if _is_listed(unit, node) else "{x}.reshape(-1)"
            unit.edits.replace(node, partial(_flat, node, template))


def is_wide_bias(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a place is the bias of a layer that may keep it with more axes than torch's has."""
    if not isinstance(node, cst.Attribute) or node.attr.value != "bias":
        return False
    owner = unit.facts.values(node.value)
    return owner.kind is Kind.MODULE and not owner.types.isdisjoint(unit.facts.target.wide_biases)


def in_kept_shape(
    unit: Unit, line: cst.SimpleStatementLine, place: cst.BaseExpression, value: cst.BaseExpression
) -> cst.BaseExpression:
    """The new value of a place, in the shape in which the layer keeps it."""
    if not is_wide_bias(unit, place) or any(fills(unit, node) for item in line.body for node in _calls(item)):
        return value
    return quote("{value}.reshape({place}.shape)", value=value, place=place.deep_clone())


def fills(unit: Unit, call: cst.Call) -> bool:
    """Whether a call gives a tensor values of which none depends on its shape."""
    name = unit.facts.values.torch_name(call.func)
    if name is not None:
        return name.startswith("torch.nn.init.")
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in _FILLING


def _calls(item: cst.CSTNode) -> list[cst.Call]:
    return [item.value] if isinstance(item, cst.Expr) and isinstance(item.value, cst.Call) else []


def _flat(node: cst.Attribute, template: str, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(template, x=as_expression(rewrite.inside(node)))


def _is_listed(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a bias is one of several tensors, of which an optimizer may ask which parameters they are."""
    parents = unit.facts.program.index.parents
    match parents[node]:
        case cst.Yield() | cst.Element():
            return True
        case cst.GeneratorExp(elt=made) | cst.ListComp(elt=made) | cst.SetComp(elt=made):
            return made is node
        case cst.Arg() as given:
            call = parents[given]
            return isinstance(call, cst.Call) and str(dotted(call.func)).endswith((".append", ".add"))
    return False


def shows_shape(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a bias is read where its shape makes a difference."""
    parents, program = unit.facts.program.index.parents, unit.facts.program
    place: cst.CSTNode = node
    while isinstance(parents[place], cst.Attribute) and parents[place].attr.value == "data":  # type: ignore[attr-defined]
        place = parents[place]
    parent = parents[place]
    if is_target(program, node) or is_target(program, place):
        return isinstance(parent, cst.AugAssign)
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget, cst.If, cst.IfExp)) or parent is None:
        return False
    outer = parents[parent]
    if isinstance(parent, cst.Attribute) and isinstance(outer, cst.Call) and outer.func is parent:
        return not fills(unit, outer) and parent.attr.value not in ("reshape", "view", "flatten", "ravel", "numel")
    if isinstance(parent, cst.Attribute):
        return parent.attr.value not in ("dtype", "device", "requires_grad", "grad", "is_cuda")
    if isinstance(parent, cst.Arg) and isinstance(outer, cst.Call):
        return not (fills(unit, outer) and without_data(outer.args[0].value, unit.facts.values) is node) and not _takes(
            unit, outer
        )
    return True


def _takes(unit: Unit, call: cst.Call) -> bool:
    return unit.facts.values.torch_name(call.func) in _TAKING


__all__ = ["in_kept_shape", "is_wide_bias", "rewrite_layer_biases", "shows_shape"]
