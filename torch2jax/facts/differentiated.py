"""What runs below gradients: the forwards of modules, the training steps, and all that they call."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from torch2jax.facts.training import Step
from torch2jax.program.program import Function, Program
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants

__all__ = ["Differentiated", "find_differentiated"]


@dataclass(frozen=True, slots=True)
class Differentiated:
    """The nodes of training steps, and the functions that run below a gradient."""

    nodes: frozenset[cst.CSTNode]
    functions: frozenset[Function]

    def holds(self, program: Program, node: cst.CSTNode) -> bool:
        """Whether a node runs below a gradient."""
        return node in self.nodes or program.function_around(node) in self.functions


def find_differentiated(program: Program, steps: Iterable[Step]) -> Differentiated:
    """Follow the calls from the training steps and the forwards of modules."""
    nodes = frozenset(item for step in steps for part in (*step.forward, step.loss) for item in descendants(part))
    functions = {
        item
        for item in program.functions.values()
        if item.name == "forward" and item.owner is not None and item.owner.is_module
    }
    while reached := {
        item
        for item in program.functions.values()
        if item not in functions
        and any(call in nodes or program.function_around(call) in functions for call in item.callers)
    }:
        functions |= reached
    return Differentiated(nodes, frozenset(functions))
