import jax
import jax.numpy as jnp


def mark(x: jax.Array):
    y = x * 2
    y = (y >= 0.5).astype(y.dtype)
    return y


def add(x: jax.Array):
    y = (x * 2).astype(jnp.float16)
    y = (y + jnp.ones(3)).astype(jnp.float16)
    return y


def bits(x: jax.Array):
    return x.view(jnp.int32)
