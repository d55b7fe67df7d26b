import equinox as eqx
import jax.numpy as jnp
from mypkg_jax import ops as kernels
from mypkg_jax.layers import RMSNorm
from mypkg_jax.ops import fused_gelu

from torch2jax.runtime.batching import batched


class Block(eqx.Module):
    norm: RMSNorm
    up: eqx.nn.Linear

    def __init__(self, dim, *, key):
        self.norm = RMSNorm(dim, eps=1e-5)
        self.up = eqx.nn.Linear(dim, 2 * dim, key=key)

    def __call__(self, x):
        gate, value = jnp.split(batched(self.up)(self.norm(x)), 2, axis=-1)
        return x + kernels.silu(gate) * fused_gelu(value, scale=0.5)
