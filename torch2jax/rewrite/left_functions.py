"""Functions whose statements stand where other files call them, and contexts that are written out where other files enter them: they
go, and what is said of them is of no use to anybody.
"""

from __future__ import annotations

from torch2jax.facts.gradient_reads import left_to_callers
from torch2jax.facts.mode_contexts import left_contexts
from torch2jax.program.program import Class, Function
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.walk import descendants


def drop_left_functions(unit: Unit) -> None:
    """Take the definitions of such functions away."""
    for function in _left(unit):
        unit.settle(function.node)
        unit.edits.remove(function.node)


def drop_errors_of_left_functions(unit: Unit) -> None:
    """Nor are they told of, where they were found before."""
    gone = {node for function in _left(unit) for node in descendants(function.node)}
    unit.problems[:] = [item for item in unit.problems if item.node not in gone]


def _left(unit: Unit) -> list[Class | Function]:
    return [*left_to_callers(unit.facts.program), *left_contexts(unit.facts.program)]


__all__ = ["drop_errors_of_left_functions", "drop_left_functions"]
