import jax
import jax.numpy as jnp
from torch2jax.runtime.indexing import set_where


def f(x: jax.Array, c: float):
    w = jnp.array([1, 2])
    w = set_where(w, w > 0, 2.25)
    b = jnp.array([True])
    b = set_where(b, b == False, 2)
    u = jnp.array([1.5])
    u = jnp.where(u > 1, 2, u)
    y = x
    y = set_where(y, y > 0, 1.5)
    y = jnp.where(y > 0, -1e9, y)
    y = set_where(y, y > 0, c)
    y = jnp.where(y > 0, 0, y)
    return jnp.where(w > 0, int(0.5), w), jnp.where(b, bool(0), b), jnp.where(u > 0, 2, u), jnp.where(y > 0, jnp.asarray(0.5, y.dtype), y)
