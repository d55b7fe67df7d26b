import equinox as eqx
import jax
import jax.numpy as jnp


class Similarity(eqx.Module):
    scale: jax.Array

    def __init__(self):
        self.scale = jnp.array(2.0)

    def __call__(self, x: jax.Array, y: jax.Array):
        x, y = x.astype(jnp.float16), y.astype(jnp.float16)
        scaled = x * self.scale.astype(jnp.float16) + 1.5
        chosen = jnp.where(x > 0, x, self.scale.astype(jnp.float16))
        return jnp.exp(self.scale).astype(jnp.float16) * x @ y.T, scaled, chosen


def accumulate(xs: list[jax.Array]):
    total = jnp.zeros(3, dtype=jnp.float16)
    for x in xs:
        total = (total + x).astype(jnp.float16)
    total *= 2
    return total, jnp.issubdtype(total.dtype, jnp.floating)
