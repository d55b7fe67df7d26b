"""Tests for dtypes that JAX has with jax_enable_x64 only: they ask for what the arrays have that stand for such tensors. Dicts
and sets of dtypes find those of arrays.

x.dtype == torch.long                   ->   x.dtype == jax.dtypes.canonicalize_dtype(int)
x.dtype is torch.float32                ->   x.dtype == jnp.float32
dtype == torch.float64                  ->   is_dtype(dtype, float)
{torch.half: 2, torch.float: 4}         ->   DtypeDict({jnp.float16: 2, jnp.float32: 4})
{torch.half, torch.float}               ->   DtypeDict.fromkeys((jnp.float16, jnp.float32))
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.ops.lowering import as_tuple
from torch2jax.ops.rules import DTYPE_TEXTS
from torch2jax.rewrite.open_receivers import is_dtype_like
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote

_WIDE = frozenset({"int64", "float64", "complex128"})


def rewrite_dtype_tests(unit: Unit) -> None:
    """Decide such tests, and what they look into; others stay as they are."""
    for display in unit.facts.program.index.every(cst.Dict, cst.Set):
        _find_by_dtype(unit, display)
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
            for element in _elements(_display(unit, target.comparator)):
                dtype = _dtype(unit, element)
                if dtype in _WIDE and element not in unit.settled:
                    unit.settle(element)
                    unit.edits.replace(element, always(_canonical(str(dtype))))


def _find_by_dtype(unit: Unit, display: cst.CSTNode) -> None:
    """A dict whose keys are dtypes, or a set of them: arrays have dtypes that are equal to these, with another hash."""
    assert isinstance(display, (cst.Dict, cst.Set))
    named = [item.key if isinstance(item, cst.DictElement) else item.value for item in display.elements]
    if not named or any(_dtype(unit, node) is None for node in named):
        return
    if isinstance(display, cst.Set):
        unit.edits.replace(
            display,
            lambda rewrite: unit.quote(
                "DtypeDict.fromkeys({x})", x=as_tuple([rewrite.expression(node) for node in named])
            ),
        )
        return
    unit.edits.replace(
        display, lambda rewrite: unit.quote("DtypeDict({x})", x=cst.ensure_type(rewrite.inside(display), cst.Dict))
    )


def _display(unit: Unit, node: cst.BaseExpression) -> cst.BaseExpression:
    """What a name is bound to, where that is written out and nothing else binds it."""
    bound = unit.facts.program.definitions.bound_once(node) if isinstance(node, cst.Name) else None
    return bound.value if bound is not None and bound.value is not None else node


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
