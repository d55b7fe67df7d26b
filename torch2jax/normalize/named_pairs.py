"""Pairs of a name and a part, which loops take apart by position: these get two variables.

for m in net.named_modules():               for name, m in net.named_modules():
    if isinstance(m[1], nn.Conv2d):   ->        if isinstance(m, nn.Conv2d):
        print(m[0])                                 print(name)
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants, is_label
from torch2jax.values import Kind

_PAIRS = frozenset({"named_modules", "named_children", "named_parameters", "named_buffers"})


def normalize_named_pairs(work: NormalizationRound) -> None:
    """Normalize all such loops whose variable is read by position only."""
    if not any(map(work.program.mentions, _PAIRS)):
        return
    loops: dict[tuple[cst.CSTNode, str], list[cst.For]] = {}
    for loop in work.index.every(cst.For):
        if isinstance(loop.target, cst.Name) and _gives_pairs(work, loop.iter):
            scope: cst.CSTNode = work.index.function_of(loop) or work.index.module
            loops.setdefault((scope, loop.target.value), []).append(loop)
    for (around, name), found in loops.items():
        _take_apart(work, around, name, found)


def _gives_pairs(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call(func=cst.Name("list"), args=[cst.Arg(value=inner, star="")]):
            return _gives_pairs(work, inner)
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method))):
            return method in _PAIRS and work.values(module).kind in (Kind.MODULE, Kind.UNKNOWN)
    return False


def _take_apart(work: NormalizationRound, scope: cst.CSTNode, name: str, loops: list[cst.For]) -> None:
    """Give the loops two variables, if the one that they have is bound by them alone and read by position inside them."""
    inside = {node for loop in loops for node in descendants(loop.body)}
    reads: list[tuple[cst.CSTNode, int]] = []
    for node in descendants(scope):
        if not isinstance(node, cst.Name) or node.value != name or is_label(node, work.index.parents[node]):
            continue
        if any(node is loop.target for loop in loops):
            continue
        position = _position(work, node)
        if position is None or node not in inside:
            return
        reads.append((work.index.parents[node], position))
    first = work.fresh("name") if any(position == 0 for _, position in reads) else "_"
    for loop in loops:
        work.edits.replace(loop.target, partial(_pair, first, name))
    for read, position in reads:
        work.edits.replace(read, partial(_named, (first, name)[position]))


def _position(work: NormalizationRound, node: cst.Name) -> int | None:
    """The 0 or 1 of `m[0]` and `m[1]`, which are read."""
    parent = work.index.parents[node]
    match parent:
        case cst.Subscript(
            value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer("0" | "1" as at)))]
        ):
            is_read = value is node and not isinstance(work.index.parents[parent], (cst.AssignTarget, cst.AugAssign))
            return int(at) if is_read and not isinstance(work.index.parents[parent], cst.Del) else None
    return None


def _pair(first: str, second: str, rewrite: Rewriter) -> cst.CSTNode:
    return cst.Tuple([cst.Element(cst.Name(first)), cst.Element(cst.Name(second))], lpar=(), rpar=())


def _named(name: str, rewrite: Rewriter) -> cst.CSTNode:
    return quote(name)


__all__ = ["normalize_named_pairs"]
