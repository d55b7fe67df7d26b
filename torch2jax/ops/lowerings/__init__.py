"""Hand-written lowerings for what no row can say: functions from the facts of a call to one spelling, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from torch2jax.ops.lowering import Lowered, Refusal, lower
from torch2jax.ops.lowerings import copies, pieces, shapes
from torch2jax.ops.rules import DTYPE_TEXTS, UNDECIDED, Facts, is_undecided, narrowed, promote, yields
from torch2jax.ops.schema import Alternative, FunctionSpec
from torch2jax.values import Kind

LOWERINGS: Mapping[str, Callable[[Facts], Alternative]] = MappingProxyType(
    {
        "cat": pieces.cat,
        "chunk": pieces.chunk,
        "clone": copies.clone,
        "expand": shapes.expand,
        "flatten": shapes.flatten,
        "split": pieces.split,
        "topk": pieces.topk,
        "unbind": pieces.unbind,
        "view": shapes.view,
    }
)


_ARITHMETIC = re.compile(r"\b(?:elementwise|promote|quotient)\(([\w, ]*)\)")


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
    if _has_no_axis(spec, facts):
        return Refusal("an axis of a tensor that has none", "dim")
    if mixed := _mixed_items(facts):
        return Refusal("an array of Python's numbers, which JAX would give the type of a narrower one: cast it", mixed)
    operands = _operands(spec.result, facts)
    if is_undecided([facts.value(name) for name in operands]):
        return Refusal(UNDECIDED)
    lowered = lower(spellings(spec, facts), facts)
    return lowered if isinstance(lowered, Refusal) else _narrowed(lowered, operands, facts)


def _has_no_axis(spec: FunctionSpec, facts: Facts) -> bool:
    """Whether a call names an axis of a tensor without dimensions, as torch alone lets it."""
    parameters = facts.signature.parameters
    if not parameters or parameters[0].name != "input" or "dim" not in facts.signature or not facts.given("dim"):
        return False
    value, dim = facts.value("input"), facts.value("dim")
    return "squeeze" not in spec.name and value.is_a(Kind.TENSOR) and value.rank == 0 and dim.is_a(Kind.INT)


def _mixed_items(facts: Facts) -> str | None:
    """The sequence among the arguments whose arrays JAX would join in another type than torch: no operand can be cast there."""
    for parameter in facts.signature.parameters:
        tensors = [item for item in facts.value(parameter.name).items or () if item.is_a(Kind.TENSOR)]
        dtype = promote(tensors) if len(tensors) > 1 else None
        if dtype is not None and any(yields(item, dtype, tensors) for item in tensors):
            return parameter.name
    return None


def _operands(result: object, facts: Facts) -> list[str]:
    """The arguments of an elementwise operation whose types decide that of its result."""
    found = _ARITHMETIC.findall(str(result))
    return [name for name in found[-1].split(", ") if facts.given(name)] if found else []


def _narrowed(lowered: Lowered, names: list[str], facts: Facts) -> Lowered:
    """The spelling of an elementwise operation with casts of the operands that would widen its result in JAX only."""
    template = lowered.template
    for place, dtype in narrowed([facts.value(name) for name in names]).items():
        if dtype in DTYPE_TEXTS:
            template = template.replace(f"{{{names[place]}}}", f"{{{names[place]}}}.astype({DTYPE_TEXTS[dtype]})")
    return lowered if template == lowered.template else replace(lowered, template=template)
