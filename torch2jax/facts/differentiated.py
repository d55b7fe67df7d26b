"""What runs below gradients: the forwards of modules, the training steps, what is differentiated by `jax.vjp`, and all that they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from torch2jax.facts.infer import Values, is_differentiated_lambda
from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import Flows, Step
from torch2jax.program.program import Function, Program
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants

__all__ = ["Asked", "Differentiated", "find_differentiated", "functions_below_gradients"]


@dataclass(frozen=True, slots=True)
class Differentiated:
    """The nodes of training steps and of differentiated lambdas, and the functions that run below a gradient."""

    nodes: frozenset[cst.CSTNode]
    functions: frozenset[Function]

    def holds(self, program: Program, node: cst.CSTNode) -> bool:
        """Whether a node runs below a gradient."""
        return node in self.nodes or program.function_around(node) in self.functions


@dataclass(frozen=True, slots=True)
class Asked:
    """A file: its functions and calls, what is known of these, and the training steps."""

    program: Program
    values: Values
    steps: tuple[Step, ...]


def find_differentiated(asked: Asked, others: Iterable[Asked] = ()) -> Differentiated:
    """Follow the calls from the training steps, the differentiated lambdas and the forwards of modules: in a file, and in the others that call it. These
    know functions of the file by their keys, for each may have been read at another time.
    """
    files = (asked, *others)
    nodes = frozenset(
        item
        for file in files
        for step in file.steps
        for part in (*step.forward, step.loss)
        for item in descendants(part)
    ).union(
        item
        for file in files
        for call in file.program.index.calls
        if is_differentiated_lambda(call)
        for item in descendants(call.args[0].value)
    )
    waiting: list[str] = []
    called: dict[str, list[str]] = {}
    for file in files:
        for call, keys in _calls(file):
            around = file.program.function_around(call)
            if call in nodes:
                waiting += keys
            if around is not None:
                called.setdefault(around.key, []).extend(keys)
        every = file.program.functions.values()
        waiting += (
            item.key for item in every if item.name == "forward" and item.owner is not None and item.owner.is_module
        )
    reached = set[str]()
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            waiting += called.get(key, ())
    return Differentiated(nodes, frozenset(item for item in asked.program.functions.values() if item.key in reached))


def functions_below_gradients(program: Program, values: Values, flows: Flows) -> frozenset[Function]:
    """The functions of a file that run below gradients, as far as the file itself calls them there."""
    steps = tuple(find_steps(program, values, flows))
    return find_differentiated(Asked(program, values, steps)).functions


def _calls(file: Asked) -> Iterator[tuple[cst.CSTNode, list[str]]]:
    """The calls of a file, and the keys of the functions that each reaches."""
    for call, functions in file.values.callees.items():
        if call in file.program.index.parents:
            yield call, [item.key for item in functions]
    for item in file.program.functions.values():
        for caller in item.callers:
            if caller in file.program.index.parents:
                yield caller, [item.key]
