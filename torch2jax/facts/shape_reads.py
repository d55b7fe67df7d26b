"""Lists of tensors that are only counted, or asked for shapes, which training does not change.

len(trained)                         sum(p.numel() for p in trained)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.program.flow import Flow
from torch2jax.program.program import Program, dotted

_OF_SHAPES = frozenset({"dim", "dtype", "ndim", "numel", "shape", "size"})


def asks_shapes(program: Program, node: cst.BaseExpression) -> bool:
    """Whether the tensors in a list are only counted, or asked for their shapes, where it is read."""
    parents = program.index.parents
    parent = parents[node]
    if isinstance(parent, cst.Arg):
        call = parents[parent]
        return isinstance(call, cst.Call) and dotted(call.func) == "len"
    if not isinstance(parent, (cst.For, cst.CompFor)) or not isinstance(parent.target, cst.Name):
        return False
    uses = [parents[use] for use in program.definitions.uses_at(parent.target)]
    return all(isinstance(use, cst.Attribute) and use.attr.value in _OF_SHAPES for use in uses)


def tensors_read_at(program: Program, target: cst.Name, flow: Flow) -> set[cst.CSTNode] | None:
    """The points of a flow that read more than shapes of the tensors in a list, which is bound at a name; None if something
    else than the flow reads it.
    """
    found: set[cst.CSTNode] = set()
    for use in program.definitions.uses_at(target):
        if asks_shapes(program, use):
            continue
        point = next((item for item in program.index.ancestors(use) if item in flow), None)
        if point is None or program.function_around(use) is not program.function_around(target):
            return None
        found.add(point)
    return found


__all__ = ["asks_shapes", "tensors_read_at"]
