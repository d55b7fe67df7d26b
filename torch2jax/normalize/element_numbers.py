"""Tensors that Python takes for a number, which may have axes and one element: JAX converts arrays without axes only.

letters[predict]            ->   letters[predict.item()]      of lists, tuples and text; also the ends of their slices
range(n), [0] * n, "-" * n  ->   range(n.item()), [0] * n.item(), "-" * n.item()
"%.3f" % loss               ->   "%.3f" % loss.item()         where the text says a number
math.sqrt(total)            ->   math.sqrt(total.item())
letters.pop(place)          ->   letters.pop(place.item())

Sizes and ends of slices of tensors are numbers, too. There only tensors with axes are looked at, which JAX takes for no number, and
all tensors for counts such as `k`, which have to be known when code is compiled:

torch.zeros(n, 2), x[:n]    ->   torch.zeros(n.item(), 2), x[:n.item()]     with `n = torch.randint(4, (1,))`

In what runs below gradients, where JAX converts nothing by itself, so are tensors without axes:

float(y.max())              ->   float(y.max().item())
f"{y.max():.2f}"            ->   f"{y.max().item():.2f}"      but for messages of errors
y.tolist()                  ->   y.detach().tolist()
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.compiled import is_in_error
from torch2jax.facts.contexts import is_under_no_grad
from torch2jax.facts.differentiated import functions_below_gradients
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants, elements_of
from torch2jax.values import Kind

_IN_ORDER = (Kind.LIST, Kind.TUPLE, Kind.STR)
_CONVERSIONS = re.compile(r"%(?:\([^)]*\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(.)")
_NUMBERS = frozenset("diouxXeEfFgG")
_CUTTING = frozenset({"argmax", "argmin", "data", "detach", "int", "item", "long", "shape"})
_LOGGING = frozenset({"critical", "debug", "error", "exception", "info", "warning"})
_SIZES = ("size", "sizes", "shape", "output_size", "pad", "repeats")
_COUNTS = ("k", "length", "num_classes", "num_samples")


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
    _normalize_below_gradients(work)
    given = [*_given_to_torch(work)] if work.effects is not None else []
    for node, is_static in (*given, *_ends(work)):
        value = work.values(node)
        if value.kind is Kind.TENSOR and (is_static or value.rank) and not _may_be_number(work, node):
            work.edits.replace(node, partial(_as_number, node, "{it}.item()"))


def _normalize_below_gradients(work: NormalizationRound) -> None:
    """Read the numbers of tensors that a gradient may go through from what is cut off from it."""
    taken = (node for node in _taken(work) if work.values(node).rank == 0)  # those with axes are done for all
    converted = ((node, "{it}.item()") for node in (*taken, *_converted(work)))
    listed = (
        (call.func.value, "{it}.detach()")
        for call in work.index.calls
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "tolist"
    )
    found = [
        (node, template)
        for node, template in (*converted, *listed)
        if work.values(node).kind is Kind.TENSOR and not _may_be_number(work, node)
        if work.program.function_around(node) is not None
        and not _is_cut(node)
        and not is_under_no_grad(node, work.values)
    ]
    if not found or work.flows is None:
        return
    below = functions_below_gradients(work.program, work.values, work.flows)
    differentiated = below | _called_by_other_files(work)
    for node, template in found:
        if work.program.function_around(node) in differentiated:
            work.edits.replace(node, partial(_as_number, node, template))


def _called_by_other_files(work: NormalizationRound) -> frozenset[Function]:
    """The functions that other files give tensors, where something is trained, and what those call: a gradient may go through."""
    if not any(file.mentions("backward") for file in work.program.files):
        return frozenset()
    every = work.program.functions.values()
    found = {item for item in every if any(value.kind is Kind.TENSOR for value in item.seen_elsewhere.values())}
    while True:
        more = {
            item for item in every if any(work.program.function_around(call) in found for call in item.callers)
        } - found
        if not more:
            return frozenset(found)
        found |= more


def _is_cut(node: cst.BaseExpression) -> bool:
    """Whether an expression gives what no gradient goes through, or a number already: `x.detach().abs().max()`."""
    while isinstance(node, (cst.Call, cst.Attribute, cst.Subscript)):
        if isinstance(node, cst.Attribute) and node.attr.value in _CUTTING:
            return True
        node = node.func if isinstance(node, cst.Call) else node.value
    return False


def _converted(work: NormalizationRound) -> Iterator[cst.BaseExpression]:
    """What `float` is given, and what is written as a number in a text that is no message of an error."""
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Name("float"), args=[cst.Arg(value=given, keyword=None, star="")]):
                yield given
            case cst.Call(
                func=cst.Attribute(attr=cst.Name(method)), args=[cst.Arg(value=cst.SimpleString() as text), *given]
            ) if method in _LOGGING and not any(item.star or item.keyword is not None for item in given):
                yield from _filled_in(text, [item.value for item in given])
            case cst.Call(func=cst.Attribute(value=cst.SimpleString(), attr=cst.Name("format")), args=given) if (
                not is_in_error(work.index, call)
            ):
                yield from (item.value for item in given if not item.star)
    for part in work.index.every(cst.FormattedStringExpression):
        if part.format_spec and part.conversion is None and not is_in_error(work.index, part):
            yield part.expression


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
                yield from _filled_in(text, elements_of(right))
    for call in work.index.calls:
        given = [item.value for item in call.args if not item.star and item.keyword is None]
        const = work.values(call.func).const
        is_of_math = isinstance(const, str) and const.startswith("math.")
        if dotted(call.func) in ("range", "complex") or is_of_math:
            yield from given
        elif isinstance(call.func, cst.Attribute) and call.func.attr.value == "pop" and len(given) == 1:
            if work.values(call.func.value).kind is Kind.LIST:
                yield from given


def _given_to_torch(work: NormalizationRound) -> Iterator[tuple[cst.BaseExpression, bool]]:
    """What functions and methods of torch are given as sizes, and as numbers that no array can be in JAX."""
    assert work.effects is not None
    tables = work.effects.tables
    for call in work.index.calls:
        name, receiver = work.values.torch_name(call.func), None
        spec = tables.functions.get(name) if name is not None else None
        if spec is None and isinstance(call.func, cst.Attribute):
            receiver = call.func.value
            spec = tables.method(call.func.attr.value) if work.values(receiver).kind is Kind.TENSOR else None
        if spec is None or not spec.signature:
            continue
        try:
            bound = bind(parse_signature(spec.signature), call.args, receiver)
        except BindError:
            continue
        for word in _SIZES:
            sizes = bound.given.get(word, ())
            parts = sizes if isinstance(sizes, tuple) else (sizes,)
            rows = [part for part in parts if isinstance(part, (cst.List, cst.Tuple))]
            yield from ((item.value, False) for row in rows for item in row.elements if isinstance(item, cst.Element))
            yield from ((part, False) for part in parts if isinstance(sizes, tuple) and part not in rows)
        yield from ((count, True) for word in _COUNTS if (count := bound.one(word)) is not None)


def _ends(work: NormalizationRound) -> Iterator[tuple[cst.BaseExpression, bool]]:
    """The ends of slices of tensors."""
    for place in work.index.every(cst.Subscript):
        if work.values(place.value).kind is Kind.TENSOR:
            for item in place.slice:
                if isinstance(item.slice, cst.Slice):
                    yield from ((end, False) for end in _indices(item.slice))


def _indices(node: cst.BaseSlice) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.Index):
        yield node.value
    elif isinstance(node, cst.Slice):
        yield from (end for end in (node.lower, node.upper, node.step) if end is not None)


def _filled_in(text: cst.SimpleString, given: Sequence[cst.BaseExpression]) -> Iterator[cst.BaseExpression]:
    """What stands for a number in `"%d: %s" % (n, x)`."""
    said = text.evaluated_value
    if not isinstance(said, str) or "*" in said or "%(" in said:
        return
    kinds = [kind for kind in _CONVERSIONS.findall(said) if kind != "%"]
    if len(kinds) == len(given):
        yield from (part for kind, part in zip(kinds, given, strict=True) if kind in _NUMBERS)


__all__ = ["normalize_element_numbers"]
