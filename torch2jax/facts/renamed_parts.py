"""Parts of finished modules that go on under other names, and under no other one.

model.last_linear = model.fc
model.fc = None
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.program.program import Program, dotted
from torch2jax.program.statements import statement_behind


def renamed_parts(program: Program) -> frozenset[tuple[str, str]]:
    """The fields, with those that they take over, which the file gives nothing else that another field holds."""
    found: set[tuple[str, str]] = set()
    others: set[str] = set()
    for node in program.index.every(cst.Assign):
        for name, taken in _fields(node):
            if taken is not None and _is_given_up(program, node, taken):
                found.add((name, taken.attr.value))
            elif not _is_new(node.value):
                others.add(name)
    return frozenset((name, old) for name, old in found if name not in others)


def _fields(node: cst.Assign) -> Iterator[tuple[str, cst.Attribute | None]]:
    """The fields that an assignment sets, with the field of the same owner that one is given."""
    for target in (item.target for item in node.targets):
        if isinstance(target, cst.Attribute):
            taken = node.value if isinstance(node.value, cst.Attribute) and len(node.targets) == 1 else None
            owner = dotted(target.value)
            is_same = taken is not None and owner is not None and dotted(taken.value) == owner
            yield target.attr.value, taken if is_same else None


def _is_given_up(program: Program, node: cst.Assign, taken: cst.Attribute) -> bool:
    """Whether the statement behind an assignment says that the field it has read is None."""
    match statement_behind(program.index, program.index.statement_of(node)):
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as place)], value=cst.Name("None"))]
        ):
            return dotted(place) == dotted(taken)
    return False


def _is_new(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Call) or (isinstance(value, cst.Name) and value.value == "None")


__all__ = ["renamed_parts"]
