"""Fields of modules that hold something without a hash, by which compiled code of a library knows what is no array.

self.taps = {0, 2}               self.taps = frozenset({0, 2})        where nothing changes the set
self.recent = deque(maxlen=8)    steps that are given the module are left uncompiled                         T2J505
"""

from __future__ import annotations

import libcst as cst

from torch2jax.program.program import Class, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.values import Kind, Value

_WITHOUT_HASH = frozenset({"bytearray", "Counter", "deque", "set"})


def is_kept_set(unit: Unit, name: str, made: cst.BaseExpression) -> bool:
    """Whether a field is given a new set that nothing changes."""
    if not _is_set(made):
        return False
    indices = [file.index for file in unit.facts.program.files]
    uses = (index.parents.get(node) for index in indices for node in index.attributes if node.attr.value == name)
    return not any(isinstance(use, cst.Attribute | cst.AugAssign) for use in uses)


def unhashed_field(unit: Unit, value: Value, seen: frozenset[str] = frozenset()) -> str | None:
    """The name of a field of a module, or of a part of it, that holds a set, a deque or a counter."""
    if not unit.facts.target.immutable:
        return None
    effects = unit.facts.effects
    for item in [item for item in effects.classes_of(value) if item.key not in seen]:
        for name, held in item.all_fields():
            parts = (held, *effects.members(held)) if held.kind is Kind.MODULE or held.is_sequence else ()
            found = (unhashed_field(unit, part, seen | {item.key}) for part in parts if part.kind is Kind.MODULE)
            if _has_no_hash(unit, item.keeper(name), name):
                return name
            if (inner := next((field for field in found if field is not None), None)) is not None:
                return inner
    return None


def _has_no_hash(unit: Unit, item: Class, name: str) -> bool:
    place = item.field_nodes.get(name, item.node)
    parents = unit.facts.program.home(place).index.parents
    target = parents.get(place)  # none where another file gives the field a value: `model.features = ...`
    line = parents.get(target) if target is not None else None
    made = line.value if isinstance(line, cst.Assign) else None
    if made is None or is_kept_set(unit, name, made):
        return False
    return _is_set(made) or (isinstance(made, cst.Call) and str(dotted(made.func)).split(".")[-1] in _WITHOUT_HASH)


def _is_set(made: cst.BaseExpression) -> bool:
    return isinstance(made, cst.Set | cst.SetComp) or (isinstance(made, cst.Call) and dotted(made.func) == "set")


__all__ = ["is_kept_set", "unhashed_field"]
