"""Hand-written lowerings for what no row can say: functions from the facts of a call to one spelling, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from torch2jax.ops.lowering import Lowered, Refusal, lower
from torch2jax.ops.lowerings import pieces, shapes
from torch2jax.ops.rules import Facts
from torch2jax.ops.schema import Alternative, FunctionSpec

LOWERINGS: Mapping[str, Callable[[Facts], Alternative]] = MappingProxyType(
    {
        "chunk": pieces.chunk,
        "expand": shapes.expand,
        "flatten": shapes.flatten,
        "split": pieces.split,
        "topk": pieces.topk,
        "unbind": pieces.unbind,
        "view": shapes.view,
    }
)


def spellings(spec: FunctionSpec, facts: Facts) -> tuple[Alternative, ...]:
    """The alternatives that a row has for a call: its lowering's, the method's own, or those of the function."""
    if spec.lowering is not None:
        return (LOWERINGS[spec.lowering](facts),)
    if facts.bound.method and spec.method_alternatives:
        return spec.method_alternatives
    return spec.alternatives or spec.method_alternatives


def lower_call(spec: FunctionSpec, facts: Facts) -> Lowered | Refusal:
    """Lower a call by its row; a row without a translation is a refusal."""
    if spec.unsupported is not None:
        return Refusal(spec.unsupported)
    return lower(spellings(spec, facts), facts)
