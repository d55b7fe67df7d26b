"""Arrays of NumPy that are made of tensors and then changed in place: they are copies, since arrays of JAX cannot be changed.

img = out.numpy()        ->   img = np.array(out)
img *= 255                    img *= 255
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.facts.numpy_aliases import written_arrays
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote


def rewrite_written_arrays(unit: Unit) -> None:
    """Runs behind calls, which say how such an array is made."""
    for call in written_arrays(unit.facts.values):
        build = unit.edits.nodes.get(call)
        if build is not None:
            unit.edits.replace(call, _copied(build), override=True)


def _copied(build: Callable[[Rewriter], cst.CSTNode]) -> Callable[[Rewriter], cst.CSTNode]:
    """The edit that makes a new array of what another one makes."""

    def copy(rewrite: Rewriter) -> cst.CSTNode:
        made = as_expression(build(rewrite))
        match made:
            case cst.Call(func=cst.Attribute(value=cst.Name("np"), attr=cst.Name("asarray")), args=[argument]):
                return quote("np.array({x})", x=argument.value)
        return quote("np.array({x})", x=made)

    return copy


__all__ = ["rewrite_written_arrays"]
