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

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import drop_unused, passes_back, write_out
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
        is_other = function is not around and not passes_back(work, function)
        if is_other and _updates(function) and write_out(work, call, function):
            changed.add(around)
            drop_unused(work, function, call)


def _updates(function: Function) -> bool:
    """Whether a function goes through what it is given, and looks at the gradient of each."""
    for loop in descendants(function.node):
        if isinstance(loop, cst.For) and dotted(loop.iter) in function.parameter_names:
            if _looks_at_gradients(loop, dotted(loop.target)):
                return True
    return False


def _looks_at_gradients(loop: cst.For, name: str | None) -> bool:
    nodes = (item for item in descendants(loop.body) if isinstance(item, cst.Attribute))
    return name is not None and any(dotted(item) == f"{name}.grad" for item in nodes)


__all__ = ["normalize_hand_updates"]
