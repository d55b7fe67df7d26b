"""Flax NNX layers that start as torch's do."""

import jax
import jax.numpy as jnp
from flax import nnx


def torch_init(fan_in):
    """Initializers that draw weights and biases as `torch.nn.Linear` does."""
    bound = fan_in**-0.5

    def uniform(key, shape, dtype=jnp.float32):
        return jax.random.uniform(key, shape, dtype, -bound, bound)

    return {"kernel_init": uniform, "bias_init": uniform}


def torch_linear(in_features, out_features, use_bias=True, *, rngs):
    """torch.nn.Linear as an `nnx.Linear`."""
    return nnx.Linear(in_features, out_features, use_bias=use_bias, **torch_init(in_features), rngs=rngs)
