"""Functions that look at the gradients of a module, normalized to their statements where a function calls them that takes these.

def norm_of(model):                              loss.backward()
    total = 0.0                                  total = 0.0
    for p in model.parameters():          ->     for p in model.parameters():
        total += p.grad.norm() ** 2                  total += p.grad.norm() ** 2
    return total ** 0.5                          norm = total ** 0.5

loss.backward()
norm = norm_of(model)

Gradients are values of the function that takes them, which a function that is handed the module does not see.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.gradient_reads import find_gradient_reads
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import drop_unused, passes_back, write_out
from torch2jax.program.program import Function


def normalize_gradient_loops(work: NormalizationRound) -> None:
    """Normalize one call of such functions in each function around."""
    if not work.program.mentions("grad") or not work.program.mentions("backward"):
        return
    readers = {item.function for item in find_gradient_reads(work.program, work.values) if item.function is not None}
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


__all__ = ["normalize_gradient_loops"]
