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
