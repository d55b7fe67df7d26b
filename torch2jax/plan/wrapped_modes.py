"""Modes in which decorators leave the modules of the methods and functions that they are put around.

def evaluating(function):
    @wraps(function)
    def inner(model, *args):
        model.eval()
        return function(model, *args)
    return inner

@evaluating
def evaluate(model, x): ...
loss = evaluate(net, x)                ->   loss = evaluate(net, x)
                                            net = eqx.nn.inference_mode(net)

What callers are given is what the function itself gives, so no wrapper can give the module back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

import libcst as cst

from torch2jax.facts.left_modes import mode_left_by
from torch2jax.facts.restored_modes import restores_mode_of
from torch2jax.plan.model import Facts
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted

_MODES = {"mode", "mode-local"}
_Events = Mapping[str, Collection[str]]


def wrappers_in_use(facts: Facts) -> frozenset[Function]:
    """The functions that decorators put in the place of those of this file."""
    return frozenset(wrapper for item in facts.program.functions.values() for wrapper in facts.values.wrappers(item))


def modes_of_wrappers(
    facts: Facts, call: cst.Call, events_of: Callable[[Function], _Events]
) -> Iterator[tuple[str | None, str | None]]:
    """The places of the modules that wrappers around what a call runs leave in another mode, with that; None for what is not known."""
    for reached in facts.values.callees.get(call, ()):
        for wrapper in facts.values.wrappers(reached):
            events, given = events_of(wrapper), _given(facts, call, reached, wrapper)
            for name in wrapper.parameter_names:
                if not _MODES.isdisjoint(events.get(name, ())) and not restores_mode_of(facts.effects, wrapper, name):
                    yield given.get(name), mode_left_by(facts.values, wrapper, name)


def _given(facts: Facts, call: cst.Call, reached: Function, wrapper: Function) -> dict[str, str | None]:
    """The places that a call gives to the parameters of a wrapper; a method is called of the first."""
    names, is_method = wrapper.parameter_names, reached.self_name is not None
    if not is_method:
        return {name: dotted(node) for name, node in arguments_by_parameter(wrapper, call, facts.values)}
    own = call.func.value if isinstance(call.func, cst.Attribute) else None
    return {names[0]: dotted(own)} if own is not None and names else {}
