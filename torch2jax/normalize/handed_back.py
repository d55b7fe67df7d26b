"""Optimizers and schedulers that a function changes and gives back are called for what is done to them.

def slower(optimizer, epoch):                    def slower(optimizer, epoch):
    for group in optimizer.param_groups:             for group in optimizer.param_groups:
        group["lr"] = 0.1 / epoch          ->            group["lr"] = 0.1 / epoch
    return optimizer                                 return optimizer

optimizer = slower(optimizer, epoch)             slower(optimizer, epoch)

In torch the variable holds the object that it held before.
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.facts.infer import parameter_returned
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.values import Kind

_KEPT_BESIDE = (Kind.OPTIMIZER, Kind.SCHEDULER)


def normalize_handed_back(work: NormalizationRound) -> None:
    """Bind no variable to the optimizer or scheduler that it holds."""
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as call)] if work.values(
                target
            ).kind in _KEPT_BESIDE and _gives_back(work, call, dotted(target)):
                work.edits.rewrite_statement(line, _called(line, call))


def _gives_back(work: NormalizationRound, call: cst.Call, place: str | None) -> bool:
    """Whether all functions that a call may reach return the very argument that lies at a place, and nothing else."""
    reached = work.values.callees.get(call, ())
    for function in reached:
        name = parameter_returned(function.node)
        given = dict(arguments_by_parameter(function, call, work.values)).get(name) if name is not None else None
        if given is None or place is None or dotted(given) != place:
            return False
    return bool(reached)


def _called(line: cst.SimpleStatementLine, call: cst.Call) -> Callable[[Rewriter], list[cst.BaseStatement]]:
    return lambda rewrite: [line.with_changes(body=[cst.Expr(rewrite.expression(call))])]


__all__ = ["normalize_handed_back"]
