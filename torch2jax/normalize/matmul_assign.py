"""`x @= y`, normalized to `x = x @ y`: it is the one assignment of its kind that makes torch no new values in place."""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import as_expression
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind


def normalize_products(work: NormalizationRound) -> None:
    """Normalize all such statements of a file whose target is a tensor."""
    for node in work.index.every(cst.AugAssign):
        if not isinstance(node.operator, cst.MatrixMultiplyAssign) or work.values(node.target).kind is not Kind.TENSOR:
            continue
        base = node.target.value if isinstance(node.target, cst.Subscript) else node.target
        if dotted(base) is None:  # what a call gives would be asked for twice
            continue
        work.edits.replace(
            node,
            lambda rewrite, node=node: cst.Assign(  # type: ignore[misc]
                [cst.AssignTarget(node.target)],
                quote("{left} @ {right}", left=node.target, right=as_expression(rewrite(node.value))),
            ),
        )


__all__ = ["normalize_products"]
