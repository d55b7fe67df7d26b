"""Layers that all models of the project use."""

import equinox as eqx
import jax
import jax.numpy as jnp


class RMSNorm(eqx.Module):
    weight: jax.Array
    eps: float

    def __init__(self, dim, eps=1e-6):
        self.weight = jnp.ones(dim)
        self.eps = eps

    def __call__(self, x):
        return x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + self.eps) * self.weight
