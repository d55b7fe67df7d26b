"""What must be told about a file: as comments in its text, and as diagnostics with places in the original."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from torch2jax.diagnostics import CODES_BY_ID, Diagnostic, diagnose
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.positions import find_positions
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.source import Source


def mark_errors(unit: Unit) -> None:
    """Errors are marked in the text, above the statement."""
    index = unit.facts.program.index
    for remark in unit.problems:
        identifier = CODES_BY_ID[remark.code]
        if identifier.severity == "error" and not isinstance(remark.node, cst.Module):
            statement: cst.CSTNode = index.statement_of(remark.node)
            while isinstance(statement, cst.If) and isinstance(index.parents.get(statement), cst.If):
                statement = index.parents[statement]  # an `elif` has no line above it that is its own
            unit.edits.comment(statement, f"torch2jax: {remark.code} {_message(remark)}")


def _fields(remark: Problem) -> dict[str, str]:
    wanted = CODES_BY_ID[remark.code].fields
    given = dict(remark.fields)
    fallback = given.get("name", code(remark.node))
    hint = given.get("hint", "")
    return {name: hint if name == "hint" else _short(given.get(name, fallback)) for name in wanted}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:97] + "..."


def _message(remark: Problem) -> str:
    return CODES_BY_ID[remark.code].message.format(**_fields(remark))


def _diagnostic(remark: Problem, path: str, position: tuple[int, int]) -> Diagnostic:
    fields: dict[str, object] = dict(_fields(remark))
    return diagnose(remark.code, path, position[0], position[1], **fields)


def list_diagnostics(
    unit: Unit, path: str, source: Source, origins: Mapping[cst.CSTNode, cst.CSTNode]
) -> tuple[Diagnostic, ...]:
    """What is told about a file, at the places of its original text."""
    if not unit.problems:
        return ()
    nodes = [origins.get(remark.node, remark.node) for remark in unit.problems]
    positions = find_positions(source.module, nodes)
    found = [
        _diagnostic(remark, path, positions.get(node, (1, 1)))
        for remark, node in zip(unit.problems, nodes, strict=True)
    ]
    return tuple(dict.fromkeys(found))
