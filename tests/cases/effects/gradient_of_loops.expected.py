"""A backward pass without an optimizer over values that are bound before the pass and again within it."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import batched
from torch2jax.runtime.parameters import map_parameters


def make(*, key):
    cell = eqx.nn.Linear(3, 3, key=key)
    cell = eqx.tree_at(lambda m: m.weight, cell, jnp.full_like(cell.weight, 0.1))
    cell = eqx.tree_at(lambda m: m.bias, cell, jnp.full_like(cell.bias, 0.2))
    return cell


@eqx.filter_jit
def compute_gradients(cell, x, hidden, v):
    def loss_fn(cell, hidden):
        for i in range(x.shape[0]):
            hidden = jnp.tanh(batched(cell)(x[i] + hidden))
        return ((hidden - v) ** 2).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(cell, hidden)
    return loss, grads


def case_state_of_a_loop(x, v, *, key):
    cell = make(key=key)
    hidden = jnp.zeros(3)
    loss, grads = compute_gradients(cell, x, hidden, v)
    return loss.item(), grads.weight


@eqx.filter_jit
def compute_gradients_1(cell, x, hidden, v):
    def loss_fn(cell, hidden):
        for i in range(x.shape[0]):
            hidden = jnp.tanh(batched(cell)(x[i] + hidden))
        return ((hidden - v) ** 2).sum(), hidden

    (loss, hidden), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(cell, hidden)
    return loss, hidden, grads


def case_update_by_hand(x, v, *, key):
    cell = make(key=key)
    losses = []
    for _ in range(3):
        hidden = jnp.zeros(3)
        loss, hidden, grads = compute_gradients_1(cell, x, hidden, v)
        cell = map_parameters(lambda p, grad: p + -0.1 * grad, cell, grads)
        losses.append(loss.item())
    return losses, hidden


@eqx.filter_jit
def compute_gradients_2(cell, v, x):
    def loss_fn(cell, v):
        v = batched(cell)(x[0] + v)
        return (v ** 2).sum(), v

    (_, v), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(cell, v)
    return v, grads


def case_argument(x, v, *, key):
    cell = make(key=key)
    v, grads = compute_gradients_2(cell, v, x)
    return grads.bias, v


def case_leaf(x, v):
    w = jnp.ones(3)
    total = jnp.zeros(3)

    def loss_of_w(w, total):
        for i in range(x.shape[0]):
            total = total * w + x[i]
        loss = (total * v).sum()
        return loss, total

    loss, loss_vjp, total = jax.vjp(lambda w: loss_of_w(w, total), w, has_aux=True)
    w_grad = jax.lax.stop_gradient(loss_vjp(jnp.ones_like(loss)))[0]
    return w_grad, total
