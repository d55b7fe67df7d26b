import jax
import jax.numpy as jnp


def f(x: jax.Array):
    y = jnp.sin(x)
    y = y.at[0].set(1)
    return y
