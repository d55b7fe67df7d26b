"""Functions that differentiate one of their arguments by another one, written out where they are called.

def penalty(y, x):                                  y = net(x)
    (g,) = torch.autograd.grad(y.sum(), x,          (g,) = torch.autograd.grad(y.sum(), x,
                               create_graph=True)                              create_graph=True)
    return g.pow(2).sum()                     ->    r1 = g.pow(2).sum()
...
y = net(x)
r1 = penalty(y, x)

A gradient is one of a function: what lies between the two is in sight only where they are computed.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import drop_unused, is_row, write_out
from torch2jax.program.program import Function
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants, own_nodes

GRAD = "torch.autograd.grad"
_OF_SHAPES = frozenset(
    {"shape", "size", "dim", "ndim", "numel", "device", "dtype", "new_ones", "requires_grad", "is_cuda"}
)


def normalize_gradient_helpers(work: NormalizationRound) -> None:
    """Write out one call of such functions in each function."""
    changed: set[Function | None] = set()
    for call in work.index.calls:
        if work.values.torch_name(call.func) != GRAD:
            continue
        function = work.program.function_around(call)
        if (
            function is None
            or not _is_given_both(function, call)
            or not is_row(function)
            or _has_others(work, function)
        ):
            continue
        for use in function.callers:
            around = work.program.function_around(use)
            if not isinstance(use, cst.Call) or use not in work.index.parents or around in (function, *changed):
                continue
            if write_out(work, use, function):
                changed.add(around)
                drop_unused(work, function, use)


def _is_given_both(function: Function, call: cst.Call) -> bool:
    """Whether a function is given what it differentiates and by what, and does not compute the one from the other."""
    given = {item.keyword.value if item.keyword is not None else str(i): item.value for i, item in enumerate(call.args)}
    outputs, inputs = (given.get(name, given.get(str(i))) for i, name in enumerate(("outputs", "inputs")))
    if isinstance(inputs, (cst.List, cst.Tuple)) and len(inputs.elements) == 1:
        inputs = inputs.elements[0].value
    if outputs is None or not isinstance(inputs, cst.Name) or inputs.value not in function.parameter_names:
        return False
    nodes = own_nodes(function.node)
    targets = [node.target for node in nodes if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign))]
    bound = {name for target in targets for name in bound_names(target)}
    if inputs.value in bound or names_in(outputs).isdisjoint({*function.parameter_names} - bound):
        return False
    asked = set(descendants(call))
    shapes = {node.value for node in descendants(function.node.body, cst.Attribute) if node.attr.value in _OF_SHAPES}
    reads = [node for node in descendants(function.node.body, cst.Name) if node.value == inputs.value]
    return all(node in asked or node in shapes for node in reads)


def _has_others(work: NormalizationRound, function: Function) -> bool:
    """Whether a class that derives from that of a method has another method of the name."""
    owner = function.owner
    return owner is not None and any(
        item is not owner and owner in item.lineage and item.method(function.name) is not function
        for item in work.program.classes.values()
    )


__all__ = ["GRAD", "normalize_gradient_helpers"]
