"""Parts of a module that are gone through in one order or the other: a reversed list has them, which is of the same kind.

flows = self.flows                 ->   flows = self.flows
if reverse:                             if reverse:
    flows = reversed(self.flows)            flows = self.flows[::-1]
for flow in flows:                      for flow in flows:
    x = flow(x)                             x = flow(x)

An iterator that may be gone through twice stays: it is used up then.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import own_nodes
from torch2jax.values import Kind

_LISTS = frozenset({"torch.nn.ModuleList", "torch.nn.Sequential"})
_LOOPS = (cst.For, cst.While)


def normalize_reversed_parts(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    for call in work.index.calls:
        if dotted(call.func) != "reversed" or len(call.args) != 1 or call.args[0].star:
            continue
        value = work.values(call.args[0].value)
        if value.kind is Kind.MODULE and value.types and value.types <= _LISTS and _is_one_of_two(work, call):
            work.edits.replace(call, partial(_reversed, call.args[0].value))


def _is_one_of_two(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether something else may stand in the place of a reversed list, and what does is gone through once."""
    outer: cst.BaseExpression = call
    parent = work.index.parents[call]
    while isinstance(parent, cst.IfExp) and parent.test is not outer:
        outer, parent = parent, work.index.parents[parent]
    if isinstance(parent, (cst.For, cst.CompFor)):
        return outer is not call and parent.iter is outer
    match parent:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]):
            return _is_read_once(work, parent, name)
    return False


def _is_read_once(work: NormalizationRound, made: cst.Assign, name: str) -> bool:
    """Whether a variable is read in one place, by a loop that goes through it as often as it is made."""
    function = work.program.function_around(made)
    if function is None:
        return False
    bound = {node.target for node in own_nodes(function.node) if isinstance(node, cst.AssignTarget)}
    named = [node for node in own_nodes(function.node) if isinstance(node, cst.Name) and node.value == name]
    reads = [node for node in named if node not in bound and not work.index.is_label(node)]
    if len(reads) != 1 or name in function.parameter_names:
        return False
    loop = work.index.parents[reads[0]]
    if not isinstance(loop, cst.For) or loop.iter is not reads[0]:
        return False
    around = {item for item in work.index.ancestors(loop) if isinstance(item, _LOOPS)}
    return around <= set(work.index.ancestors(made))


def _reversed(parts: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return quote("{parts}[::-1]", parts=rewrite.expression(parts))


__all__ = ["normalize_reversed_parts"]
