"""Tensors that ask for a gradient which nobody reads, normalized to tensors that do not ask.

self.x = torch.tensor(points, requires_grad=True).float()   ->   self.x = torch.tensor(points).float()
...
u_x = jax.vjp(...)  # it was torch.autograd.grad(u, self.x)

The gradients by them are those of functions by now, and say so themselves: steps need not train such tensors.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import libcst as cst

from torch2jax.facts.gradient_reads import find_gradient_reads
from torch2jax.facts.parameters import given_parameters
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_FLAG, _SETTER = "requires_grad", "requires_grad_"
_ASKING = frozenset({"grad", "grad_fn", "is_leaf", "register_hook", "retain_grad"})
_TRANSFORMS = ("jax", "torch.autograd", "autograd")


def normalize_idle_leaves(work: NormalizationRound) -> None:
    """Normalize all tensors of a file, if no gradient of a tensor is read in the program, and no optimizer trains one."""
    program = work.program
    if not program.mentions("vjp") or not program.mentions("backward"):
        return
    if not program.mentions(_FLAG) and not program.mentions(_SETTER):
        return
    others = [item for item in program.files if item.index is not work.index]
    if any(_asks(node) for item in others for node in item.index.attributes):
        return
    reads = {node for item in find_gradient_reads(program, work.values) for node in item.reads}
    if any(_asks_for_leaf(work, node) for node in work.index.attributes if node not in reads) or not _trains_modules(
        work
    ):
        return
    for call in work.index.calls:
        flag = next((item for item in call.args if item.keyword is not None and item.keyword.value == _FLAG), None)
        if flag is not None and dotted(flag.value) == "True" and "leaf" in work.values(call).types:
            work.edits.replace(call, partial(_without, call, flag))
        elif isinstance(call.func, cst.Attribute) and call.func.attr.value == _SETTER:
            if all(dotted(item.value) == "True" for item in call.args) and _is_plain(work, call.func.value):
                _drop(work, call, call.func.value)
    for store in work.index.every(cst.AssignTarget):
        match store:
            case cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name("requires_grad")) as place):
                if dotted(work.set_alone(place)) == "True" and _is_plain(work, owner):
                    _drop(work, place, None)


def _asks(node: cst.Attribute) -> bool:
    """Whether an attribute asks for a gradient, or for what leads to one."""
    return node.attr.value in _ASKING and dotted(node.value) not in _TRANSFORMS


def _asks_for_leaf(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether an attribute asks for the gradient, or the flag, of what may be no parameter of a module."""
    is_read = node.attr.value == _FLAG and not isinstance(work.index.parents[node], cst.AssignTarget)
    types = work.values(node.value).types
    return (_asks(node) or is_read) and ("parameter" not in types or "leaf" in types)


def _trains_modules(work: NormalizationRound) -> bool:
    """Whether optimizers are given nothing but parameters of modules."""
    for call in work.index.calls:
        if not (work.values.torch_name(call.func) or "").startswith("torch.optim."):
            continue
        if work.values(call).kind is Kind.OPTIMIZER:
            given = given_parameters(call)
            nodes: Iterable[cst.CSTNode] = (given, *descendants(given)) if given is not None else ()
            names = [node for node in nodes if isinstance(node, cst.Name) and not work.index.is_label(node)]
            kinds = {work.values(node).kind for node in (*names, *(n for n in nodes if isinstance(n, cst.Attribute)))}
            if given is None or kinds & {Kind.TENSOR, Kind.LIST, Kind.TUPLE, Kind.DICT}:
                return False
    return True


def _is_plain(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    value = work.values(node)
    return value.kind is Kind.TENSOR and "parameter" not in value.types


def _drop(work: NormalizationRound, node: cst.CSTNode, instead: cst.BaseExpression | None) -> None:
    """Take a line away that does nothing but to ask, or leave the tensor that is asked within one."""
    line = work.index.statement_of(node)
    block = work.index.parents[line]
    if instead is not None and not isinstance(work.index.parents[node], cst.Expr):
        work.edits.replace(node, lambda rewrite: as_expression(rewrite(instead)))
    elif isinstance(block, (cst.IndentedBlock, cst.Module)) and len(block.body) > 1:
        work.edits.remove(line)


def _without(call: cst.Call, flag: cst.Arg, rewrite: Rewriter) -> cst.CSTNode:
    made = cst.ensure_type(rewrite.inside(call), cst.Call)
    kept = [item for item, old in zip(made.args, call.args, strict=True) if old is not flag]
    return made.with_changes(
        args=[*kept[:-1], *(item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in kept[-1:])]
    )


__all__ = ["normalize_idle_leaves"]
