"""Names of variables that passes introduce."""

from __future__ import annotations

import libcst as cst

from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.quote import names_in


def local_name(unit: Unit, node: cst.CSTNode, wish: str) -> str:
    """A name that is free in the function around a node."""
    function = unit.facts.program.index.function_of(node)
    scope: cst.CSTNode = function if function is not None else unit.facts.program.index.module
    taken = unit.temporaries.setdefault(function, set(names_in(scope)))
    name = next(text for text in (wish, *(f"{wish}_{n}" for n in range(1, 1000))) if text not in taken)
    taken.add(name)
    return name


__all__ = ["local_name"]
