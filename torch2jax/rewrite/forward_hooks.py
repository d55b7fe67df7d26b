"""Modules with forward hooks: behind the statement that makes one, it gets a class that takes them.

model = Net()     ->   model = Net(key=key)
                       model = with_hooks(model)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.hooks import HOOKED
from torch2jax.program.program import dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import BuildStatements
from torch2jax.values import Kind


def rewrite_forward_hooks(unit: Unit) -> None:
    """Rewrite the modules that normalizations have noted."""
    program = unit.facts.program
    places = {mark[1:] for mark in program.marks if mark[0] == HOOKED}
    for node in program.index.every(cst.Assign) if places else ():
        function = program.function_around(node)
        place = dotted(node.targets[0].target) if len(node.targets) == 1 else None
        key = function.key if function is not None else ""
        if place is not None and (key, place) in places and unit.facts.values(node.value).kind is Kind.MODULE:
            unit.edits.after(program.index.statement_of(node), _taking(unit, place))


def _taking(unit: Unit, place: str) -> BuildStatements:
    """The statement that makes a module take hooks."""
    model = cst.parse_expression(place)
    return lambda rewrite: [unit.statement("{model} = with_hooks({given})", model=model, given=model.deep_clone())]
