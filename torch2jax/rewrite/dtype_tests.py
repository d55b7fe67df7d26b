"""Tests for dtypes that JAX has with jax_enable_x64 only: they ask for what the arrays have that stand for such tensors.

x.dtype == torch.long                   ->   x.dtype == jax.dtypes.canonicalize_dtype(int)
x.dtype is torch.float32                ->   x.dtype == jnp.float32
dtype == torch.float64                  ->   is_dtype(dtype, float)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.ops.rules import DTYPE_TEXTS
from torch2jax.rewrite.open_receivers import is_dtype_like
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote

_WIDE = frozenset({"int64", "float64", "complex128"})


def rewrite_dtype_tests(unit: Unit) -> None:
    """Decide such tests; others stay as they are."""
    for node in unit.facts.program.index.every(cst.Comparison):
        if len(node.comparisons) != 1:
            continue
        (target,) = node.comparisons
        sides = (node.left, target.comparator)
        named = [_dtype(unit, side) for side in sides]
        is_equality = isinstance(target.operator, (cst.Equal, cst.NotEqual, cst.Is, cst.IsNot))
        if is_equality and named.count(None) == 1:
            place = named.index(None)
            _compare(unit, node, sides[place], sides[1 - place], str(named[1 - place]))
        elif isinstance(target.operator, (cst.In, cst.NotIn)) and _is_of_array(node.left):
            for element in _elements(target.comparator):
                dtype = _dtype(unit, element)
                if dtype in _WIDE:
                    unit.settle(element)
                    unit.edits.replace(element, always(_canonical(str(dtype))))


def _dtype(unit: Unit, node: cst.BaseExpression) -> str | None:
    """The dtype that an expression names: `torch.long`."""
    value = unit.facts.values(node)
    is_named = isinstance(node, (cst.Attribute, cst.Name)) and unit.facts.values.torch_name(node) is not None
    return value.dtype if is_named and is_dtype_like(value) and value.dtype in DTYPE_TEXTS else None


def _is_of_array(node: cst.BaseExpression) -> bool:
    """`x.dtype`"""
    return isinstance(node, cst.Attribute) and node.attr.value == "dtype"


def _elements(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(node, (cst.Tuple, cst.List)):
        yield from (item.value for item in node.elements if isinstance(item, cst.Element))


def _canonical(dtype: str) -> cst.BaseExpression:
    return quote(f"jax.dtypes.canonicalize_dtype({DTYPE_TEXTS[dtype]})")


def _compare(
    unit: Unit, node: cst.Comparison, asked: cst.BaseExpression, named: cst.BaseExpression, dtype: str
) -> None:
    operator = node.comparisons[0].operator
    is_identity = isinstance(operator, (cst.Is, cst.IsNot))
    if dtype not in _WIDE and not is_identity:
        return
    is_other = isinstance(operator, (cst.NotEqual, cst.IsNot))
    unit.settle(named)
    if _is_of_array(asked):
        template = "{x} != {dtype}" if is_other else "{x} == {dtype}"
        wanted = _canonical(dtype) if dtype in _WIDE else quote(DTYPE_TEXTS[dtype])
    else:
        template = "not is_dtype({x}, {dtype})" if is_other else "is_dtype({x}, {dtype})"
        wanted = quote(DTYPE_TEXTS[dtype])

    def build(rewrite: Rewriter, template: str, wanted: cst.BaseExpression) -> cst.BaseExpression:
        return unit.quote(template, x=rewrite.expression(asked), dtype=wanted).with_changes(
            lpar=node.lpar, rpar=node.rpar
        )

    unit.edits.replace(node, partial(build, template=template, wanted=wanted))


__all__ = ["rewrite_dtype_tests"]
