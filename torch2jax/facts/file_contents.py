"""Variables with what is read from a file of torch: numbers, or arrays of NumPy, which change in place as tensors do.

step = 0
if resume:
    checkpoint = torch.load(path)
    step = checkpoint["step"]
...
step += 1                           a number on both ways; an array would change in `checkpoint`, too, as in torch

A must-analysis over definitions.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.definitions import Definition, How


def is_number_or_read(name: cst.Name, values: Values, seen: frozenset[cst.CSTNode] = frozenset()) -> bool:
    """Whether a variable holds a number, or what a file held, and was at most changed by numbers."""
    if name in seen:
        return True
    definitions = values.program.definitions.of(name)
    return bool(definitions) and all(_is_plain(item, values, seen | {name}) for item in definitions)


def _is_plain(definition: Definition, values: Values, seen: frozenset[cst.CSTNode]) -> bool:
    if isinstance(change := definition.node, cst.AugAssign) and isinstance(change.target, cst.Name):
        return values(change.value).is_number and is_number_or_read(change.target, values, seen)
    if definition.how is not How.ASSIGNED or definition.value is None:
        return False
    return values(definition.value).is_number or _is_read(definition.value, values)


def _is_read(node: cst.BaseExpression, values: Values) -> bool:
    """Whether an expression is an entry of what `torch.load` gives, which nothing else is put into."""
    while isinstance(node, cst.Subscript):
        node = node.value
    if isinstance(node, cst.Call):
        return values.torch_name(node.func) == "torch.load"
    if not isinstance(node, cst.Name) or _gets_entries(node, values):
        return False
    definitions = values.program.definitions.of(node)
    return bool(definitions) and all(
        item.how is How.ASSIGNED and isinstance(item.value, (cst.Call, cst.Subscript)) and _is_read(item.value, values)
        for item in definitions
    )


def _gets_entries(container: cst.Name, values: Values) -> bool:
    """Whether something is stored into a variable's container somewhere: `checkpoint["step"] = step`."""
    parents = values.program.index.parents
    for name in values.program.index.names:
        if name.value != container.value:
            continue
        place: cst.CSTNode = name
        while isinstance(parent := parents[place], cst.Subscript) and parent.value is place:
            place = parent
        if place is not name and isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and parent.target is place:
            return True
        if isinstance(parent, cst.Attribute) and parent.attr.value in ("update", "setdefault"):
            return True
    return False


__all__ = ["is_number_or_read"]
