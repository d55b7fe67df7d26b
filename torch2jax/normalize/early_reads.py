"""Buffers that an expression reads before a layer in it changes them are reported, where modules change in place.

return bn.running_mean, bn(x)      T2J303: torch hands out the tensor that is changed, JAX the one before the change
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.module_state import LAYER_FIELDS, is_state
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind

_VIEWS = frozenset({"detach", "view", "view_as", "T", "data", "squeeze", "unsqueeze", "t", "reshape", "flatten"})


def normalize_early_reads(work: NormalizationRound) -> None:
    """Report all such expressions of a file."""
    if work.effects is None or work.effects.threads:
        return  # modules are values: what is read is settled where the state is passed on
    for read in work.index.every(cst.Attribute):
        if _is_buffer(work, read) and (call := _later_call(work, _element(work, read))) is not None:
            work.problems.append(Problem(call, "T2J303", {"name": code(read.value), "other": code(read)}))


def _is_buffer(work: NormalizationRound, read: cst.Attribute) -> bool:
    if read.attr.value in LAYER_FIELDS:
        return work.values(read.value).kind is Kind.MODULE
    return work.values(read).kind is Kind.TENSOR and is_state(work.program, work.values, read)


def _element(work: NormalizationRound, read: cst.BaseExpression) -> cst.CSTNode:
    """The largest expression that still shares the storage of a buffer: `bn.running_mean.view(-1)[0]`."""
    node: cst.CSTNode = read
    while True:
        above = work.index.parents[node]
        is_view = isinstance(above, cst.Attribute) and above.value is node and above.attr.value in _VIEWS
        is_inner = isinstance(above, (cst.Call, cst.Subscript)) and node in (
            above.func if isinstance(above, cst.Call) else above.value,
        )
        if not is_view and not is_inner:
            return node
        node = above


def _later_call(work: NormalizationRound, node: cst.CSTNode) -> cst.Call | None:
    """The call of a module in what follows an element or argument in the same tuple, list, dictionary or call."""
    holder = work.index.parents[node]
    if not isinstance(holder, (cst.Element, cst.Arg, cst.DictElement)):
        return None
    siblings = list(children(work.index.parents[holder]))
    for sibling in siblings[siblings.index(holder) + 1 :]:
        for item in (sibling, *descendants(sibling)):
            if isinstance(item, cst.Call) and _runs_module(work, item):
                return item
    return None


def _runs_module(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is that of a module, or of a function that calls one."""
    if work.values(call.func).kind is Kind.MODULE:
        return True
    inner = [item for callee in work.values.callees.get(call, ()) for item in descendants(callee.node.body)]
    return any(isinstance(item, cst.Call) and work.values(item.func).kind is Kind.MODULE for item in inner)


__all__ = ["normalize_early_reads"]
