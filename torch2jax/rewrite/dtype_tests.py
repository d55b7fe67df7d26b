"""Tests for dtypes that JAX has with jax_enable_x64 only: they ask for what the arrays have that stand for such tensors. Dicts
and sets of dtypes find those of arrays, and tests for classes of tensors ask for arrays, of any class, and for their dtype.

x.dtype == torch.long                   ->   x.dtype == jax.dtypes.canonicalize_dtype(int)
x.dtype is torch.float32                ->   x.dtype == jnp.float32
dtype == torch.float64                  ->   is_dtype(dtype, float)
{torch.half: 2, torch.float: 4}         ->   DtypeDict({jnp.float16: 2, jnp.float32: 4})
{torch.half, torch.float}               ->   DtypeDict.fromkeys((jnp.float16, jnp.float32))
type(x) is torch.Tensor                 ->   isinstance(x, jax.Array)
isinstance(x, torch.dtype)              ->   is_a_dtype(x): `jnp.float32` and `float` are classes
isinstance(x, torch.LongTensor)         ->   isinstance(x, jax.Array) and x.dtype == jax.dtypes.canonicalize_dtype(int)
longs.dtype == torch.int32              ->   False: without x64 its arrays have the dtype of those that are int32
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.ops.lowering import as_tuple
from torch2jax.ops.rules import DTYPE_TEXTS
from torch2jax.program.program import dotted
from torch2jax.rewrite.open_receivers import is_dtype_like
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind, class_dtype

_WIDE = frozenset({"int64", "float64", "complex128"})
_NARROWED = {"int64": "int32", "float64": "float32", "complex128": "complex64"}
_EQUAL = (cst.Equal, cst.Is)
_DIFFERENT = (cst.NotEqual, cst.IsNot)
_OTHERS = (*_DIFFERENT, cst.NotIn)


def rewrite_dtype_tests(unit: Unit) -> None:
    """Decide such tests, and what they look into; others stay as they are."""
    for display in unit.facts.program.index.every(cst.Dict, cst.Set):
        _find_by_dtype(unit, display)
    for call in unit.facts.program.index.calls:
        if dotted(call.func) == "isinstance" and len(call.args) == 2 and not _ask_for_dtype(unit, call):
            _ask_for_class(unit, call)
    for node in unit.facts.program.index.every(cst.Comparison):
        if len(node.comparisons) != 1 or _compare_classes(unit, node):
            continue
        (target,) = node.comparisons
        sides = (node.left, target.comparator)
        named = [_dtype(unit, side) for side in sides]
        is_equality = isinstance(target.operator, (*_EQUAL, *_DIFFERENT))
        if is_equality and named.count(None) == 1:
            place = named.index(None)
            _compare(unit, node, sides[place], sides[1 - place], str(named[1 - place]))
        elif isinstance(target.operator, (cst.In, cst.NotIn)) and _is_of_array(node.left):
            displayed = [*_elements(_display(unit, target.comparator))]
            if _decide(unit, node, node.left, [_dtype(unit, item) for item in displayed], target.operator):
                continue
            for element in displayed:
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


def _compare_classes(unit: Unit, node: cst.Comparison) -> bool:
    """Rewrite `type(x) == torch.Tensor`: the class of an array has another name than the one that its instances are tested for."""
    operator, named = node.comparisons[0].operator, node.comparisons[0].comparator
    match node.left:
        case cst.Call(func=cst.Name("type"), args=[cst.Arg(value=asked)]):
            pass
        case _:
            return False
    classes = list(_elements(named)) or [named]
    if not any(unit.facts.values.torch_name(item) == "torch.Tensor" for item in classes):
        return False
    test = "not isinstance({x}, jax.Array)" if isinstance(operator, _OTHERS) else "isinstance({x}, jax.Array)"
    joined = "and" if isinstance(operator, _OTHERS) else "or"

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        if len(classes) == 1:
            return unit.quote(test, x=rewrite.expression(asked)).with_changes(lpar=node.lpar, rpar=node.rpar)
        rest = rewrite.inside(node)
        assert isinstance(rest, cst.Comparison)
        return unit.quote(f"({test} {joined} {{rest}})", x=rewrite.expression(asked), rest=rest)

    unit.edits.replace(node, build)
    return True


def _ask_for_dtype(unit: Unit, call: cst.Call) -> bool:
    """Rewrite `isinstance(x, torch.dtype)`, and one that asks for other classes beside it."""
    asked, tested = call.args[0].value, call.args[1].value
    classes = list(_elements(tested)) or [tested]
    others = [item for item in classes if unit.facts.values.torch_name(item) != "torch.dtype"]
    if len(others) == len(classes) or (others and dotted(asked) is None):
        return False

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        is_dtype = unit.quote("is_a_dtype({x})", x=rewrite.expression(asked))
        if not others:
            return is_dtype
        names = as_tuple([rewrite.expression(item) for item in others])
        template = "(isinstance({x}, {names}) or {is_dtype})"
        return unit.quote(template, x=rewrite.expression(asked), names=names, is_dtype=is_dtype)

    for item in classes:
        if item not in others:
            unit.settle(item)
    unit.edits.replace(call, build)
    return True


def _ask_for_class(unit: Unit, call: cst.Call) -> None:
    """Rewrite `isinstance(x, torch.FloatTensor)`, or for several such classes."""
    if dotted(asked := call.args[0].value) is None:
        return
    classes = list(_elements(call.args[1].value)) or [call.args[1].value]
    dtypes = dict.fromkeys(class_dtype(str(unit.facts.values.torch_name(item))) for item in classes)
    if None in dtypes:
        return
    for item in classes:
        unit.settle(item)
    if _decide(unit, call, cst.Attribute(asked, cst.Name("dtype")), [*dtypes], cst.Equal()):
        return
    wanted = [_canonical(dtype) if dtype in _WIDE else quote(DTYPE_TEXTS[dtype]) for dtype in dtypes if dtype]
    how = "== {dtypes}" if len(wanted) == 1 else "in {dtypes}"

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        return unit.quote(
            f"(isinstance({{x}}, jax.Array) and {{y}}.dtype {how})",
            x=rewrite.expression(asked),
            y=rewrite.expression(asked),
            dtypes=wanted[0] if len(wanted) == 1 else as_tuple(wanted),
        )

    unit.edits.replace(call, build)


def _decide(
    unit: Unit, node: cst.BaseExpression, asked: cst.BaseExpression, dtypes: list[str | None], operator: cst.BaseCompOp
) -> bool:
    """Decide a test of the dtype of a tensor that tells apart what is one dtype without x64, or tell that it cannot be decided."""
    pairs = [pair for pair in _NARROWED.items() if (pair[0] in dtypes) != (pair[1] in dtypes)]
    if not isinstance(asked, cst.Attribute) or not _is_of_array(asked) or not pairs or None in dtypes:
        return False
    value = unit.facts.values(asked.value)
    is_other = isinstance(operator, _OTHERS)
    if value.kind is Kind.TENSOR and any(value.dtype in pair and value.dtype not in dtypes for pair in pairs):
        unit.edits.replace(node, always(cst.Name(str(is_other))))
        return True
    is_open = value.dtype is None and "int32" in dtypes and ("int64", "int32") in pairs and not is_other
    if not is_open or any(isinstance(item, cst.Assert) for item in unit.facts.program.index.ancestors(node)):
        return False
    reason = f"{code(node)}, where {code(asked.value)} may be int64: both are int32 in JAX"
    unit.problem(node, "T2J201", name="torch.int32", argument=reason)
    return True


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
        _decide(unit, node, asked, [dtype], operator)
        return
    is_other = isinstance(operator, _DIFFERENT)
    unit.settle(named)
    if _decide(unit, node, asked, [dtype], operator):
        return
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
