"""Lambdas that have a name and draw, or make modules: a function can be given a key, and takes the place of each.

block = lambda n, m: nn.Sequential(nn.Conv2d(n, m, 3), nn.ReLU())   ->   def block(n, m):
                                                                             return nn.Sequential(nn.Conv2d(n, m, 3), nn.ReLU())
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_named_lambdas(work: NormalizationRound) -> None:
    """Normalize all such lambdas of a file."""
    for made in work.index.every(cst.Lambda):
        assert isinstance(made, cst.Lambda)
        assign = work.index.parents[made]
        line = work.index.parents.get(assign)
        match assign, line:
            case (
                cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]),
                cst.SimpleStatementLine(body=[_]) as line,
            ) if _needs_more(work, made):
                work.edits.rewrite_statement(line, partial(_function, line, name, made))


def _needs_more(work: NormalizationRound, made: cst.Lambda) -> bool:
    """Whether something in a lambda makes a module, or draws and cannot be given a key as it stands."""
    effects, values = work.effects, work.values
    assert effects is not None
    for call in descendants(made.body):
        if isinstance(call, cst.Call):
            if values(call).kind is Kind.MODULE and not values(call.func).is_a(Kind.MODULE):
                return True
            if made not in effects.lambdas and effects.draw_of(call) is not Draw.NONE:
                return True
    return False


def _function(
    line: cst.SimpleStatementLine, name: cst.Name, made: cst.Lambda, rewrite: Rewriter
) -> list[cst.BaseStatement]:
    inner = rewrite.inside(made)
    assert isinstance(inner, cst.Lambda)
    result = cst.SimpleStatementLine([cst.Return(inner.body)], trailing_whitespace=line.trailing_whitespace)
    return [cst.FunctionDef(name, inner.params, cst.IndentedBlock([result]), leading_lines=line.leading_lines)]


__all__ = ["normalize_named_lambdas"]
