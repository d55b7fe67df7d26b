"""Short loops that change the parameters of several modules, one loop for each module.

for p in [*a.parameters(), *b.parameters()]:    ->    for p in a.parameters():
    p.clamp_(-c, c)                                       p.clamp_(-c, c)
                                                      for p in b.parameters():
                                                          p.clamp_(-c, c)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.parameter_loops import changes_tensor
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LONGEST = 3  # lines that are written once more for each module


def normalize_joined_parameters(work: NormalizationRound) -> None:
    """Write a loop for each of the modules whose parameters a loop changes."""
    for loop in work.index.every(cst.For):
        sources = joined_sources(work, loop.iter)
        if sources is None or len(sources) < 2 or not _can_be_several(work, loop):
            continue
        loops = [
            loop.with_changes(
                target=work.copy(loop.target),
                iter=work.copy(source),
                body=work.copy(loop.body),
                leading_lines=() if number else loop.leading_lines,
            )
            for number, source in enumerate(sources)
        ]
        work.edits.rewrite_statement(loop, always_statements(loops))


def _can_be_several(work: NormalizationRound, loop: cst.For) -> bool:
    """Whether a loop changes what it runs over, in a few lines that never leave it before its end."""
    if not isinstance(loop.target, cst.Name) or loop.orelse is not None or loop.asynchronous is not None:
        return False
    leaves = (cst.Break, cst.FunctionDef, cst.ClassDef, cst.For, cst.While, cst.Lambda)
    short = len(loop.body.body) <= _LONGEST and not any(isinstance(item, leaves) for item in descendants(loop.body))
    return short and changes_tensor(loop.body, loop.target.value, work.values)


def joined_sources(work: NormalizationRound, node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """`a.parameters()` and `b.parameters()` of what joins them in one list."""
    match node:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            starred = [item.value for item in elements if isinstance(item, cst.StarredElement)]
            is_all = len(starred) == len(elements) and all(_gives_parameters(work, item) for item in starred)
            return starred if is_all else None
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            first, second = joined_sources(work, left), joined_sources(work, right)
            return None if first is None or second is None else [*first, *second]
        case cst.Call(func=cst.Name("list"), args=[cst.Arg(value=inner, keyword=None, star="")]):
            return [inner] if _gives_parameters(work, inner) else None
    return None


def _gives_parameters(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            return dotted(module) is not None and work.values(module).kind is Kind.MODULE
    return False


__all__ = ["joined_sources", "normalize_joined_parameters"]
