"""Functions that change what they are given by its gradients, normalized to their statements where they are called.

def sgd(params, lr, batch_size):                 ->      with torch.no_grad():
    with torch.no_grad():                                    for param in [w, b]:
        for param in params:                                     param -= lr * param.grad / 10
            param -= lr * param.grad / batch_size                param.grad.zero_()
            param.grad.zero_()

sgd([w, b], lr, 10)

Gradients are values of the function that takes them, which a function that is handed the parameters does not see.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.given_constants import write_out_as_given
from torch2jax.normalize.gradient_readers import gradients_read
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import passes_back
from torch2jax.normalize.written_out import drop_unused
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import descendants


def normalize_hand_updates(work: NormalizationRound) -> None:
    """Normalize one call of such functions in each function around."""
    if not work.program.mentions("grad"):
        return
    changed: set[Function | None] = set()
    for call in work.index.calls:
        reached = work.values.callees.get(call, ())
        around = work.program.function_around(call)
        if len(reached) != 1 or around in changed:
            continue
        (function,) = reached
        takes_gradients = function is not around and _updates(function) and not passes_back(work, function)
        if takes_gradients and not gradients_read(work, function) and write_out_as_given(work, call, function):
            changed.add(around)
            drop_unused(work, function, call)


def _updates(function: Function) -> bool:
    """Whether a function goes through what it is given, and looks at the gradient of each."""
    loops = descendants(function.node, cst.For)
    given = function.parameter_names if loops else ()
    return any(dotted(loop.iter) in given and _looks_at_gradients(loop, dotted(loop.target)) for loop in loops)


def _looks_at_gradients(loop: cst.For, name: str | None) -> bool:
    return name is not None and any(dotted(item) == f"{name}.grad" for item in descendants(loop.body, cst.Attribute))


__all__ = ["normalize_hand_updates"]
