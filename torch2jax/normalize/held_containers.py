"""Objects of classes that derive from torch's containers, asked for their members from outside: the field that holds these is asked.

class Flow(nn.Sequential): ...                   ->   (a class with the field `layers`)
flow[0].inverse(u)                                    flow.layers[0].inverse(u)
for block in self.flow: ...                           for block in self.flow.layers: ...

`normalize/layer_subclasses.py` makes the field. A class that says itself what is at a place, or how many there are, is asked.
Of sequences with parts beside their other layers, no field holds all members.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.layer_subclasses import FIRST_LAYERS, MEMBER_FIELDS, is_asked_for_members
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always
from torch2jax.syntax.problem import Problem
from torch2jax.values import Kind

_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_OWN = frozenset({"__getitem__", "__iter__", "__len__"})


def normalize_held_containers(work: NormalizationRound) -> None:
    """Normalize all places that go through such objects, index them or ask for their length."""
    for node in work.index.every(cst.Name, cst.Attribute, cst.Subscript, cst.Call):
        if not is_asked_for_members(work.index, node):
            continue
        value = work.values(node)
        known = [work.program.class_by_key.get(key) for key in value.types] if value.kind is Kind.MODULE else []
        fields = {_field_of_members(item) if item is not None else None for item in known}
        if FIRST_LAYERS in fields:
            work.problems.append(Problem(node, "T2J603", {"name": f"the members of {code(node)}"}))
        elif len(fields) == 1 and (field := fields.pop()) is not None:
            work.edits.replace(node, always(cst.Attribute(work.copy(node), cst.Name(field))))


def _field_of_members(item: Class) -> str | None:
    """The field in which a class holds what it contained in torch; None of a class of another kind."""
    lineage = item.lineage
    if not item.is_module or any(name in owner.methods for owner in lineage for name in _OWN):
        return None
    fields = {
        name: owner.fields[name] for owner in lineage for name in (*MEMBER_FIELDS, FIRST_LAYERS) if name in owner.fields
    }
    held = [name for name, value in fields.items() if value.kind is Kind.MODULE and value.types <= _CONTAINERS]
    return held[0] if len(held) == 1 else None


__all__ = ["normalize_held_containers"]
