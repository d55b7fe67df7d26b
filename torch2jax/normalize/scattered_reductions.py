"""Collectives on one tensor for all processes, in terms of reductions and lists of what each process has.

dist.reduce_scatter_tensor(out, x)            total = x.clone()
                                        ->    dist.all_reduce(total)
                                              out.copy_(total.reshape(dist.get_world_size(), *out.shape)[dist.get_rank()])

dist.reduce_scatter(out, parts)               total = torch.stack(parts)
                                        ->    dist.all_reduce(total)
                                              out.copy_(total[dist.get_rank()])

dist.all_gather_into_tensor(out, x)           parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
                                        ->    dist.all_gather(parts, x)
                                              out.copy_(torch.stack(parts).view_as(out))
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.reductions import is_bound
from torch2jax.normalize.parallel import asks_for_first, named_arguments, spelled_for_processes, waits_for
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants

_DIST = "torch.distributed"
_SCATTER, _GATHER = (
    ("output", "input", "op", "group", "async_op"),
    ("output_tensor", "input_tensor", "group", "async_op"),
)
_COLLECTIVES = {
    "reduce_scatter_tensor": _SCATTER,
    "reduce_scatter_single": _SCATTER,  # its name since torch 2.13
    "reduce_scatter": ("output", "input_list", "op", "group", "async_op"),
    "all_gather_into_tensor": _GATHER,
    "all_gather_single": _GATHER,
}


def normalize_scattered_reductions(work: NormalizationRound) -> None:
    """Normalize all such statements of a file."""
    if not any(map(work.program.mentions, _COLLECTIVES)):
        return
    for call in work.index.calls:
        module, _, word = (work.values.torch_name(call.func) or "").rpartition(".")
        if module == _DIST and word in _COLLECTIVES:
            _spell_out(work, call, word)


def _spell_out(work: NormalizationRound, call: cst.Call, word: str) -> None:
    line, torch, names = work.index.statement_of(call), work.torch_alias(), _COLLECTIVES[word]
    given, dist = named_arguments(call, names), spelled_for_processes(work, "")
    if given is None or dist is None or torch is None or not isinstance(line, cst.SimpleStatementLine):
        return
    out, source, waiting = given.get(names[0]), given.get(names[1]), waits_for(work, call, given)
    is_whole = dotted(given.get("group", cst.Name("None"))) == "None"
    if not is_whole or waiting is None or out is None or source is None or dotted(out) is None or len(line.body) != 1:
        return
    is_simple = isinstance(source, (cst.Name, cst.Attribute, cst.Call, cst.Subscript))
    x, place, fresh = code(source) if is_simple else f"({code(source)})", dotted(out), work.names_at(call)
    world, rank = f"{dist}get_world_size()", "0" if _is_for_first(work, out, call) else f"{dist}get_rank()"
    if names is _GATHER:
        parts = fresh("parts")
        lines = [
            f"{parts} = [{torch}.empty_like({x}) for _ in range({world})]",
            f"{dist}all_gather({parts}, {x})",
            f"{place}.copy_({torch}.stack({parts}).view_as({place}))",
        ]
    else:
        total, op = fresh("total"), f", op={code(given['op'])}" if "op" in given else ""
        is_list = word == "reduce_scatter"
        lines = [
            f"{total} = {torch}.stack({x})" if is_list else f"{total} = {x}.clone()",
            f"{dist}all_reduce({total}{op})",
            f"{place}.copy_({total}{'' if is_list else f'.reshape({world}, *{place}.shape)'}[{rank}])",
        ]
    work.edits.rewrite_statement(line, lambda rewrite: [quote_statement(text) for text in lines])
    for item in waiting:
        work.edits.remove(item)


def _is_for_first(work: NormalizationRound, out: cst.BaseExpression, call: cst.Call) -> bool:
    """Whether only the first process reads what it gets: `if rank == 0: print(out)`."""
    function = work.index.function_of(call)
    if not isinstance(out, cst.Name):
        return False
    line, uses = work.index.statement_of(call), list[cst.Name]()
    for node in descendants(function if function is not None else work.index.module):
        if isinstance(node, cst.Name) and node.value == out.value and work.index.statement_of(node) is not line:
            uses.append(node)
    return all(is_bound(work.index, node) or _is_below_first(work, node) for node in uses)


def _is_below_first(work: NormalizationRound, node: cst.CSTNode) -> bool:
    child = node
    for item in work.index.ancestors(node):
        if isinstance(item, cst.If) and child is item.body and asks_for_first(work, item.test):
            return True
        child = item
    return False


__all__ = ["normalize_scattered_reductions"]
