"""State of modules beyond what `eqx.nn.State` keeps by itself."""

import dataclasses
import functools

import equinox as eqx
import jax
import jax.numpy as jnp


def set_state(state, index, value):
    """`state.set(index, value)`, also where the value has another shape or structure than the one before (None, perhaps)."""
    old = state.get(index)
    value = jax.tree.map(jnp.asarray, value)
    return eqx.tree_at(lambda s: s.get(index), state, value, is_leaf=lambda node: node is old)


def is_training(model, default=None):
    """torch's `model.training`: the mode that the model, or the first of its parts that keeps one, is in."""
    if isinstance(getattr(model, "inference", None), bool):
        return not model.inference
    parts = jax.tree.leaves(model, is_leaf=lambda x: x is not model and isinstance(x, eqx.Module))
    for part in parts:
        if isinstance(part, eqx.Module) and part is not model:
            found = is_training(part, default="none")
            if found != "none":
                return found
    if default is None:
        raise ValueError("no part of this model keeps a mode")
    return default


def set_fields(module, changed):
    """What a function has made of a module, for the module itself, whose `__init__` is running."""
    for name, value in vars(changed).items():
        setattr(module, name, value)


def with_attributes(module, **attributes):
    """The module with more attributes, which are constants: its class is one that is derived from the module's own."""
    noted = noting_class(type(module), tuple(sorted(attributes.items())))
    made = object.__new__(noted)
    for field in dataclasses.fields(module):
        if hasattr(module, field.name):
            object.__setattr__(made, field.name, getattr(module, field.name))
    return made


@functools.cache
def noting_class(cls, attributes):
    """A class like `cls`, with some attributes; the same for the same ones, since trees are compared by their classes."""
    return type(cls)(cls.__name__, (cls,), {"__module__": cls.__module__, "__doc__": cls.__doc__, **dict(attributes)})
