"""A `forward` under `@torch.no_grad()` in what is trained: its results are constants. Mixed precision that is off is nothing."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import buffer, trainable
from torch2jax.runtime.constants import without_gradient
from torch2jax.runtime.reductions import std


class Rotary(eqx.Module):
    frequencies: jax.Array = buffer(persistent=False)

    def __init__(self, dim):
        self.frequencies = 1.0 / 2 ** jnp.arange(0, dim).astype(jnp.float32)

    def __call__(self, x, positions):
        """Cosine and sine."""
        angles = positions[:, None] * self.frequencies.astype(jnp.float32)
        cos, sin = jnp.cos(angles), jnp.sin(angles)
        return jax.lax.stop_gradient((cos.astype(x.dtype), sin.astype(x.dtype)))


class Statistics(eqx.Module):
    def __call__(self, x):
        return jax.lax.stop_gradient((x - x.mean()) / std(x))


class Same(eqx.Module):
    @without_gradient
    def __call__(self, x):
        return x


class Net(eqx.Module):
    rotary: Rotary
    linear: eqx.nn.Linear

    def __init__(self, *, key):
        self.rotary = Rotary(3)
        self.linear = eqx.nn.Linear(3, 3, key=key)
        self.linear = eqx.tree_at(lambda m: m.weight, self.linear, jnp.full_like(self.linear.weight, 0.25))
        self.linear = eqx.tree_at(lambda m: m.bias, self.linear, jnp.full_like(self.linear.bias, 0.5))

    def __call__(self, x):
        h = batched(self.linear)(x)
        cos, sin = self.rotary(h, jnp.arange(x.shape[0]))
        return h * cos - h * sin + 0.0 * Statistics()(x)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x):
    params, static = eqx.partition(model, trainable(model))

    def loss_fn(params):
        model = eqx.combine(params, static)
        return (model(x) ** 2).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(model, updates), opt_state, loss


def case_trained(x, *, key):
    model = Net(key=key)
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, trainable(model)))
    losses = []
    for _ in range(3):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x)
        losses.append(loss.item())
    return losses


def case_gradient(x):
    w = x
    loss, loss_vjp = jax.vjp(lambda w: (w * Statistics()(w)).sum(), w)
    w_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))[0]
    return w_grad


def case_of_the_argument(x):
    return Same()(x)


def case_gradient_of_the_argument(x):
    w = x
    loss, loss_vjp = jax.vjp(lambda w: (w * Same()(w)).sum(), w)
    w_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))[0]
    return w_grad
