"""Optimizers that a function makes, steps or sets, and returns: their states come behind its result. So do those of modules
among several results.

def make(model):                             def make(model):
    optimizer = SGD(model.parameters())          optimizer = ...
    optimizer.load_state_dict(saved)     ->      opt_state = ...
    return optimizer                             return optimizer, opt_state

optimizer = make(net)                        optimizer, opt_state = make(net)
model, step = load(path)                     (model, step), state = load(path)

Where nothing happens to an optimizer before it is returned, its state is made by whoever has use for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import libcst as cst

from torch2jax.plan.model import Facts
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import own_nodes, returned_tuples
from torch2jax.values import Kind


def returned_optimizers(facts: Facts, function: Function, changed: Collection[str]) -> dict[str, int | None] | None:
    """The optimizers among some variables that a function makes and each `return` gives back in the same place: which element
    of the result they are, None for the result itself. None where one is given back in another way.
    """
    own = [name for name in sorted(changed) if name not in function.parameter_names and name in function.env]
    own = [name for name in own if function.env[name].kind is Kind.OPTIMIZER]
    returned = [node.value for node in own_nodes(function.node) if isinstance(node, cst.Return)]
    results = [node for node in returned if node is not None] if own else []
    found: dict[str, int | None] = {}
    for name in own:
        places = [_places(node, name) for node in results]
        given = [item for item in places if item]
        if given and (any(item != given[0] for item in places) or len(given[0]) > 1 or len(results) < len(returned)):
            return None
        if given:
            found[name] = given[0][0]
    return found


def returned_elements(
    function: Function, positions: Sequence[int]
) -> dict[cst.BaseExpression, list[cst.BaseExpression]] | None:
    """What each `return` gives in these places of its tuple; None where one gives anything else than such a tuple."""
    tuples = returned_tuples(function.node)
    if tuples is None:
        return None
    return {node: [node.elements[number].value for number in positions] for node in tuples}


def _places(result: cst.BaseExpression, name: str) -> list[int | None]:
    """Where in a result a variable is."""
    if dotted(result) == name:
        return [None]
    elements = result.elements if isinstance(result, cst.Tuple) else ()
    return [number for number, item in enumerate(elements) if dotted(item.value) == name]


def receiving_places(facts: Facts, call: cst.Call, positions: Sequence[int | None]) -> list[str] | None:
    """The variables and fields that take these elements of what a call gives; None where one is not known."""
    parent = facts.program.index.parents.get(call)
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        return None
    target = parent.targets[0].target
    elements = [item.value for item in target.elements] if isinstance(target, cst.Tuple) else []
    taken = [target if number is None else next(iter(elements[number : number + 1]), target) for number in positions]
    places = [dotted(item) for item in taken]
    return [place for place in places if place is not None] if all(places) else None


__all__ = ["receiving_places", "returned_elements", "returned_optimizers"]
