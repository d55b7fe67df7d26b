"""Modules that `functools.reduce` calls one after another, normalized to loops, in which each call is in sight.

return reduce(lambda h, layer: layer(h), self.layers, x)   ->   h = x
                                                                for layer in self.layers:
                                                                    h = layer(h)
                                                                return h
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.training_comprehensions import line_computing_first
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, is_label
from torch2jax.values import Kind


class _Fold(NamedTuple):
    """What is called with the result so far and each item, and the names of both in the loop."""

    function: cst.BaseExpression
    items: cst.BaseExpression
    first: cst.BaseExpression
    result: str
    item: str


def normalize_folded_modules(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    if not work.program.mentions("reduce"):
        return
    for call in work.index.calls:
        given = [item.value for item in call.args if not item.star and item.keyword is None]
        if work.values(call.func).const != "functools.reduce" or len(given) != len(call.args) or len(given) != 3:
            continue
        line = line_computing_first(work, call)
        if line is not None and _calls_modules(work, given[0], given[1]) and not _both_act(given[1], given[2]):
            _as_loop(work, call, line, given)


def _calls_modules(work: NormalizationRound, function: cst.BaseExpression, items: cst.BaseExpression) -> bool:
    """Whether the items are modules, or what is called and may be one."""
    kind = work.values(items).element().kind
    if not isinstance(function, cst.Lambda):
        return kind is Kind.MODULE
    names = [item.name.value for item in function.params.params]
    calls = [node.func for node in (function.body, *descendants(function.body)) if isinstance(node, cst.Call)]
    called = {node.value for node in calls if isinstance(node, cst.Name)}
    return len(names) == 2 and (kind is Kind.MODULE or (kind is not Kind.TENSOR and names[1] in called))


def _both_act(*nodes: cst.BaseExpression) -> bool:
    return all(any(isinstance(item, cst.Call) for item in (node, *descendants(node))) for node in nodes)


def _as_loop(
    work: NormalizationRound, call: cst.Call, line: cst.SimpleStatementLine, given: list[cst.BaseExpression]
) -> None:
    function = given[0]
    fresh = work.names_at(line)
    if isinstance(function, cst.Lambda):
        scope = work.index.function_of(line) or work.index.module
        inside = set(descendants(function))
        outside = {item.value for item in descendants(scope, cst.Name) if item not in inside}
        names = []
        for parameter in function.params.params:
            name = parameter.name.value
            names.append(fresh(f"{name}_") if name in outside else name)
            if name != names[-1]:
                _rename(work, function.body, name, names[-1])
    else:
        names = [fresh("result"), fresh("item")]
    fold = _Fold(function, given[1], given[2], *names)
    work.edits.replace(call, always(cst.Name(fold.result)))
    work.edits.rewrite_statement(line, partial(_statements, fold, line))


def _rename(work: NormalizationRound, body: cst.BaseExpression, name: str, other: str) -> None:
    for item in (body, *descendants(body)):
        if isinstance(item, cst.Name) and item.value == name and not is_label(item, work.index.parents[item]):
            work.edits.replace(item, always(cst.Name(other)))


def _statements(fold: _Fold, line: cst.SimpleStatementLine, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    first = quote_statement(f"{fold.result} = {{x}}", x=rewrite.expression(fold.first))
    if isinstance(fold.function, cst.Lambda):
        step = quote_statement(f"{fold.result} = {{x}}", x=rewrite.expression(fold.function.body))
    else:
        called = rewrite.expression(fold.function)
        step = quote_statement(f"{fold.result} = {{f}}({fold.result}, {fold.item})", f=called)
    loop = cst.For(cst.Name(fold.item), rewrite.expression(fold.items), cst.IndentedBlock([step]))
    last = rewrite.inside(line)
    assert isinstance(last, cst.SimpleStatementLine)
    return [first.with_changes(leading_lines=line.leading_lines), loop, last.with_changes(leading_lines=())]


__all__ = ["normalize_folded_modules"]
