"""Optimizers of torch.optim whose update Optax does not have."""

import jax
import jax.numpy as jnp
import optax


def scale_by_torch_radam(b1=0.9, b2=0.999, eps=1e-8):
    """torch.optim.RAdam: `eps` joins the root before the bias correction, and rectification starts above a length of 5."""
    longest = 2 / (1 - b2) - 1

    def init(params):
        return jnp.zeros([], jnp.int32), jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params)

    def update(grads, state, params=None):
        count, mean, square = state
        count = count + 1
        mean = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, mean, grads)
        square = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, square, grads)
        correction = 1 - b2**count
        length = longest - 2 * count * b2**count / correction
        safe = jnp.maximum(length, 5)
        ratio = (safe - 4) * (safe - 2) * longest / ((longest - 4) * (longest - 2) * safe)

        def step(m, v):
            m = m / (1 - b1**count)
            adaptive = jnp.sqrt(ratio) * jnp.sqrt(correction) / (jnp.sqrt(v) + eps)
            return jnp.where(length > 5, m * adaptive, m)

        return jax.tree.map(step, mean, square), (count, mean, square)

    return optax.GradientTransformation(init, update)
