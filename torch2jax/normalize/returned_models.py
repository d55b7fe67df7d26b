"""Models that a function gets among other things and gives on as it got them: each has a name, under which its state is found.

def build_model(args):                 def build_model(args):
    return build(args)         ->          model, criterion = build(args)
                                           return model, criterion

where `build` returns `model, criterion`.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.fresh import words_of
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import elements_of, returned_tuples
from torch2jax.values import Kind, Value


def normalize_returned_models(work: NormalizationRound) -> None:
    """Normalize all such lines of a file, where state is passed on from call to call."""
    effects = work.effects
    if effects is None or not effects.threads:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Return(value=cst.Call() as call)]:
                result = work.values(call)
                names = _names(work, call, result)
                if names and any(item.kind is Kind.MODULE and effects.is_stateful(item) for item in result.items or ()):
                    _normalize(work, line, call, names)


def _names(work: NormalizationRound, call: cst.Call, result: Value) -> list[str]:
    """What the one function that a call reaches calls the things that it always returns; nothing, if it does otherwise."""
    reached = work.values.callees.get(call, ())
    if len(reached) != 1 or result.kind is not Kind.TUPLE or not result.items:
        return []
    tuples = returned_tuples(reached[0].node)
    if not tuples or any(len(given.elements) != len(result.items) for given in tuples):
        return []
    return [_name(item) for item in elements_of(tuples[0])]


def _name(item: cst.BaseExpression) -> str:
    match item:
        case cst.Name(value=name):
            return name
        case cst.Call(func=cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name))):
            return words_of(name)
    return "result"


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, call: cst.Call, wishes: list[str]) -> None:
    fresh = work.names_at(line)
    names = [fresh(wish) for wish in wishes]

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        made = quote_statement(f"{', '.join(names)} = {{call}}", call=rewrite.expression(call))
        given = cst.SimpleStatementLine([cst.Return(quote(f"({', '.join(names)})"))])
        return [made.with_changes(leading_lines=line.leading_lines), given]

    work.edits.rewrite_statement(line, build)


__all__ = ["normalize_returned_models"]
