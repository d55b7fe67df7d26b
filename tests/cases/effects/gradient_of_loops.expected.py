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


def case_state_of_a_loop(x, v, *, key):
    cell = make(key=key)
    hidden = jnp.zeros(3)

    def loss_fn(cell, hidden):
        for i in range(x.shape[0]):
            hidden = jnp.tanh(batched(cell)(x[i] + hidden))
        return ((hidden - v) ** 2).sum()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(cell, hidden)
    return loss.item(), grads.weight


def case_update_by_hand(x, v, *, key):
    cell = make(key=key)
    losses = []
    for _ in range(3):
        hidden = jnp.zeros(3)

        def loss_fn_1(cell, hidden):
            for i in range(x.shape[0]):
                hidden = jnp.tanh(batched(cell)(x[i] + hidden))
            return ((hidden - v) ** 2).sum(), hidden

        (loss, hidden), grads_1 = eqx.filter_value_and_grad(loss_fn_1, has_aux=True)(cell, hidden)
        cell = map_parameters(lambda p, grad: p + -0.1 * grad, cell, grads_1)
        losses.append(loss.item())
    return losses, hidden


def case_argument(x, v, *, key):
    cell = make(key=key)

    def loss_fn_2(cell, v):
        v = batched(cell)(x[0] + v)
        return (v ** 2).sum(), v

    (loss, v), grads_2 = eqx.filter_value_and_grad(loss_fn_2, has_aux=True)(cell, v)
    return grads_2.bias, v


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
