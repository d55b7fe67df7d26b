"""Inputs that a layer of torch is given by name become positional, since the layers of JAX's libraries call theirs otherwise.

self.fc(input=x)                  ->   self.fc(x)
criterion(target=y, input=x)      ->   criterion(x, y)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.signatures import parse_signature
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind


def normalize_named_inputs(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    for call in work.index.calls:
        if not any(item.keyword is not None for item in call.args):
            continue
        order = _order(call.args, _inputs(work, call))
        moved = [item for item, old in enumerate(order) if item != old]
        if len([item for item in moved if _acts(call.args[item])]) > 1:
            work.refuse(call, "keyword arguments", "give them in the order in which `forward` takes them")
        elif order:
            work.edits.replace(call, partial(_by_position, call, order))


def _inputs(work: NormalizationRound, call: cst.Call) -> Sequence[str]:
    """The names of the inputs that the called layer needs; none where something else is called, or one of several layers."""
    value = work.values(call.func)
    if value.kind is not Kind.MODULE or work.effects is None:
        return ()
    layers, needed = work.effects.tables.layers, set[tuple[str, ...]]()
    for name in value.types:
        forward = "input" if name == "torch.nn.Sequential" else layers[name].forward if name in layers else ""
        needed.add(tuple(item.name for item in parse_signature(forward).parameters if item.default is None))
    return needed.pop() if len(needed) == 1 else ()


def _order(given: Sequence[cst.Arg], inputs: Sequence[str]) -> list[int]:
    """Which of the given arguments are the inputs, in their order; none where they are positional already."""
    by_name = {item.keyword.value: place for place, item in enumerate(given) if item.keyword is not None}
    order = [place for place, item in enumerate(given) if item.keyword is None]
    named = inputs[len(order) :]
    if any(item.star for item in given) or not named or not all(name in by_name for name in named):
        return []
    return [*order, *(by_name[name] for name in named)]


def _acts(given: cst.Arg) -> bool:
    return any(isinstance(item, cst.Call) for item in descendants(given))


def _by_position(call: cst.Call, order: Sequence[int], rewrite: Rewriter) -> cst.Call:
    new = rewrite.inside(call)
    assert isinstance(new, cst.Call)
    inputs = [
        new.args[place].with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT, comma=cst.MaybeSentinel.DEFAULT)
        for place in order
    ]
    rest = [item for place, item in enumerate(new.args) if place not in order]
    return with_fields(new, args=[*inputs, *rest])


__all__ = ["normalize_named_inputs"]
