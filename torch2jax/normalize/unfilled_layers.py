"""Layers that are made without first values, which are whatever the memory holds: any others will do.

torch.nn.utils.skip_init(nn.Linear, 5, 1)     ->     nn.Linear(5, 1)
"""

from __future__ import annotations

from torch2jax.normalize.rounds import NormalizationRound


def normalize_unfilled_layers(work: NormalizationRound) -> None:
    """Make all such layers of a file as others are."""
    if not work.program.mentions("skip_init"):
        return
    for call in work.index.calls:
        if work.values.torch_name(call.func) != "torch.nn.utils.skip_init" or not call.args:
            continue
        first, *others = call.args
        if first.keyword is None and not first.star:
            made = call.with_changes(func=first.value, args=others)
            work.edits.replace(call, lambda rewrite, made=made: made)  # type: ignore[misc]


__all__ = ["normalize_unfilled_layers"]
