"""Optimizers that may be None, normalized: None comes first, and gradients that only they read are emptied without a question.

opt = Adam(net.parameters()) if tune else None    ->    opt = None
                                                        if tune:
                                                            opt = Adam(net.parameters())

if opt is not None:                               ->    opt.zero_grad()
    opt.zero_grad()                                     loss.backward()
loss.backward()                                         if opt is not None:
if opt is not None:                                         opt.step()
    opt.step()

The second is no program of torch, where None has no such method: a translation only takes from it that no gradients of before
are added. Without the optimizer nobody asks for them, as nothing else in the file reads gradients, and all other optimizers
empty their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.training import method_call
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.program.statements import reads_and_writes, suite_body
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_CLIPPING = "torch.nn.utils.clip_grad"


def normalize_optional_optimizers(work: NormalizationRound) -> None:
    """Normalize how optimizers that may be None are made, and the steps that ask for them."""
    if not work.program.mentions("backward") and not work.program.mentions("optim"):
        return
    for line in work.index.every(cst.SimpleStatementLine):
        _none_before_choice(work, line)
    for statement in work.index.every(cst.If):
        _none_before_branch(work, statement)
    if not work.edits.touched():
        for block in work.index.every(cst.IndentedBlock):
            _clear_always(work, block.body)


def _none_before_choice(work: NormalizationRound, line: cst.SimpleStatementLine) -> None:
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name(name))],
                    value=cst.IfExp(test=test, body=cst.Call() as made, orelse=cst.Name("None")),
                )
            ]
        ) if work.values(made).kind is Kind.OPTIMIZER and not _reads(line, name):
            first = quote_statement(f"{name} = None").with_changes(leading_lines=line.leading_lines)
            chosen = quote_statement(f"if {{test}}:\n    {name} = {{made}}", test=test, made=made)
            work.edits.rewrite_statement(line, always_statements([first, chosen]))


def _none_before_branch(work: NormalizationRound, statement: cst.If) -> None:
    """The same where the last branch is `else: opt = None`."""
    match statement:
        case cst.If(orelse=cst.Else() as last):
            pass
        case _:
            return
    then, otherwise = suite_body(statement), suite_body(last)
    name = _bound_to_none(otherwise[0]) if len(otherwise) == 1 else None
    if name is None or isinstance(work.index.parents[statement], cst.If) or _reads(statement, name):
        return
    if any(_makes(work, line, name) for line in then):
        first = quote_statement(f"{name} = None").with_changes(leading_lines=statement.leading_lines)
        rest = statement.with_changes(orelse=None, leading_lines=())
        work.edits.rewrite_statement(statement, always_statements([first, rest]))


def _bound_to_none(line: cst.BaseStatement) -> str | None:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Name("None"))]
        ):
            return name
    return None


def _makes(work: NormalizationRound, line: cst.BaseStatement, name: str) -> bool:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(bound))], value=cst.Call() as made)]
        ):
            return bound == name and work.values(made).kind is Kind.OPTIMIZER
    return False


def _reads(node: cst.CSTNode, name: str) -> bool:
    """Whether a statement, which binds a variable, reads it."""
    targets = {id(item.target) for item in descendants(node, cst.AssignTarget)}
    return any(item.value == name and id(item) not in targets for item in descendants(node, cst.Name))


def _clear_always(work: NormalizationRound, lines: Sequence[cst.BaseStatement]) -> None:
    backwards = [number for number, line in enumerate(lines) if method_call(line, "backward") is not None]
    if len(backwards) != 1:
        return
    for line in lines[: backwards[0]]:
        name = _asked(work, line)
        body = suite_body(line) if name is not None and isinstance(line, cst.If) else []
        clear = method_call(body[0], "zero_grad") if len(body) == 1 else None
        if name is None or clear is None or not _is_of(clear, name) or not _is_unread(work):
            continue
        if _steps_alike(lines, line, backwards[0], name):
            rest = body[0].with_changes(leading_lines=(*line.leading_lines, *body[0].leading_lines))  # type: ignore[attr-defined]
            work.edits.rewrite_statement(line, always_statements([rest]))


def _asked(work: NormalizationRound, line: cst.BaseStatement) -> str | None:
    """The variable of an optimizer of which a statement asks whether it is None."""
    if not isinstance(line, cst.If) or line.orelse is not None:
        return None
    match line.test:
        case cst.Name() as asked:
            pass
        case cst.Comparison(
            left=cst.Name() as asked,
            comparisons=[cst.ComparisonTarget(operator=cst.IsNot() | cst.NotEqual(), comparator=cst.Name("None"))],
        ):
            pass
        case _:
            return None
    calls = [item for item in descendants(line.body, cst.Name) if item.value == asked.value]
    return asked.value if calls and work.values(calls[0]).kind is Kind.OPTIMIZER else None


def _is_of(call: cst.Call, name: str) -> bool:
    return isinstance(call.func, cst.Attribute) and dotted(call.func.value) == name


def _steps_alike(lines: Sequence[cst.BaseStatement], first: cst.BaseStatement, backward: int, name: str) -> bool:
    """Whether all behind the first line that is done with the optimizer is done under the same question."""
    assert isinstance(first, cst.If)
    start, steps = list(lines).index(first), 0
    for number, line in enumerate(lines):
        if number > start and name in reads_and_writes(line)[1]:
            return False
        for call in descendants(line, cst.Call):
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "step" and _is_of(call, name):
                is_same = isinstance(line, cst.If) and line.orelse is None and line.test.deep_equals(first.test)
                if number < backward or not is_same:
                    return False
                steps += 1
    return steps == 1


def _is_unread(work: NormalizationRound) -> bool:
    """Whether nothing in a file asks for gradients but optimizers that empty them in the function where they step."""
    if any(node.attr.value == "grad" and work.values(node).kind is not Kind.TORCH for node in work.index.attributes):
        return False
    if any((work.values.torch_name(call.func) or "").startswith(_CLIPPING) for call in work.index.calls):
        return False  # of several modules together, maybe
    optimizers = [node for node in work.index.attributes if work.values(node.value).kind is Kind.OPTIMIZER]
    cleared = {
        (work.program.function_around(node), dotted(node.value))
        for node in optimizers
        if node.attr.value == "zero_grad"
    }
    stepped = {
        (work.program.function_around(node), dotted(node.value)) for node in optimizers if node.attr.value == "step"
    }
    return stepped <= cleared


__all__ = ["normalize_optional_optimizers"]
