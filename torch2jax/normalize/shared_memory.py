"""Tensors and modules that are put into memory which processes share, normalized to themselves where there is one process.

model.share_memory()                               ->
state["exp_avg"] = zeros.share_memory_()           ->   state["exp_avg"] = zeros
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Program, dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.values import Kind

_SHARING = frozenset({"share_memory", "share_memory_"})
_WITH_PROCESSES = frozenset(
    {"multiprocessing", "concurrent", "joblib", "ray"}
)  # torch's own are refused where they start
_HOLDING = (Kind.TENSOR, Kind.MODULE, Kind.UNKNOWN)


def normalize_shared_memory(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    if not any(map(work.program.mentions, _SHARING)) or any(map(_starts_processes, work.program.files)):
        return
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name)), args=[]) if name in _SHARING:
                if work.values(owner).kind not in _HOLDING:
                    continue
                parent = work.index.parents[call]
                if isinstance(parent, cst.Expr) and (dotted(owner) is not None or isinstance(owner, cst.Subscript)):
                    work.edits.remove(work.index.statement_of(call))
                else:
                    work.edits.replace(call, partial(_itself, owner))


def _itself(owner: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return as_expression(rewrite.expression(owner))


def _starts_processes(file: Program) -> bool:
    """Whether a file imports what runs functions in processes of their own, which would see what is shared."""
    named = [alias.name for line in file.index.every(cst.Import) for alias in line.names]
    named += [line.module for line in file.index.every(cst.ImportFrom) if line.module is not None and not line.relative]
    return any((dotted(name) or "").partition(".")[0] in _WITH_PROCESSES for name in named)


__all__ = ["normalize_shared_memory"]
