"""Tensors in fields that ask for gradients in a line of their own, normalized to where they are made.

self.log_alpha = torch.tensor(-2.0)          ->   self.log_alpha = torch.tensor(-2.0).requires_grad_()
self.log_alpha.requires_grad = True
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind


def normalize_leaf_fields(work: NormalizationRound) -> None:
    """Normalize all lines that follow the one which makes their tensor."""
    if not work.program.mentions("requires_grad") and not work.program.mentions("requires_grad_"):
        return
    for block in work.index.every(cst.IndentedBlock):
        assert isinstance(block, cst.IndentedBlock)
        for made, asked in pairwise(block.body):
            call = _made(work, made, asks_gradients(asked))
            if call is not None:
                work.edits.replace(call, partial(_asked_at_once, call))
                work.edits.remove(asked)


def asks_gradients(line: cst.BaseStatement) -> str | None:
    """The place of the tensor that a line asks gradients of."""
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Attribute(value=place, attr=cst.Name("requires_grad")))],
                    value=cst.Name("True"),
                )
            ]
        ):
            return dotted(place)
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(
                    value=cst.Call(
                        func=cst.Attribute(value=place, attr=cst.Name("requires_grad_")),
                        args=[] | [cst.Arg(value=cst.Name("True"))],
                    )
                )
            ]
        ):
            return dotted(place)
    return None


def _made(work: NormalizationRound, line: cst.BaseStatement, place: str | None) -> cst.Call | None:
    """The call with which a line makes the tensor of a field that is no parameter."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)], value=cst.Call() as call)]
        ) if place is not None and dotted(target) == place:
            value = work.values(call)
            is_plain = value.kind is Kind.TENSOR and "parameter" not in value.types
            return call if is_plain and work.values.torch_name(call.func) is not None else None
    return None


def _asked_at_once(call: cst.Call, rewrite: Rewriter) -> cst.CSTNode:
    return quote("{call}.requires_grad_()", call=as_expression(rewrite.inside(call)))


__all__ = ["asks_gradients", "normalize_leaf_fields"]
