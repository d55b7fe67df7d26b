"""Branches of training loops that leave the round: what runs otherwise stands behind them, not beside.

if step == 0:                             if step == 0:
    z = model(warm)                           z = model(warm)
    continue                       ->         continue
else:                                     z = model(x)
    z = model(x)                          loss = criterion(z, y)
loss = criterion(z, y)                    loss.backward()
loss.backward()

A step begins behind such a branch, since no part of it can leave a loop around the step.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.statements import suite_body
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants

_JUMPS = (cst.Continue, cst.Break)


def normalize_leaving_branches(work: NormalizationRound) -> None:
    """Put what runs otherwise behind branches that leave a round before its `backward()`."""
    if not work.program.mentions("backward"):
        return
    for choice in work.index.every(cst.If):
        block, other = work.index.parents[choice], choice.orelse
        if other is None or not isinstance(block, cst.IndentedBlock) or choice in work.edits.statements:
            continue
        if not _trains(block.body[block.body.index(choice) + 1 :]):
            continue
        if _jumps(choice.body):
            work.edits.rewrite_statement(choice, lambda rewrite, choice=choice: _behind(rewrite, choice))  # type: ignore[misc]
        elif isinstance(other, cst.Else) and _jumps(other.body):
            work.edits.rewrite_statement(choice, lambda rewrite, choice=choice: _turned(rewrite, choice))  # type: ignore[misc]


def _trains(lines: Sequence[cst.CSTNode]) -> bool:
    return any(node.attr.value == "backward" for line in lines for node in descendants(line, cst.Attribute))


def _jumps(body: cst.BaseSuite) -> bool:
    """Whether a branch always ends by leaving the round of a loop around it."""
    match body.body[-1]:
        case cst.SimpleStatementLine(body=[*_, last]):
            return isinstance(last, _JUMPS)
        case cst.With(body=inner):
            return _jumps(inner)
        case last:
            return isinstance(last, _JUMPS)


def _behind(rewrite: Rewriter, choice: cst.If) -> list[cst.BaseStatement]:
    kept = cst.ensure_type(rewrite.inside(choice), cst.If)
    rest = kept.orelse
    if isinstance(rest, cst.If):
        return [kept.with_changes(orelse=None), rest]
    assert rest is not None
    return [kept.with_changes(orelse=None), *suite_body(rest)]


def _turned(rewrite: Rewriter, choice: cst.If) -> list[cst.BaseStatement]:
    kept = cst.ensure_type(rewrite.inside(choice), cst.If)
    test = quote("not {test}", test=kept.test)
    body = cst.ensure_type(kept.orelse, cst.Else).body
    return [kept.with_changes(test=test, body=body, orelse=None), *suite_body(kept)]


__all__ = ["normalize_leaving_branches"]
