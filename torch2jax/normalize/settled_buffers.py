"""Buffers that the line behind their registration computes anew: they are registered with the result.

self.register_buffer("queue", torch.randn(dim, k))    ->   self.register_buffer("queue", F.normalize(torch.randn(dim, k), dim=0))
self.queue = F.normalize(self.queue, dim=0)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.program.statements import statement_behind
from torch2jax.syntax.walk import descendants


def normalize_settled_buffers(work: NormalizationRound) -> None:
    """Normalize all such pairs of lines of a file."""
    for call in work.index.calls:
        match call:
            case cst.Call(
                func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("register_buffer")),
                args=[cst.Arg(value=cst.SimpleString() as name), cst.Arg(value=made), *_],
            ):
                _settle(work, call, made, f"{owner}.{name.raw_value}")


def _settle(work: NormalizationRound, call: cst.Call, made: cst.BaseExpression, place: str) -> None:
    line = work.index.statement_of(call)
    behind = statement_behind(work.index, line)
    match line, behind:
        case (
            cst.SimpleStatementLine(body=[cst.Expr(value=alone)]),
            cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]),
        ) if alone is call and dotted(target) == place:
            reads = [item for item in descendants(value, cst.Attribute) if dotted(item) == place]
            if len(reads) == 1:
                work.edits.replace(reads[0], lambda rewrite: rewrite.inside(made))
                work.edits.replace(made, lambda rewrite: rewrite.expression(value))
                work.edits.remove(behind)


__all__ = ["normalize_settled_buffers"]
