"""Statements that turn the recording of gradients on or off for all that follows, normalized to contexts, or left out.

def validate(model, x):                             def validate(model, x):
    torch.set_grad_enabled(False)                       with torch.no_grad():
    return model(x)                         ->              return model(x)

def train(model, x):                                def train(model, x):
    torch.set_grad_enabled(True)                        ...
    ...

What is left off where its function ends stays off in what called it: a `backward()` there would stop, unless another function turns
it on again, which does so before all else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

import libcst as cst

from torch2jax.facts.contexts import enabling
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Program
from torch2jax.syntax.edits import always_statements, is_docstring

Switches = Mapping[cst.CSTNode, cst.BaseExpression]


def normalize_gradient_switches(work: NormalizationRound) -> None:
    """Normalize the statements of a file, if all of them can be."""
    if not work.program.mentions("set_grad_enabled"):
        return
    switches: dict[cst.CSTNode, cst.BaseExpression] = dict(_switches(work))
    if all(_is_clear(work, line, switches) for line in switches) and not _is_turned_on(work.program):
        for block in dict.fromkeys(work.index.parents[line] for line in switches):
            _put_into_contexts(work, cst.ensure_type(block, cst.IndentedBlock), switches)


def _switches(work: NormalizationRound) -> Iterator[tuple[cst.SimpleStatementLine, cst.BaseExpression]]:
    """The statements that are nothing but such a call, with the mode that it sets."""
    for call in work.index.calls:
        mode, line = enabling(call, work.values), work.index.statement_of(call)
        if mode is not None and isinstance(work.index.parents[call], cst.Expr):
            if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
                yield line, mode


def _is_clear(work: NormalizationRound, line: cst.CSTNode, switches: Switches) -> bool:
    """Whether a statement stands in the block of a function itself, at its beginning if it turns gradients on, or behind another."""
    block = work.index.parents[line]
    if not isinstance(block, cst.IndentedBlock) or not isinstance(work.index.parents[block], cst.FunctionDef):
        return False
    before = list(takewhile(lambda item: item is not line, block.body))
    return _says(switches[line], "False") or any(item in switches for item in before) or all(map(_only_begins, before))


def _only_begins(line: cst.BaseStatement) -> bool:
    """Whether a line at the beginning of a function computes nothing: its docstring, `global`, prints, `model.train()`."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Global() | cst.Nonlocal() | cst.Import() | cst.ImportFrom()]):
            return True
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=cst.Name("print")))]):
            return True
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name("train" | "eval"))))]
        ):
            return True
    return is_docstring(line)


def _says(mode: cst.BaseExpression, word: str) -> bool:
    return isinstance(mode, cst.Name) and mode.value == word


def _is_turned_on(program: Program) -> bool:
    """Whether contexts turn gradients on: what was computed before, where they were off, has none."""
    return any(item.mentions("enable_grad") for item in program.files)


def _put_into_contexts(work: NormalizationRound, block: cst.IndentedBlock, switches: Switches) -> None:
    """The lines between two statements of a block stand in a context of their own."""
    places = [place for place, line in enumerate(block.body) if line in switches]
    for start, end in zip(places, [*places[1:], len(block.body)], strict=True):
        line = cst.ensure_type(block.body[start], cst.SimpleStatementLine)
        if _says(switches[line], "True") or end == start + 1:
            work.edits.remove(line)
            continue
        inner = list(block.body[start + 1 : end])
        for item in inner:
            work.edits.remove(item)  # which stands, as it is, in the context
        context = cst.WithItem(work.copy(cst.ensure_type(line.body[0], cst.Expr).value))
        enclosed = cst.With([context], cst.IndentedBlock(inner), leading_lines=line.leading_lines)
        work.edits.rewrite_statement(line, always_statements([enclosed]))


__all__ = ["normalize_gradient_switches"]
