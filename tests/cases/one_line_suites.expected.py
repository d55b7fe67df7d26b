import jax
import jax.numpy as jnp


def f(x: jax.Array, c: int):
    y = jnp.zeros(3)
    if c:
        y = x + 1  # why
    elif x is None: return y
    else:
        y = y.at[0].set(1)
    while c:
        c -= 1
    for i in range(3):
        y += jnp.sin(x)
    try:
        y = jnp.exp(y)
    except ValueError: raise RuntimeError("bad")
    finally: c = 0
    return y
