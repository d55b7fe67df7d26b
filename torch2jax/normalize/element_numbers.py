"""Tensors that Python takes for a number, which may have axes and one element: JAX converts arrays without axes only.

letters[predict]            ->   letters[predict.item()]      of lists, tuples and text; also the ends of their slices
range(n), [0] * n, "-" * n  ->   range(n.item()), [0] * n.item(), "-" * n.item()
"%.3f" % loss               ->   "%.3f" % loss.item()         where the text says a number
math.sqrt(total)            ->   math.sqrt(total.item())
letters.pop(place)          ->   letters.pop(place.item())
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_IN_ORDER = (Kind.LIST, Kind.TUPLE, Kind.STR)
_CONVERSIONS = re.compile(r"%(?:\([^)]*\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(.)")
_NUMBERS = frozenset("diouxXeEfFgG")


def normalize_element_numbers(work: NormalizationRound) -> None:
    """Normalize all such tensors of a file that are not known to have no axes."""
    for node in _counts(work):
        if work.values(node).kind is Kind.TENSOR:
            template = "int({it})" if _may_be_number(work, node) else "{it}.item()"
            work.edits.replace(node, partial(_as_number, node, template))
    for node in _taken(work):
        value = work.values(node)
        if value.kind is Kind.TENSOR and value.rank != 0 and not _may_be_number(work, node):
            work.edits.replace(node, partial(_as_number, node, "{it}.item()"))


def _may_be_number(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether what is taken for a tensor may be a number of Python as well: a parameter of which nothing says so."""
    return any("python" in work.values(part).among for part in (node, *descendants(node)))


def _as_number(node: cst.BaseExpression, template: str, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(template, it=as_expression(rewrite.inside(node)))


def _counts(work: NormalizationRound) -> Iterator[cst.BaseExpression]:
    """By what lists and text are multiplied: arrays without axes would take them for arrays, too."""
    for product in work.index.every(cst.BinaryOperation):
        match product:
            case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
                if work.values(left).is_sequence or work.values(left).kind is Kind.STR:
                    yield right
                elif work.values(right).kind in _IN_ORDER:
                    yield left


def _taken(work: NormalizationRound) -> Iterator[cst.BaseExpression]:
    """The expressions that Python asks for a number."""
    for place in work.index.every(cst.Subscript):
        if isinstance(place, cst.Subscript) and work.values(place.value).kind in _IN_ORDER and len(place.slice) == 1:
            yield from _indices(place.slice[0].slice)
    for product in work.index.every(cst.BinaryOperation):
        match product:
            case cst.BinaryOperation(left=cst.SimpleString() as text, operator=cst.Modulo(), right=right):
                yield from _filled_in(text, right)
    for call in work.index.calls:
        given = [item.value for item in call.args if not item.star and item.keyword is None]
        const = work.values(call.func).const
        is_of_math = isinstance(const, str) and const.startswith("math.")
        if dotted(call.func) in ("range", "complex") or is_of_math:
            yield from given
        elif isinstance(call.func, cst.Attribute) and call.func.attr.value == "pop" and len(given) == 1:
            if work.values(call.func.value).kind is Kind.LIST:
                yield from given


def _indices(node: cst.BaseSlice) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.Index):
        yield node.value
    elif isinstance(node, cst.Slice):
        yield from (end for end in (node.lower, node.upper, node.step) if end is not None)


def _filled_in(text: cst.SimpleString, given: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What stands for a number in `"%d: %s" % (n, x)`."""
    said = text.evaluated_value
    if not isinstance(said, str) or "*" in said or "%(" in said:
        return
    kinds = [kind for kind in _CONVERSIONS.findall(said) if kind != "%"]
    parts = [item.value for item in given.elements] if isinstance(given, cst.Tuple) else [given]
    if len(kinds) == len(parts):
        yield from (part for kind, part in zip(kinds, parts, strict=True) if kind in _NUMBERS)


__all__ = ["normalize_element_numbers"]
