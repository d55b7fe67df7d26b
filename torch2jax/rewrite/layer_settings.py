"""Strides, paddings and dilations that a module sets on convolutions among its parts while it is made.

self.conv.stride = (1, 1)                     ->   self.conv = with_settings(self.conv, stride=(1, 1))
for name, m in self.body.named_modules():          def update_layer(name, m):
    if "conv2" in name:                                if "conv2" in name:
        m.padding, m.dilation = (2, 2), (2, 2)             m = with_settings(m, padding=(2, 2), dilation=(2, 2))
                                                       return m
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import LISTED_MODULE
from torch2jax.facts.module_state import init_methods
from torch2jax.facts.replaced_submodules import is_in_two_fields
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants, elements_of, own_nodes
from torch2jax.values import Kind, Value

SETTINGS = frozenset({"stride", "padding", "dilation"})
_CONVOLUTIONS = frozenset(f"torch.nn.Conv{ndim}d" for ndim in (1, 2, 3))
_POOLINGS = frozenset(f"torch.nn.{kind}Pool{ndim}d" for kind in ("Max", "Avg", "LP") for ndim in (1, 2, 3))
_PLAIN = (Kind.INT, Kind.TUPLE, Kind.LIST)

Settings = tuple[cst.BaseExpression, dict[str, cst.BaseExpression]]


def settings_of_layer(unit: Unit, node: cst.Assign) -> Settings | None:
    """The layer, and its new settings by name, if a statement sets these and the module that holds it is made anew with it."""
    pairs = list(assigned_pairs(node.targets[0].target, node.value)) if len(node.targets) == 1 else []
    given: dict[str, cst.BaseExpression] = {}
    owner: cst.BaseExpression | None = None
    for target, value in pairs:
        if not isinstance(target, cst.Attribute) or target.attr.value not in SETTINGS - given.keys():
            return None
        if value is None or unit.facts.values(value).kind not in _PLAIN:
            return None
        if owner is not None and code(owner) != code(target.value):
            return None
        owner = target.value
        given[target.attr.value] = value
    function = unit.facts.program.function_around(node)
    if owner is None or function is None or not unit.facts.target.immutable:
        return None
    return (owner, given) if _is_held_alone(unit, function, node, owner) else None


def _is_held_alone(unit: Unit, function: Function, node: cst.Assign, owner: cst.BaseExpression) -> bool:
    """Whether a layer is a part of a module that is being made, which nothing else shares, or one of those in a loop over them."""
    if function.owner is None or function not in init_methods(function.owner):
        return False
    value = unit.facts.values(owner)
    is_convolution = value.kind is Kind.MODULE and bool(value.types) and value.types <= _CONVOLUTIONS
    if is_in_two_fields(unit.facts.program, value):
        return False
    if not isinstance(owner, cst.Name):
        return is_convolution and _is_made_in(function, owner)
    loops = [item for item in unit.facts.loops if item.of_modules and item.changed == owner.value]
    around = [item for item in loops if node in descendants(item.loop.body)]
    if is_convolution:
        return bool(around)
    is_listed = LISTED_MODULE in value.types and not _has_own_setting(unit)
    return is_listed and bool(around) and not may_be_pooling(unit, owner)


def _has_own_setting(unit: Unit) -> bool:
    """Whether a module of the program reads a field of such a name, which it may be given in a loop over all parts."""
    return any(_reads_setting(item) for item in unit.facts.program.class_by_key.values() if item.is_module)


def _reads_setting(item: Class) -> bool:
    stored = {part for node in descendants(item.node, cst.AssignTarget) for part in elements_of(node.target)}
    fields = [node for node in descendants(item.node, cst.Attribute) if isinstance(node.value, cst.Name)]
    return any(node.attr.value in SETTINGS and node not in stored for node in fields)


def _is_made_in(function: Function, field: cst.BaseExpression) -> bool:
    """Whether the method itself makes what a field of its module holds."""
    if not isinstance(field, cst.Attribute) or dotted(field.value) != function.self_name:
        return False
    assigned = [node for node in own_nodes(function.node) if isinstance(node, cst.Assign)]
    made = [node.value for node in assigned for item in node.targets if dotted(item.target) == dotted(field)]
    return bool(made) and all(isinstance(node, cst.Call) for node in made)


def may_be_pooling(unit: Unit, part: cst.BaseExpression) -> bool:
    """Whether a variable that goes through the parts of a module has one that pools, which is a function here, with such settings."""
    if LISTED_MODULE not in unit.facts.values(part).types:
        return False
    loops = [node for node in unit.facts.program.index.ancestors(part) if isinstance(node, cst.For)]
    owners = [
        node.iter.func.value
        for node in loops
        if isinstance(node.iter, cst.Call) and isinstance(node.iter.func, cst.Attribute)
    ]
    return any(_holds_pooling(unit, unit.facts.values(owner), set()) for owner in owners)


def _holds_pooling(unit: Unit, value: Value, seen: set[str]) -> bool:
    known = unit.facts.program.class_by_key
    new = [name for name in value.types if name in known and name not in seen]
    seen.update(new)
    held = [*value.parts, *(part for name in new for part in known[name].fields.values())]
    return not value.types.isdisjoint(_POOLINGS) or any(_holds_pooling(unit, part, seen) for part in held)


__all__ = ["SETTINGS", "Settings", "may_be_pooling", "settings_of_layer"]
