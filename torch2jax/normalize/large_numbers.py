"""Whole numbers beyond 32 bits beside tensors of real numbers, normalized to real numbers: JAX takes them for 32 bits wide.

attn.masked_fill(mask, -2 ** 32 + 1)    ->    attn.masked_fill(mask, -4294967295.0)
x * 10 ** 10                            ->    x * 10000000000.0
x / N                                   ->    x / float(N)
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.effects import is_discrete
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import always
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind

_BITS = 31
_LONGEST = 128  # bits of numbers that are worked out
_FUNCTIONS = frozenset(
    f"torch.{name}"
    for name in (
        *("where", "full_like", "clamp", "clip", "masked_fill", "add", "sub", "subtract", "mul", "multiply", "div"),
        *("divide", "true_divide", "gt", "lt", "ge", "le", "eq", "ne"),
    )
)


def normalize_large_numbers(work: NormalizationRound) -> None:
    """Normalize all such numbers of a file."""
    for node in dict.fromkeys(_beside_tensors(work)):
        number = _number(work, node)
        if number is not None and not -(2**_BITS) <= number < 2**_BITS:
            is_named = isinstance(node, cst.Name)
            work.edits.replace(node, always(quote("float({x})" if is_named else repr(float(number)), x=node)))


def _beside_tensors(work: NormalizationRound) -> Iterator[cst.BaseExpression]:
    """What stands beside a tensor that may be of real numbers, and becomes one of its numbers."""
    for call in work.index.calls:
        given = [item.value for item in call.args if not item.star]
        if work.values.torch_name(call.func) in _FUNCTIONS:
            if any(_is_real(work, node) for node in given):
                yield from given
        elif isinstance(call.func, cst.Attribute) and _is_real(work, call.func.value):
            yield from given
    for node in work.index.every(cst.BinaryOperation, cst.Comparison, cst.Assign):
        match node:
            case (
                cst.BinaryOperation(left=left, right=right)
                | cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)])
            ):
                if _is_real(work, left):
                    yield right
                elif _is_real(work, right):
                    yield left
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=tensor))], value=value):
                if _is_real(work, tensor):
                    yield value


def _is_real(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    value = work.values(node)
    return value.kind is Kind.TENSOR and not is_discrete(value.dtype)


def _number(work: NormalizationRound, node: cst.BaseExpression) -> int | None:
    """The whole number that an expression of numbers comes to, or a variable that is bound to one only."""
    match node:
        case cst.Integer(value=text):
            return int(text.replace("_", ""), 0)
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            number = _number(work, inner)
            return None if number is None else -number
        case cst.BinaryOperation(left=left, operator=operator, right=right):
            first, last = _number(work, left), _number(work, right)
            return None if first is None or last is None else _result(first, operator, last)
        case cst.Name() if node in work.index.parents and work.values(node).kind is Kind.INT:
            definition = work.program.definitions.bound_once(node)
            value = definition.value if definition is not None else None
            return None if value is None or isinstance(value, cst.Name) else _number(work, value)
    return None


def _result(first: int, operator: cst.BaseBinaryOp, last: int) -> int | None:
    match operator:
        case cst.Add():
            return first + last
        case cst.Subtract():
            return first - last
        case cst.Multiply():
            return first * last
        case cst.Power() if 0 <= last <= _LONGEST and abs(first) <= _LONGEST:
            return int(first**last)
        case cst.LeftShift() if 0 <= last <= _LONGEST:
            return first << last
    return None


__all__ = ["normalize_large_numbers"]
