"""Questions whose answer is known: it takes their place, and of a choice that asks nothing else the one way taken is left.

if HAS_KERNELS:                          y = slow(x)
    y = fast(x)                   ->
else:
    y = slow(x)
done = HAS_KERNELS and ready(x)   ->     done = False
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.walk import descendants


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer settles: the largest question, what it says, and the parts of the program that go."""

    work: NormalizationRound
    question: cst.BaseExpression
    says: bool

    @property
    def gone(self) -> list[cst.CSTNode]:
        around = self.work.index.parents[self.question]
        match around:
            case cst.If(test=self.question) | cst.IfExp(test=self.question):
                other = around.orelse if self.says else around.body
                return [self.question, *([other] if other is not None else []), *self.unreached]
        return [self.question]

    @property
    def unreached(self) -> list[cst.CSTNode]:
        """The lines behind a choice whose one way always leaves the block."""
        choice = self.work.index.parents[self.question]
        if not isinstance(choice, cst.If) or not _leaves(choice.body if self.says else choice.orelse):
            return []
        block = self.work.index.parents[choice]
        if isinstance(block, cst.If) or not isinstance(block, (cst.IndentedBlock, cst.Module)):
            return []
        lines = list(block.body)
        return list(lines[[line is choice for line in lines].index(True) + 1 :])

    def put(self) -> None:
        """Put the answer in the place of its question, and leave out what would run otherwise."""
        edits, question = self.work.edits, self.question
        for part in self.gone:
            self.work.note_unreached(part)
        around = self.work.index.parents[question]
        if isinstance(around, cst.If) and around.test is question:
            _choose(self.work, around, self.says)
            for line in self.unreached:
                edits.remove(line)
        elif isinstance(around, cst.IfExp) and around.test is question:
            kept = around.body if self.says else around.orelse
            edits.replace(around, lambda rewrite: rewrite.expression(kept))
        elif isinstance(around, cst.BooleanOperation) and around.left is question:  # its other side decides
            edits.replace(around, lambda rewrite: rewrite.expression(around.right))
        else:
            edits.replace(question, always(cst.Name("True" if self.says else "False")))


def put_answers(answers: Sequence[Answer]) -> None:
    """Put all answers whose questions are left by the others."""
    gone = [{item for root in answer.gone for item in descendants(root)} for answer in answers]
    for number, answer in enumerate(answers):
        earlier = any(answer.question is item.question for item in answers[:number])
        others = (found for item, found in zip(answers, gone, strict=True) if item.question is not answer.question)
        if not earlier and not any(answer.question in found for found in others):
            answer.put()


def _leaves(way: cst.BaseSuite | cst.If | cst.Else | None) -> bool:
    """Whether what follows a way of a choice is never reached from it."""
    match way:
        case cst.IndentedBlock(body=[*_, cst.SimpleStatementLine(body=[*_, last])]):
            return isinstance(last, (cst.Return, cst.Raise, cst.Continue, cst.Break))
        case cst.IndentedBlock(body=[*_, cst.If() as last]):
            return _leaves(last)
        case cst.SimpleStatementSuite(body=[*_, last]):
            return isinstance(last, (cst.Return, cst.Raise, cst.Continue, cst.Break))
        case cst.Else(body=body):
            return _leaves(body)
        case cst.If(body=body, orelse=cst.If() | cst.Else() as orelse):
            return _leaves(body) and _leaves(orelse)
    return False


def find_answer(work: NormalizationRound, node: cst.BaseExpression, says: bool) -> Answer:
    """What it settles that a question has an answer."""
    return Answer(work, *_whole_question(work, node, says))


def is_asked_for_truth(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether nothing but the truth of a value matters."""
    around = work.index.parents[node]
    if isinstance(around, (cst.If, cst.IfExp)):
        return around.test is node
    if isinstance(around, cst.UnaryOperation):
        return isinstance(around.operator, cst.Not)
    return isinstance(around, cst.BooleanOperation) and is_asked_for_truth(work, around)


def _whole_question(work: NormalizationRound, node: cst.BaseExpression, says: bool) -> tuple[cst.BaseExpression, bool]:
    """The largest question that an answer settles, and what it says then."""
    while True:
        around = work.index.parents[node]
        if isinstance(around, cst.UnaryOperation) and isinstance(around.operator, cst.Not):
            says = not says
        elif not isinstance(around, cst.BooleanOperation) or not _decides(work, around, node, says):
            return node, says
        node = cast("cst.BaseExpression", around)


def _decides(work: NormalizationRound, around: cst.BooleanOperation, node: cst.CSTNode, says: bool) -> bool:
    """Whether one side of `and` or `or` says what both together are, and nothing is lost without the other."""
    if isinstance(around.operator, cst.And) == says:
        return False
    return around.left is node or (is_asked_for_truth(work, around) and _acts_not(around.left))


def _acts_not(node: cst.BaseExpression) -> bool:
    """Whether nothing happens when an expression is evaluated: it reads names and fields, and compares."""
    acting = (cst.Call, cst.Subscript, cst.Await, cst.Yield, cst.NamedExpr)
    return not any(isinstance(item, acting) for item in descendants(node))


def _choose(work: NormalizationRound, choice: cst.If, says: bool) -> None:
    """Leave the one way of a choice that is taken."""
    above, rest = work.index.parents[choice], choice.orelse
    taken = cst.Else(choice.body) if says else rest
    if isinstance(above, cst.If) and above.orelse is choice:
        if taken is None:
            work.edits.drop(choice)
        elif not says:
            work.edits.replace(choice, lambda rewrite: rewrite(taken))
        else:
            work.edits.replace(choice, lambda rewrite: cst.Else(cast("cst.BaseSuite", rewrite(choice.body))))
    elif taken is None:
        work.edits.remove(choice)
    else:
        work.edits.rewrite_statement(choice, lambda rewrite: _taken(work, rewrite, taken))


def _taken(work: NormalizationRound, rewrite: Rewriter, way: cst.If | cst.Else) -> list[cst.BaseStatement]:
    """The statements of a way, which may be a choice that has been answered, too."""
    if way in work.edits.dropped:
        return []
    if isinstance(way, cst.If):
        left = rewrite(way)
        if isinstance(left, cst.If):
            return [left]
        body = cst.ensure_type(left, cst.Else).body
        lines = body.body if isinstance(body, cst.IndentedBlock) else [cst.SimpleStatementLine(body.body)]  # type: ignore[arg-type]
        for line in lines:
            rewrite.stands_for(line, line)
        return list(lines)
    return _lines(rewrite, way.body)


def _lines(rewrite: Rewriter, body: cst.BaseSuite) -> list[cst.BaseStatement]:
    if isinstance(body, cst.IndentedBlock):
        return list(rewrite.block(body))
    return [cst.SimpleStatementLine(cst.ensure_type(rewrite(body), cst.SimpleStatementSuite).body)]


__all__ = ["Answer", "find_answer", "is_asked_for_truth", "put_answers"]
