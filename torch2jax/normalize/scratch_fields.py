"""Fields of modules that one method sets before it reads them, and that nobody else reads, normalized to its variables.

self.attn = scores.softmax(-1)       ->   attn = scores.softmax(-1)
return self.attn @ v                 ->   return attn @ v

They would be state, which has to be handed through every call of the module.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.unread_fields import (
    WrittenField,
    is_known_whole,
    reads_of,
    speaks_of_all_fields,
    written_fields,
)
from torch2jax.program.flow import Flow
from torch2jax.program.program import Function, dotted, is_super
from torch2jax.syntax.edits import always
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants


def normalize_scratch_fields(work: NormalizationRound) -> None:
    """Normalize all such fields of a file, and say so."""
    if speaks_of_all_fields(work):
        return
    for item in written_fields(work):
        method = _only_setter(work, item)
        reads = list(reads_of(work, item)) if method is not None else []
        if method is None or not reads or not is_known_whole(work, item):
            continue
        stores = [node for node in item.stores if work.index.function_of(node) is method.node]
        if _runs_again(method) or not _is_set_before(work, method, stores, reads):
            continue
        is_free = item.name not in _names_of(work, method)
        name = item.name if is_free else work.names_at(stores[0])(f"own_{item.name}")
        for node in (*stores, *reads):
            work.edits.replace(node, always(cst.Name(name)))
        work.lasting.append(Problem(method.node, "T2J610", {"name": item.name, "module": item.owner.name}))


def _only_setter(work: NormalizationRound, item: WrittenField) -> Function | None:
    """The method that alone sets a field once its module is made."""
    setters = set(item.setters)
    node = setters.pop() if len(setters) == 1 else None
    return work.program.functions.get(node) if isinstance(node, cst.FunctionDef) else None


def _names_of(work: NormalizationRound, method: Function) -> set[str]:
    """The variables that a method names, and Python's own."""
    nodes = [node for node in descendants(method.node) if isinstance(node, cst.Name)]
    return {node.value for node in nodes if not work.index.is_label(node)} | set(dir(builtins))


def _runs_again(method: Function) -> bool:
    """Whether a method may call itself, or what it overrides, on its own object."""
    own = {f"{method.self_name}.{method.name}", method.self_name}
    calls = [node for node in descendants(method.node.body) if isinstance(node, cst.Call)]
    return any(dotted(call.func) in own or is_super(call) for call in calls)


def _is_set_before(
    work: NormalizationRound, method: Function, stores: Sequence[cst.Attribute], reads: Sequence[cst.Attribute]
) -> bool:
    """Whether a method sets a field on every path to each place where it is read, all of them its own."""
    flow = work.program.definitions.scopes.flow(method.node)
    whole = [node for node in stores if not isinstance(work.index.parents[node], cst.AugAssign)]
    added = [node for node in stores if node not in whole]
    places = [_point_of(work, flow, method, node) for node in (*reads, *added)]
    set_at = {_point_of(work, flow, method, node) for node in whole}
    if None in places or None in set_at:
        return False
    return _reached_without(flow, set_at).isdisjoint(places)  # type: ignore[arg-type]


def _point_of(work: NormalizationRound, flow: Flow, method: Function, node: cst.Attribute) -> int | None:
    """The point of a method at which a field of its own object is set or read."""
    if not (isinstance(node.value, cst.Name) and node.value.value == method.self_name):
        return None
    for around in (node, *work.index.ancestors(node)):
        if isinstance(around, (cst.Lambda, cst.FunctionDef)):
            return None
        if around in flow:
            return flow.index(around)
    return None


def _reached_without(flow: Flow, stops: set[int]) -> set[int]:
    """The points to which some path leads that completes none of those given."""
    seen, waiting = {0}, [0]
    while waiting:
        index = waiting.pop()
        following = [*flow.failure_indices[index], *(() if index in stops else flow.successor_indices[index])]
        new = [item for item in following if item not in seen]
        seen.update(new)
        waiting += new
    return seen


__all__ = ["normalize_scratch_fields"]
