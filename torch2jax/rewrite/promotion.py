"""Operators between tensors of two dtypes: casts where JAX would give the result another dtype than torch.

half * scale      ->   half * scale.astype(jnp.float16)      where `scale` is a float32 without dimensions
x ** y            ->   power(x, y)                           where both are tensors, or `y` one of integers
half += x         ->   half = (half + x).astype(jnp.float16)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.ops.rules import (
    DTYPE_TEXTS,
    INTEGERS,
    NARROW,
    UNDECIDED,
    common_dtypes,
    is_undecided,
    narrowed,
    widens,
    yields,
)
from torch2jax.program.program import dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind, Value

_ELEMENTWISE = (
    cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power, cst.BitAnd, cst.BitOr,
    cst.BitXor,
)  # fmt: skip


def rewrite_promotions(unit: Unit) -> None:
    """Decide the operators whose operands' dtypes are known to differ."""
    for node in unit.facts.program.index.every(cst.BinaryOperation):
        if isinstance(node.operator, _ELEMENTWISE):
            if node not in unit.edits.nodes and node not in unit.settled:
                _operation(unit, node)


def _needs_power(unit: Unit, node: cst.BinaryOperation) -> bool:
    """Whether both operands of `**` are tensors: JAX has another gradient at 0 ** 0, and no negative powers of integers.

    The latter holds for `3 ** n` of integers, too, where a power of two overflows to the 0 that torch gives; an array `n`
    without axes must then not be negative at all, and does not decide the type of the result.
    """
    base, exponent = unit.facts.values(node.left), unit.facts.values(node.right)
    if not isinstance(node.operator, cst.Power) or exponent.kind is not Kind.TENSOR:
        return False
    if not base.is_a(Kind.INT, Kind.BOOL):
        return base.kind is Kind.TENSOR
    is_even = isinstance(base.const, int) and base.const % 2 == 0
    return exponent.dtype in INTEGERS and not (exponent.rank and is_even)


def _counted(unit: Unit, node: cst.BinaryOperation) -> dict[int, str] | None:
    """`mask * 2`: torch counts in 64 bits, and JAX would let any array that comes later decide how many bits there are.

    Where `mask` holds truth values on one way to here, and other numbers on another, these keep their type; None if it may be
    no array at all.
    """
    found: dict[int, str] = {}
    for place, (side, other) in enumerate(((node.left, node.right), (node.right, node.left))):
        value = unit.facts.values(side)
        if value.kind is not Kind.TENSOR or unit.facts.values(other).kind is not Kind.INT:
            continue
        if value.dtype == "bool":
            found[place] = "int"
        elif value.dtype is None and "bool" in value.among:
            if "python" in value.among or dotted(side) is None:
                return None
            found[place] = "jnp.result_type({x}, int)"
    return found


def _operation(unit: Unit, node: cst.BinaryOperation) -> None:
    operands = [unit.facts.values(node.left), unit.facts.values(node.right)]
    if is_undecided(operands):
        unit.problem(node, "T2J201", name=code(node), argument=UNDECIDED)
        return
    casts = narrowed(operands)
    texts = {place: DTYPE_TEXTS[dtype] for place, dtype in casts.items() if dtype in DTYPE_TEXTS}
    counted = _counted(unit, node)
    if counted is None:
        unit.problem(node, "T2J201", name=code(node), argument="what may be truth values or other numbers")
        return
    texts |= counted
    is_power = _needs_power(unit, node)
    if not texts and not is_power:
        return

    def operand(rewrite: Rewriter, side: cst.BaseExpression, place: int) -> cst.BaseExpression:
        rewritten = rewrite.expression(side)
        return quote(f"{{x}}.astype({texts[place]})", x=rewritten) if place in texts else rewritten

    def operation(rewrite: Rewriter) -> cst.BaseExpression:
        left, right = operand(rewrite, node.left, 0), operand(rewrite, node.right, 1)
        if is_power:
            return unit.quote("power({left}, {right})", left=left, right=right)
        return node.with_changes(left=left, right=right)

    unit.edits.replace(node, operation)


def augmented(operator: str, target: Value, value: Value) -> str:
    """The template of the new value of a tensor `x` after `x op= y`: `{x} op {y}` where nothing is different in JAX."""
    strong = _cast_before(target, value)
    old = "{x}" if strong is None else f"{{x}}.astype({strong})"
    if operator == "**" and value.kind in (Kind.TENSOR, Kind.UNKNOWN):
        template = f"power({old}, {{y}})"
    else:
        template = f"{old} {operator} {{y}}"
    kept = _kept_dtype(target, value)
    return template if kept is None else f"({template}).astype({kept})"


def _cast_before(target: Value, value: Value) -> str | None:
    """How to spell the dtype that `target` needs before `target += value`, whose own JAX lets `value` decide."""
    dtype = target.dtype
    return DTYPE_TEXTS[dtype] if dtype in DTYPE_TEXTS and yields(target, dtype, [value]) else None


def _kept_dtype(target: Value, value: Value) -> str | None:
    """How to spell the dtype of a tensor that `target += value` would give another one in JAX; None if it would not.

    A number of 16 bits or less is cast unless it is known that it needs no cast.
    """
    dtype = target.dtype
    if (
        dtype is None
        and not value.is_number
        and not target.among.intersection(NARROW) <= common_dtypes([target, value])
    ):
        return "{x}.dtype"
    if dtype not in DTYPE_TEXTS or value.is_number:
        return None
    if value.is_a(Kind.TENSOR) and value.dtype is not None:
        return DTYPE_TEXTS[dtype] if widens(dtype, value.dtype) else None  # JAX counts arrays without axes, too
    return DTYPE_TEXTS[dtype] if dtype in NARROW else None
