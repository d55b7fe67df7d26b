"""Batches that each process of a program draws for itself: they are drawn for each device of a host.

x, y = get_batch("train")     where `get_batch` draws, and the processes do not have the same seed
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from torch2jax.facts.dependence import Dependence
from torch2jax.facts.effects import Draw, Effects
from torch2jax.facts.evaluation import Evaluation
from torch2jax.facts.infer import Values
from torch2jax.facts.training import Step
from torch2jax.program.program import Function, Program
from torch2jax.records import dataclass
from torch2jax.syntax.walk import elements_of
from torch2jax.values import Kind

_HOLDING = (Kind.TUPLE, Kind.LIST, Kind.DICT)


@dataclass(frozen=True, slots=True)
class DrawnBatch:
    """`names = call`, where what is called draws a batch for each process."""

    assignment: cst.Assign
    names: tuple[str, ...]
    call: cst.Call


def find_drawn_batches(
    program: Program,
    values: Values,
    effects: Effects,
    regions: Sequence[Step | Evaluation],
    inside: Collection[cst.CSTNode],
    traced: Collection[Function],
) -> list[DrawnBatch]:
    """The batches for steps that functions of the file draw, and what else these functions are asked for."""
    found = [
        item
        for line in program.index.every(cst.SimpleStatementLine)
        if line not in inside and program.function_around(line) not in traced
        for item in _drawn(program, values, effects, line)
    ]
    inputs = {(item.function, name) for item in regions for name in item.inputs}
    for_steps = {
        callee
        for item in found
        if any((program.function_around(item.assignment), name) in inputs for name in item.names)
        for callee in values.callees[item.call]
    }
    return [item for item in found if for_steps.issuperset(values.callees[item.call])]


def _drawn(program: Program, values: Values, effects: Effects, line: cst.SimpleStatementLine) -> Iterator[DrawnBatch]:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as call) as assignment]
        ):
            names = bound_names_of(target)
        case _:
            return
    callees = values.callees.get(call, ())
    plain = bool(callees) and all(item.owner is None and item.node in program.functions for item in callees)
    if not names or not plain or effects.draw_of(call) is not Draw.REQUIRED or effects.generator_of(call) is not None:
        return
    if not _holds_rows(values, call) or any(isinstance(item.value, cst.GeneratorExp) for item in call.args):
        return
    access = Dependence(values, program.function_around(line)).of(line)
    if not access.changes and not access.world and not access.trained and access.binds <= set(names):
        yield DrawnBatch(assignment, names, call)


def _holds_rows(values: Values, call: cst.Call) -> bool:
    value = values(call)
    if value.kind in _HOLDING:
        return bool(value.parts) and all(part.kind is Kind.TENSOR and part.rank != 0 for part in value.parts)
    return value.kind is Kind.TENSOR and value.rank != 0


def bound_names_of(target: cst.BaseExpression) -> tuple[str, ...]:
    """The variables of `x` or `x, y`; none where something else is bound."""
    parts = elements_of(target)
    names = [item.value for item in parts if isinstance(item, cst.Name)]
    return tuple(names) if len(names) == len(parts) else ()


__all__ = ["DrawnBatch", "bound_names_of", "find_drawn_batches"]
