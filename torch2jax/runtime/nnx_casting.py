"""Models of Flax NNX with parameters and buffers of another dtype."""

import jax.numpy as jnp
from flax import nnx

from torch2jax.runtime.nnx_checkpoints import torch_variables


def cast_module(model, dtype):
    """torch's `model.to(dtype)`: the model, whose parameters and buffers that are floats have this dtype from now on."""
    for _, variable, _ in torch_variables(model, persistent=False) if isinstance(model, nnx.Module) else ():
        if jnp.issubdtype(variable.dtype, jnp.floating):
            variable.set_value(variable[...].astype(dtype))
    return model
