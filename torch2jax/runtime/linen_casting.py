"""Models of Flax Linen with parameters and buffers of another dtype."""

import jax.numpy as jnp

from torch2jax.runtime.linen_checkpoints import entries_of


def cast_module(model, dtype):
    """torch's `model.to(dtype)`: the model, whose parameters and buffers that are floats have this dtype from now on."""
    for entry in entries_of(model):
        value = model.get(entry.place)
        if jnp.issubdtype(value.dtype, jnp.floating):
            model.put(entry.place, value.astype(dtype))
    return model
