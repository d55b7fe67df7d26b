"""Imports of packages that stand on torch, where the program says what it does without them: it does that.

try:                                               HAS_KERNELS = False
    from apex.normalization import FusedNorm
    HAS_KERNELS = True                       ->
except ImportError:
    HAS_KERNELS = False
if HAS_KERNELS:                                    y = self.norm(x)
    y = FusedNorm(8)(x)
else:
    y = self.norm(x)

A package that parts of are translated (torchvision) is there. Where what is imported is used and nobody asks for it first, the
import stays, and its uses are reported.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.dependence import LEAVING
from torch2jax.normalize.answers import Answer, find_answer, is_asked_for_truth, put_answers
from torch2jax.normalize.library_sources import ROOTS
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import dotted, modules_asked
from torch2jax.program.scopes import Variable
from torch2jax.program.statements import is_pass
from torch2jax.program.torch_packages import package_on_torch
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statements
from torch2jax.syntax.walk import descendants

_CATCHING = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


@dataclass(frozen=True, slots=True)
class _Guard:
    """A `try` with imports that cannot succeed: their lines with the packages, what never runs, and what is done instead."""

    node: cst.Try
    failing: Mapping[cst.CSTNode, str]
    dead: Sequence[cst.CSTNode]
    handler: cst.ExceptHandler
    is_plain: bool
    """Whether nothing but the handler has an effect."""


def normalize_absent_packages(work: NormalizationRound) -> None:
    """Do what the program does without such packages, and answer where it asks for them."""
    guards = [guard for node in work.index.every(cst.Try) if (guard := _guard(work, cst.ensure_type(node, cst.Try)))]
    while guards:
        dead = {item for guard in guards for line in guard.dead for item in descendants(line)}
        answers = [item for guard in guards for item in _answers(work, guard, dead)]
        gone = dead | {item for answer in answers for root in answer.gone for item in descendants(root)}
        missed = [guard for guard in guards if _is_used_without(work, guard, gone, dead)]
        if not missed:
            _go_without(work, guards, answers)
            return
        guards = [guard for guard in guards if guard not in missed]


def _go_without(work: NormalizationRound, guards: Sequence[_Guard], answers: Sequence[Answer]) -> None:
    for guard in guards:
        for name in dict.fromkeys(guard.failing.values()):
            work.lasting.append(Problem(guard.handler.body.body[0], "T2J104", {"name": name}))
        for part in guard.dead:
            work.note_unreached(part)
        if guard.is_plain:
            work.edits.rewrite_statement(guard.node, partial(_handled, guard))
            continue
        for line in guard.dead:
            work.edits.rewrite_statement(
                line, partial(_failure, guard.failing[line]) if line in guard.failing else _nothing
            )
    put_answers(answers)


def _handled(guard: _Guard, rewrite: Rewriter) -> list[cst.BaseStatement]:
    lines = rewrite.block(cst.ensure_type(guard.handler.body, cst.IndentedBlock))
    return [line for line in lines if not is_pass(line)]


def _failure(package: str, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    return quote_statements(f"""raise ImportError("No module named '{package}'")\n""")


def _nothing(rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    return ()


# Imports that cannot succeed


def _guard(work: NormalizationRound, node: cst.Try) -> _Guard | None:
    handler = next((item for item in node.handlers if _catches(item.type)), None)
    if (
        handler is None
        or not isinstance(handler.body, cst.IndentedBlock)
        or any(map(_leaves, descendants(handler.body)))
    ):
        return None
    failing = dict(_failing(work, node.body))
    if not failing:
        return None
    first = next(iter(node.body.body))
    is_used = (
        handler.name is not None and len([item for item in descendants(handler) if _reads(item, handler.name)]) > 1
    )
    is_plain = first in failing and not is_used and node.finalbody is None
    others = [item for item in (*node.handlers, node.orelse) if item is not None and item is not handler]
    dead = [node.body, *others] if is_plain else [line for item in failing for line in _from(work, item)]
    return _Guard(node, failing, dead, handler, is_plain)


def _catches(kind: cst.BaseExpression | None) -> bool:
    if isinstance(kind, cst.Tuple):
        return any(_catches(item.value) for item in kind.elements)
    return kind is None or dotted(kind) in _CATCHING


def _leaves(node: cst.CSTNode) -> bool:
    """Whether the program ends there: it needs what it imports."""
    return isinstance(node, cst.Raise) or (isinstance(node, cst.Call) and dotted(node.func) in LEAVING)


def _reads(node: cst.CSTNode, given: cst.AsName) -> bool:
    return isinstance(node, cst.Name) and isinstance(given.name, cst.Name) and node.value == given.name.value


def _failing(work: NormalizationRound, body: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, str]]:
    """The first line of a block, and of the blocks of choices in front of it, that imports what cannot be had without torch;
    with the package.
    """
    for line in body.body if isinstance(body, cst.IndentedBlock) else ():
        match line:
            case cst.SimpleStatementLine(body=[cst.Import() | cst.ImportFrom() as item]) if packages := list(
                _absent(work, item)
            ):
                yield line, packages[0]
                return
            case cst.If(body=taken, orelse=other):
                yield from _failing(work, taken)
                yield from _failing(work, other.body) if isinstance(other, cst.Else) else ()


def _absent(work: NormalizationRound, node: cst.Import | cst.ImportFrom) -> Iterator[str]:
    """The packages of which an import takes something, and of which nothing is translated."""
    for name in modules_asked(node):
        package = package_on_torch(name)
        if package is not None and not work.program.has_file_of(name) and not _is_translated(work, package):
            yield package


def _is_translated(work: NormalizationRound, package: str) -> bool:
    assert work.effects is not None
    tables = work.effects.tables
    known = (*tables.functions, *tables.layers, *tables.own)
    return package in ROOTS or package == "functorch" or any(name.startswith(f"{package}.") for name in known)


def _from(work: NormalizationRound, line: cst.CSTNode) -> list[cst.CSTNode]:
    """A line and those behind it in its block."""
    block = cst.ensure_type(work.index.parents[line], cst.IndentedBlock).body
    return list(block[[item is line for item in block].index(True) :])


# What is asked about them


def _answers(work: NormalizationRound, guard: _Guard, dead: Container[cst.CSTNode]) -> Iterator[Answer]:
    """The questions whether the package is there: of names that stand for a constant without it."""
    for variable in _variables(work, guard):
        constants = {_constant(item) for item in work.program.definitions.every(variable) if item.node not in dead}
        if len(constants) != 1 or None in constants:
            continue
        says = constants.pop()
        for use in _uses(work, variable):
            around = work.index.parents[use]
            match around:
                case cst.Comparison(
                    left=left, comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.IsNot() as how)]
                ):
                    other = around.comparisons[0].comparator
                    if left is use and isinstance(other, cst.Name) and other.value == "None":
                        yield find_answer(work, around, (says == "None") == isinstance(how, cst.Is))
                case _ if is_asked_for_truth(work, use):
                    yield find_answer(work, use, says == "True")


def _constant(definition: Definition) -> str | None:
    match definition.value:
        case cst.Name(value="None" | "False" | "True" as text) if definition.how is How.ASSIGNED:
            return text
    return None


def _variables(work: NormalizationRound, guard: _Guard) -> list[Variable]:
    """The variables that the import, or what is done in its place, binds."""
    scopes = work.program.definitions.scopes
    scope = scopes.around(guard.node)
    names = {item.value for item in descendants(guard.node) if isinstance(item, cst.Name)}
    found = [scopes.lookup(name, scope) for name in sorted(names)]
    inside = set(descendants(guard.node))
    every = work.program.definitions.every
    return [item for item in found if item is not None and any(bound.node in inside for bound in every(item))]


def _uses(work: NormalizationRound, variable: Variable) -> list[cst.Name]:
    definitions = work.program.definitions
    alike = [item for item in work.index.names if item.value == variable.name and not work.index.is_label(item)]
    return [item for item in alike if definitions.scopes.variable(item) == variable and not definitions.is_bound(item)]


def _is_used_without(
    work: NormalizationRound, guard: _Guard, gone: Container[cst.CSTNode], dead: Container[cst.CSTNode]
) -> bool:
    """Whether something that only the import would bind is used where it is not known to be there."""
    for variable in _variables(work, guard):
        bound = [item for item in work.program.definitions.every(variable) if item.node not in dead]
        if not bound and any(use not in gone for use in _uses(work, variable)):
            return True
    return False


__all__ = ["normalize_absent_packages"]
