"""What is changed in place where it is put into a container, normalized to two lines.

found.append(x.mul_(2))   ->   x.mul_(2)
                               found.append(x)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.mutations import changes_values
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.python import STORES_ONE
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import with_fields
from torch2jax.values import Kind


def normalize_stored_changes(work: NormalizationRound) -> None:
    """Normalize all such lines of a file."""
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [
                cst.Expr(
                    value=cst.Call(
                        func=cst.Attribute(value=owner, attr=cst.Name(method)),
                        args=[cst.Arg(value=cst.Call() as change, keyword=None, star="") as argument],
                    ) as call
                ) as small
            ] if method in STORES_ONE and dotted(owner) is not None:
                name = _changed(work, change)
                if name is None or work.values(owner).kind is Kind.TENSOR:
                    continue
                stored = with_fields(call, args=[with_fields(argument, value=cst.Name(name.value))])
                work.edits.rewrite_statement(
                    line,
                    lambda rewrite, line=line, small=small, change=change, stored=stored: [  # type: ignore[misc]
                        with_fields(line, body=[with_fields(small, value=rewrite.expression(change))]),
                        cst.SimpleStatementLine([cst.Expr(stored)]),
                    ],
                )


def _changed(work: NormalizationRound, node: cst.Call) -> cst.Name | None:
    """The variable whose tensor a call, or a chain of calls, changes in place and gives back."""
    place: cst.BaseExpression = node
    while isinstance(place, cst.Call):
        if not isinstance(place.func, cst.Attribute) or not changes_values(place.func.attr.value):
            return None
        place = place.func.value
    return place if isinstance(place, cst.Name) and work.values(place).kind is Kind.TENSOR else None
