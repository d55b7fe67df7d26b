"""Functions that change what they are given by its gradients, normalized to their statements where they are called.

def sgd(params, lr, batch_size):                 ->      with torch.no_grad():
    with torch.no_grad():                                    for param in [w, b]:
        for param in params:                                     param -= lr * param.grad / 10
            param -= lr * param.grad / batch_size                param.grad.zero_()
            param.grad.zero_()

sgd([w, b], lr, 10)

Loops over lists with the parameters of a module name the module:

params = list(model.parameters())
for param in params:                             ->      for param in model.parameters():
    param.data -= lr * param.grad                            param.data -= lr * param.grad

Gradients are values of the function that takes them, which a function that is handed the parameters does not see.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.joined_parameters import joined_sources
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import drop_unused, passes_back, write_out
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import always
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
    for loop in work.index.every(cst.For):
        for name in _listed_names(loop):
            source = _source(work, loop, name)
            if source is not None:
                work.edits.replace(name, always(work.copy(source)))


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


def _listed_names(loop: cst.For) -> Iterator[cst.Name]:
    """The variables that a loop goes through and at whose gradients it looks."""
    match loop.iter, loop.target:
        case cst.Name() as name, target if _looks_at_gradients(loop, dotted(target)):
            yield name
        case cst.Call(func=cst.Name("zip"), args=args), cst.Tuple(elements=elements) if len(args) == len(elements):
            for given, element in zip(args, elements, strict=True):
                if isinstance(given.value, cst.Name) and _looks_at_gradients(loop, dotted(element.value)):
                    yield given.value


def _source(work: NormalizationRound, loop: cst.For, name: cst.Name) -> cst.BaseExpression | None:
    """`model.parameters()` of a list that holds just these, where `model` is the same module."""
    definition = work.program.definitions.bound_once(name)
    if definition is None or definition.value is None or definition.how is not How.ASSIGNED:
        return None
    sources = joined_sources(work, definition.value)
    if sources is None or len(sources) != 1:
        return None
    module = sources[0].func.value if isinstance(sources[0], cst.Call) else None  # type: ignore[attr-defined]
    is_here = work.index.function_of(definition.value) is work.index.function_of(loop)
    is_settled = isinstance(module, cst.Name) and work.program.definitions.bound_once(module) is not None
    return sources[0] if is_here and is_settled and not _is_changed(work, name) else None


def _is_changed(work: NormalizationRound, name: cst.Name) -> bool:
    """Whether something else is done with a list than to go through it, count it, or read it."""
    parents = work.index.parents
    definition = work.program.definitions.bound_once(name)
    uses = work.program.definitions.uses(definition) if definition is not None else ()
    return any(isinstance(parents[use], (cst.Attribute, cst.Subscript, cst.AugAssign)) for use in uses)
