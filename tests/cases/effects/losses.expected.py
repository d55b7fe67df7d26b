"""Losses with an axis of length 1, which torch takes for numbers."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.parameters import map_parameters


def make(*, key):
    model = eqx.nn.Linear(3, 3, key=key)
    model = map_parameters(lambda p: jnp.linspace(-0.5, 0.6, p.size).reshape(p.shape), model)
    return model, optax.sgd(0.1)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, total, x, y):
    def loss_fn(model, total):
        return (total + mse_loss(batched(model)(x), y)).squeeze()

    total, grads = eqx.filter_value_and_grad(loss_fn)(model, total)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_summed_up(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(2):
        total = jnp.zeros(1)
        model, opt_state = train_step(optimizer, model, opt_state, total, x, y)
    return jax.lax.stop_gradient(model.weight)


@eqx.filter_jit
def training_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return (mse_loss(batched(model)(x), y) + jnp.zeros(1)).reshape(())

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_not_named(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(2):
        model, opt_state = training_step(optimizer, model, opt_state, x, y)
    return jax.lax.stop_gradient(model.weight)


@eqx.filter_jit
def update_step(optimizer, model, opt_state, total, x, y):
    def loss_fn(model, total):
        total = total + mse_loss(batched(model)(x), y)
        return total.squeeze(), total

    (loss, total), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, total)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, total


def case_read_behind_the_step(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    found = []
    for _ in range(2):
        total = jnp.zeros(1)
        model, opt_state, total = update_step(optimizer, model, opt_state, total, x, y)
        found.append(jax.lax.stop_gradient(total))
    return found
