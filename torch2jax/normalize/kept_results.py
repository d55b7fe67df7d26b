"""Results that a module keeps and that the next layer of a Sequential changes in place: `nn.Sequential(Keeps(), nn.ReLU(True))`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from torch2jax.normalize.escape import keeps_result
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.values import INPLACE, Kind, Value


def kept_results(work: NormalizationRound) -> Iterator[Problem]:
    """The places where such Sequentials are made."""
    for call in work.index.calls:
        value = work.values(call)
        if value.kind is not Kind.MODULE or value.types != {"torch.nn.Sequential"} or not value.items:
            continue
        for first, second in pairwise(value.items):
            if INPLACE in second.among and any(keeps_result(work, item) for item in _forwards(work, first)):
                fields = {"name": code(call), "other": "a container, a field or a caller"}
                yield Problem(call, "T2J303", fields)


def _forwards(work: NormalizationRound, module: Value) -> Iterator[Function]:
    for name in sorted(module.types):
        item = work.program.class_by_key.get(name)
        forward = item.method("forward") if item is not None else None
        if forward is not None:
            yield forward


__all__ = ["kept_results"]
