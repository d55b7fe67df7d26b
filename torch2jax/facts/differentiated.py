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
    """Follow the calls from the training steps and the forwards of modules, in all files of the program."""
    files = program.files
    nodes = frozenset(item for step in steps for part in (*step.forward, step.loss) for item in descendants(part))
    every = [item for file in files for item in file.functions.values()]
    waiting = [item for item in every if item.name == "forward" and item.owner is not None and item.owner.is_module]
    waiting += [item for item in every if any(call in nodes for call in item.callers)]
    functions = set[Function]()
    called = _called_in(files, every)
    while waiting:
        item = waiting.pop()
        if item not in functions:
            functions.add(item)
            waiting += called.get(item, ())
    return Differentiated(nodes, frozenset(functions))


def _called_in(files: Iterable[Program], every: Iterable[Function]) -> dict[Function, list[Function]]:
    """The functions that each function calls."""
    callees: dict[cst.CSTNode, list[Function]] = {}
    for item in every:
        for call in item.callers:
            callees.setdefault(call, []).append(item)
    found: dict[Function, list[Function]] = {}
    for file in files:
        for call in callees.keys() & file.index.parents.keys():
            around = file.function_around(call)
            if around is not None:
                found.setdefault(around, []).extend(callees[call])
    return found
