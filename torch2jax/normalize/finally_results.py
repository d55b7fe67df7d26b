"""Results that are given in front of a `finally` which sets the mode of a model: where models are values, what is given with them
has the mode that is set there.

try:                                  try:
    return net(x)                         result = net(x)
finally:                       ->     finally:
    net.train(was_training)               net.train(was_training)
                                      return result
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.training import method_call
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_finally_results(work: NormalizationRound) -> None:
    """Normalize all such results of a file, one of each function in a round; report those in the middle."""
    if work.effects is None or not work.effects.threads:
        return
    done: set[cst.FunctionDef | None] = set()
    for node in work.index.every(cst.Try):
        assert isinstance(node, cst.Try)
        call = _mode_set_last(work, node)
        parts = (node.body, *node.handlers, *([node.orelse] if node.orelse is not None else ()))
        found = [item for part in parts for item in descendants(part, cst.Return)]
        if call is None or not found:
            continue
        function = work.index.function_of(node)
        last = node.body.body[-1] if isinstance(node.body, cst.IndentedBlock) and node.body.body else None
        is_last = isinstance(last, cst.SimpleStatementLine) and found == [last.body[0]] and not node.handlers
        if not is_last or node.orelse is not None:
            work.problems.append(Problem(call, "T2J603", {"name": code(call.func)}))
        elif function not in done:
            done.add(function)
            _normalize(work, node, last, found[0])  # type: ignore[arg-type]


def _mode_set_last(work: NormalizationRound, node: cst.Try) -> cst.Call | None:
    """The call in a `finally` that sets the mode of a model which a variable holds."""
    if node.finalbody is None:
        return None
    for line in descendants(node.finalbody, cst.SimpleStatementLine):
        for name in ("train", "eval"):
            call = method_call(line, name)
            place = cst.ensure_type(call.func, cst.Attribute).value if call is not None else None
            if isinstance(place, cst.Name) and work.values(place).kind is Kind.MODULE and not _is_self(work, place):
                return call
    return None


def _is_self(work: NormalizationRound, place: cst.Name) -> bool:
    function = work.program.function_around(place)
    return function is not None and place.value in (function.self_name, "self")


def _normalize(work: NormalizationRound, node: cst.Try, last: cst.SimpleStatementLine, given: cst.Return) -> None:
    name = work.names_at(node)("result")
    if given.value is not None:
        work.edits.rewrite_statement(last, partial(_kept, name, given.value))
    else:
        work.edits.rewrite_statement(last, lambda rewrite: [quote_statement("pass")])
    result = f"return {name}" if given.value is not None else "return"
    work.edits.after(node, lambda rewrite: [quote_statement(result)])


def _kept(name: str, value: cst.BaseExpression, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [quote_statement(f"{name} = {{value}}", value=rewrite.expression(value))]


__all__ = ["normalize_finally_results"]
