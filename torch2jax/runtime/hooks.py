"""Hooks of modules, which run outside of what is compiled."""

import dataclasses
import functools

import equinox as eqx
import jax

from torch2jax.runtime.batching import call, call_with_state
from torch2jax.runtime.hook_calls import Hooks, WatchedCall, with_call


def with_hooks(model, made=None):
    """The model with modules that have `register_forward_hook` and its like, as torch's modules do."""
    made = {} if made is None else made
    if id(model) in made:
        return made[id(model)]
    parts = jax.tree.map(
        lambda part: with_hooks(part, made) if isinstance(part, eqx.Module) else part,
        model,
        is_leaf=lambda part: part is not model and isinstance(part, eqx.Module),
    )
    if isinstance(parts, eqx.Module) and callable(parts) and not hasattr(parts, "register_forward_hook"):
        parts = of_class(parts, hooked_class(type(parts), Hooks()))
    made[id(model)] = parts
    return parts


def of_class(module, cls):
    """The module with another class that has the same fields."""
    made = object.__new__(cls)
    for field in dataclasses.fields(module):
        if hasattr(module, field.name):
            object.__setattr__(made, field.name, getattr(module, field.name))
    return made


@functools.cache
def hooked_class(cls, hooks):
    """The class `cls` with hooks; the same for the same ones, since trees are compared by their classes."""

    def __call__(self, *args, **kwargs):
        args = [*args]
        places = [i for i, x in enumerate(args) if not isinstance(x, eqx.nn.State)]
        for hook in [*hooks.before]:
            changed = hook(self, tuple(args[i] for i in places))
            for i, x in zip(places, changed if isinstance(changed, tuple) else (changed,)):
                args[i] = args[i] if changed is None else x
        state = next((x for x in (*args, *kwargs.values()) if isinstance(x, eqx.nn.State)), None)
        given = [args[i] for i in places]
        named = {name: x for name, x in kwargs.items() if not isinstance(x, eqx.nn.State)}
        layer, watched = of_class(self, cls), WatchedCall(detached(self), hooks.gradient) if hooks.gradient else None
        given = given if watched is None else watched.inputs(given)
        if state is None:
            y = call(layer, *given, **named)
        else:
            y, state = call_with_state(layer, *given, state=state, **named)
        for hook in [*hooks.behind]:
            changed = hook(self, tuple(given), y)
            y = y if changed is None else changed
        y = y if watched is None else watched.outputs(y)
        return y if state is None else (y, state)

    hooked = with_call(cls, __call__, hooks)
    hooked.__hash__ = lambda self: hash(hooks)  # as torch's modules are found in dictionaries
    hooked.__eq__ = lambda self, other: type(other) is hooked
    return hooked


def detached(module):
    """The module as hooks may look at it that run outside of the gradient."""
    return jax.tree.map(lambda x: jax.lax.stop_gradient(x) if eqx.is_array(x) else x, module)
