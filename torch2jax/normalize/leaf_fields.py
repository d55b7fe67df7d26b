"""Tensors in fields that ask for gradients in a line of their own, normalized to where they are made.

self.log_alpha = torch.tensor(-2.0)          ->   self.log_alpha = torch.tensor(-2.0).requires_grad_()
self.log_alpha.requires_grad = True
alpha_loss = (self.alpha * gap).mean()       ->   alpha_loss = (self.log_alpha.exp() * gap).mean()
alpha_loss.backward()

A property that reads such a field is written out where gradients are taken: these go through what stands in sight.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import CASTING, PLACING
from torch2jax.program.calls import chain_start
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.syntax.edits import Rewriter, as_expression, is_docstring
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import descendants, own_nodes
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
    for function in work.program.functions.values():
        if "property" in function.decorators and function.node in work.index.parents:
            _write_out_property(work, function)


def _write_out_property(work: NormalizationRound, function: Function) -> None:
    """Write what a property gives where its class takes gradients, if that is computed from a tensor that is trained."""
    owner, given = function.owner, _given(function)
    if owner is None or owner.is_module or given is None or not _reads_leaf(work, given):
        return
    classes = work.program.class_by_key.values()
    if any(item is not owner and owner in item.lineage and function.name in item.methods for item in classes):
        return
    for node in work.index.attributes:
        around = work.program.function_around(node) if node.attr.value == function.name else None
        if around is None or around is function or around.owner is None or owner not in around.owner.lineage:
            continue
        is_own = dotted(node.value) == around.self_name == function.self_name
        is_own = is_own and not (names_in(given) - {around.self_name}) & around.env.keys()
        passes = any(
            isinstance(item, cst.Attribute) and item.attr.value == "backward" for item in own_nodes(around.node)
        )
        if is_own and passes and not isinstance(work.index.parents[node], cst.AssignTarget):
            work.edits.replace(node, lambda rewrite: quote("({given})", given=work.copy(given)))


def _given(function: Function) -> cst.BaseExpression | None:
    """What a function that does nothing else gives back."""
    body = [line for line in suite_body(function.node) if not is_docstring(line)]
    match body:
        case [cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as value)])]:
            return value
    return None


def _reads_leaf(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    values = [work.values(item) for item in (node, *descendants(node)) if isinstance(item, cst.Attribute)]
    return any(value.kind is Kind.TENSOR and "leaf" in value.types for value in values)


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
            value, start = work.values(call), chain_start(call, PLACING | CASTING)
            is_plain = value.kind is Kind.TENSOR and "parameter" not in value.types
            is_made = isinstance(start, cst.Call) and work.values.torch_name(start.func) is not None
            return call if is_plain and is_made else None
    return None


def _asked_at_once(call: cst.Call, rewrite: Rewriter) -> cst.CSTNode:
    return quote("{call}.requires_grad_()", call=as_expression(rewrite.inside(call)))


__all__ = ["asks_gradients", "normalize_leaf_fields"]
