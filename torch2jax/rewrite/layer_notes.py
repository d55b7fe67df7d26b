"""Constants that a module notes on its layers, for what looks at these later: `self.proj.SCALE = 1`."""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.module_state import LAYER_FIELDS
from torch2jax.ops.signatures import parse_signature
from torch2jax.program.program import dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.values import Kind


def is_note_on_layer(unit: Unit, target: cst.Attribute) -> bool:
    """Whether `self.proj.SCALE = 1` notes a constant on a layer of the library, under a name that torch does not use."""
    parents, owner = unit.facts.program.index.parents, unit.facts.values(target.value)
    layers = [unit.facts.tables.layers.get(name) for name in owner.types]
    if unit.facts.target.noted is None or owner.kind is not Kind.MODULE or not layers or not all(layers):
        return False
    bound = unit.facts.effects.bound
    if bound is not None and not bound.is_inside(unit.facts.program, target):
        return False  # a setting of a model
    known = {item.name for layer in layers if layer is not None for item in parse_signature(layer.signature).parameters}
    name = target.attr.value
    assign = parents[parents[target]]
    kinds = (Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR)
    is_plain = isinstance(assign, cst.Assign) and unit.facts.values(assign.value).kind in kinds
    return (
        is_plain
        and name not in known | LAYER_FIELDS | {"weight", "bias", "training"}
        and dotted(target.value) is not None
    )


__all__ = ["is_note_on_layer"]
