"""Functions that look at the gradients of a module, normalized to their statements where a function calls them that takes these.

def norm_of(model):                              loss.backward()
    total = 0.0                                  total = 0.0
    for p in model.parameters():          ->     for p in model.parameters():
        total += p.grad.norm() ** 2                  total += p.grad.norm() ** 2
    return total ** 0.5                          norm = total ** 0.5

loss.backward()
norm = norm_of(model)

Gradients are values of the function that takes them, which a function that is handed the module, or its optimizer, does not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

import libcst as cst

from torch2jax.facts.gradient_reads import find_gradient_reads
from torch2jax.facts.training import is_clip
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import drop_unused, passes_back, write_out
from torch2jax.program.program import Function
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_gradient_loops(work: NormalizationRound) -> None:
    """Normalize one call of such functions in each function around."""
    if not work.program.mentions("backward"):
        return
    readers = {item.function for item in find_gradient_reads(work.program, work.values) if item.function is not None}
    _write_out(work, readers | set(_clipping(work)))


def normalize_group_loops(work: NormalizationRound) -> None:
    """Normalize one call of functions that are given an optimizer, and look at the gradients of what it trains."""
    if work.program.mentions("param_groups") and work.program.mentions("backward"):
        _write_out(work, set(_asking(work)))


def _clipping(work: NormalizationRound) -> Iterator[Function]:
    """Functions that clip the gradients of a module that they are given."""
    for call in work.index.calls:
        match call.args:
            case [
                cst.Arg(value=cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("parameters")))),
                *_,
            ] if is_clip(call, work.values):
                function = work.program.function_around(call)
                if function is not None and name in function.parameter_names:
                    yield function


def _asking(work: NormalizationRound) -> Iterator[Function]:
    """Functions that ask an optimizer that they are given for the gradients of its groups."""
    for node in work.index.attributes:
        if node.attr.value != "param_groups" or not isinstance(node.value, cst.Name):
            continue
        function = work.program.function_around(node)
        if function is None or node.value.value not in function.parameter_names:
            continue
        if work.values(node.value).kind is Kind.OPTIMIZER and _looks_at_gradients(work, function):
            yield function


def _looks_at_gradients(work: NormalizationRound, function: Function) -> bool:
    inside = descendants(function.node.body)
    return any(
        (isinstance(item, cst.Attribute) and item.attr.value == "grad")
        or (isinstance(item, cst.Call) and is_clip(item, work.values))
        for item in inside
    )


def _write_out(work: NormalizationRound, readers: Set[Function]) -> None:
    """Put the statements of functions where those call them that take gradients; one call in each."""
    changed: set[Function | None] = set()
    for function in sorted(readers, key=lambda item: item.key):
        if passes_back(work, function):
            continue
        for call in function.callers:
            if not isinstance(call, cst.Call) or call not in work.index.parents:
                continue
            around = work.program.function_around(call)
            if around not in changed and _takes_gradients(work, around) and write_out(work, call, function):
                changed.add(around)
                drop_unused(work, function, call)


def _takes_gradients(work: NormalizationRound, around: Function | None) -> bool:
    """Whether there is a `backward()` in a function, or outside of all."""
    passes = (node for node in work.index.attributes if node.attr.value == "backward")
    return any(work.program.function_around(node) is around for node in passes)


__all__ = ["normalize_gradient_loops", "normalize_group_loops"]
