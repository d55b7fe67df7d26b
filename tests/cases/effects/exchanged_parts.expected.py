"""Parts of a container that are exchanged: what the new part freezes, keeps in buffers or draws is known of the container."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import buffer, trainable
from torch2jax.runtime.freezing import freeze_in_place, unfrozen
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.parameters import map_parameters


def fill(model):
    model = map_parameters(lambda p: jnp.linspace(-0.5, 0.6, p.size).reshape(p.shape), model)
    return model


class LowRank(eqx.Module):
    base: eqx.nn.Linear
    down: jax.Array
    up: jax.Array
    untrained: tuple = eqx.field(default=(), static=True)

    def __init__(self, base, rank=2):
        self.base = base
        freeze_in_place(self, "base")
        self.down = jnp.full((rank, base.in_features), 0.1, dtype=float)
        self.up = jnp.zeros((base.out_features, rank))

    def __call__(self, x):
        return batched(self.base)(x) + x @ self.down.T @ self.up.T


class Shift(eqx.Module):
    by: jax.Array = buffer()

    def __init__(self):
        self.by = jnp.ones(4)

    def __call__(self, x):
        return x + self.by


@eqx.filter_jit
def train_step(optimizer, net, opt_state, x, y):
    params, static = eqx.partition(net, unfrozen(net))

    def loss_fn(params):
        net = eqx.combine(params, static)
        return mse_loss(batched(net)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(net, updates), opt_state, loss


def case_frozen_base(x, y, *, key):
    net_key, net_key_1 = jax.random.split(key)
    net = eqx.nn.Sequential([fill(eqx.nn.Linear(3, 4, key=net_key)), eqx.nn.Lambda(jnp.tanh), fill(eqx.nn.Linear(4, 3, key=net_key_1))])
    net = eqx.tree_at(lambda m: m[0], net, LowRank(net[0]))
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(net, unfrozen(net)))
    for _ in range(3):
        net, opt_state, loss = train_step(optimizer, net, opt_state, x, y)
    return jax.lax.stop_gradient(loss), jax.lax.stop_gradient(net[2].weight)


@eqx.filter_jit
def training_step(optimizer, net, opt_state, x, y):
    params, static = eqx.partition(net, trainable(net))

    def loss_fn(params):
        net = eqx.combine(params, static)
        return mse_loss(batched(net)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return eqx.apply_updates(net, updates), opt_state, loss


def case_buffer(x, y, *, key):
    net_key, net_key_1 = jax.random.split(key)
    net = eqx.nn.Sequential([fill(eqx.nn.Linear(3, 4, key=net_key)), eqx.nn.Lambda(jnp.tanh), fill(eqx.nn.Linear(4, 3, key=net_key_1))])
    net = eqx.tree_at(lambda m: m[1], net, Shift())
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(net, trainable(net)))
    for _ in range(3):
        net, opt_state, loss = training_step(optimizer, net, opt_state, x, y)
    return jax.lax.stop_gradient(loss), jax.lax.stop_gradient(net[2].weight)


def case_dropout(x, *, key):
    net_key, net_key_1 = jax.random.split(key)
    net = eqx.nn.Sequential([fill(eqx.nn.Linear(3, 4, key=net_key)), eqx.nn.Lambda(jnp.tanh), fill(eqx.nn.Linear(4, 3, key=net_key_1))])
    net = eqx.tree_at(lambda m: m[1], net, eqx.nn.Dropout(0.5))
    net = eqx.nn.inference_mode(net)
    return batched(net)(x)
