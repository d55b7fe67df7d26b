"""Branches that both train with what stands above them, normalized to one `backward()` in front of the choice.

if scaler is not None:                          loss.backward()
    loss.backward()                             clip_grad_norm_(model.parameters(), 1.0)
    clip_grad_norm_(model.parameters(), 1.0)    optimizer.step()
    optimizer.step()                      ->    if scaler is not None:
    scaled += 1                                     scaled += 1
else:
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()

if self.halves:
    (loss / 2).backward()                 ->    (loss / 2 if self.halves else loss).backward()
else:
    loss.backward()

Losses that were scaled in one of the branches are not any more when this is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.training import is_clip, method_call
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_CHANGED = frozenset({Kind.TENSOR, Kind.MODULE, Kind.OPTIMIZER})
_READING = (
    cst.Name,
    cst.Attribute,
    cst.Integer,
    cst.Float,
    cst.SimpleString,
    cst.UnaryOperation,
    cst.BooleanOperation,
    cst.Comparison,
    cst.ComparisonTarget,
)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A choice of which both branches train: how many lines they begin with alike, and the losses of the next ones."""

    node: cst.If
    ours: Sequence[cst.BaseStatement]
    theirs: Sequence[cst.BaseStatement]
    alike: int
    losses: tuple[cst.BaseExpression, cst.BaseExpression] | None


def normalize_shared_backwards(work: NormalizationRound) -> None:
    """Normalize all such choices of a file, those inside of others first."""
    if not work.program.mentions("backward"):
        return
    for node in work.index.every(cst.If):
        choice = _find(work, node)
        if choice is not None and not any(_find(work, item) for item in _choices_in(node)):
            work.edits.rewrite_statement(node, partial(_built, choice))


def _choices_in(node: cst.If) -> list[cst.If]:
    return [item for item in descendants(node) if isinstance(item, cst.If) and item is not node]


def _find(work: NormalizationRound, node: cst.If) -> _Choice | None:
    ours, theirs = _lines(node), _lines(node.orelse)
    is_statement = isinstance(work.index.parents[node], (cst.IndentedBlock, cst.Module))
    if not is_statement or not ours or not theirs or not _may_wait(work, node.test):
        return None
    alike, trains = 0, False
    for one, other in zip(ours, theirs, strict=False):
        if not is_same(one, other) or not _trains(work, one) or _bound(one) & names_in(node.test):
            break
        alike, trains = alike + 1, trains or method_call(one, "backward") is not None
    losses = None
    if not trains and alike < min(len(ours), len(theirs)):
        losses = _losses(work, ours[alike], theirs[alike])
    return _Choice(node, ours, theirs, alike, losses) if trains or losses is not None else None


def _lines(node: cst.CSTNode | None) -> Sequence[cst.BaseStatement]:
    body = node.body if isinstance(node, (cst.If, cst.Else)) else None
    return list(body.body) if isinstance(body, cst.IndentedBlock) else []


def is_same(one: cst.BaseStatement, other: cst.BaseStatement) -> bool:
    """Whether two lines say the same, whatever comments say."""
    if not isinstance(one, cst.SimpleStatementLine) or not isinstance(other, cst.SimpleStatementLine):
        return False
    return [code(item) for item in one.body] == [code(item) for item in other.body]


def _may_wait(work: NormalizationRound, test: cst.BaseExpression) -> bool:
    """Whether a condition is the same before and after a step: it reads names and fields that no step changes."""
    nodes = [
        node for node in (test, *descendants(test)) if isinstance(node, (cst.BaseExpression, cst.ComparisonTarget))
    ]
    return all(isinstance(node, _READING) for node in nodes) and not any(
        work.values(node).kind in _CHANGED and not _is_asked_for_none(work, node) for node in nodes
    )


def _is_asked_for_none(work: NormalizationRound, node: cst.CSTNode) -> bool:
    match work.index.parents[node]:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.IsNot())]):
            return left is node
    return False


def _trains(work: NormalizationRound, line: cst.BaseStatement) -> bool:
    """Whether a line is a part of a step that changes nothing else: it fills gradients, clips, uses or empties them."""
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(value=cst.Call() as call)
                | cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=cst.Call() as call)
            ]
        ):
            function = call.func
        case _:
            return False
    if is_clip(call, work.values):
        return True
    if not isinstance(function, cst.Attribute):
        return False
    kind = work.values(function.value).kind
    if function.attr.value == "backward":
        return kind in (Kind.TENSOR, Kind.UNKNOWN)
    return function.attr.value in ("step", "zero_grad") and kind in (Kind.OPTIMIZER, Kind.MODULE)


def _bound(line: cst.BaseStatement) -> set[str]:
    """The variables that a line binds."""
    return {
        name for node in descendants(line) if isinstance(node, cst.AssignTarget) for name in bound_names(node.target)
    }


def _losses(
    work: NormalizationRound, ours: cst.BaseStatement, theirs: cst.BaseStatement
) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The losses of two lines that are the same but for these: each is a name, divided by a number or not."""
    calls = method_call(ours, "backward"), method_call(theirs, "backward")
    if calls[0] is None or calls[1] is None:
        return None
    if [code(item) for item in calls[0].args] != [code(item) for item in calls[1].args]:
        return None
    first, last = (call.func.value for call in calls if call is not None and isinstance(call.func, cst.Attribute))
    kinds = {work.values(item).kind for item in (first, last)}
    return (first, last) if kinds == {Kind.TENSOR} or kinds == {Kind.TENSOR, Kind.UNKNOWN} else None


def _built(choice: _Choice, rewrite: Rewriter) -> list[cst.BaseStatement]:
    """The lines in front of the choice, and what is left of it."""
    node, count = choice.node, choice.alike
    made = [item for line in choice.ours[:count] for item in rewrite.statement(line)]
    if choice.losses is not None:
        first, last = map(rewrite.expression, choice.losses)
        call = method_call(choice.ours[count], "backward")
        assert call is not None
        test = node.test.deep_clone()
        function = quote("({first} if {test} else {last}).backward", first=first, test=test, last=last)
        made.append(cst.SimpleStatementLine([cst.Expr(call.with_changes(func=function))]))
        count += 1
    made[0] = made[0].with_changes(leading_lines=node.leading_lines)
    return [*made, *_left(node, choice.ours[count:], choice.theirs[count:], rewrite)]


def _left(
    node: cst.If, ours: Sequence[cst.BaseStatement], theirs: Sequence[cst.BaseStatement], rewrite: Rewriter
) -> list[cst.BaseStatement]:
    """What is left of a choice whose branches have lost the lines that they begin with."""
    first, last = ([item for line in lines for item in rewrite.statement(line)] for lines in (ours, theirs))
    node = node.with_changes(leading_lines=())
    if first:
        other = cst.Else(cst.IndentedBlock(last)) if last else None
        return [node.with_changes(body=cst.IndentedBlock(first), orelse=other)]
    if not last:
        return []
    return [node.with_changes(test=quote("not {test}", test=node.test), body=cst.IndentedBlock(last), orelse=None)]


__all__ = ["is_same", "normalize_shared_backwards"]
