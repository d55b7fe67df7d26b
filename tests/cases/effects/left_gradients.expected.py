"""torch keeps gradients with the parameters and adds to them: what a helper leaves there, others meet."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.losses import mse_loss
from torch2jax.runtime.parameters import map_parameters
from torch2jax.runtime.reductions import norm
from torch2jax.runtime.training import add_gradients


def make(*, key):
    model = eqx.nn.Linear(3, 3, key=key)
    model = map_parameters(lambda p: jnp.linspace(-0.5, 0.6, p.size).reshape(p.shape), model)
    return model, optax.sgd(0.1)


@eqx.filter_jit
def compute_gradients(model, x):
    def loss_fn(model):
        return (batched(model)(x) ** 2).sum()

    _, grads = eqx.filter_value_and_grad(loss_fn)(model)
    return grads


def sensitivity(model, x):
    grads = compute_gradients(model, x)
    return norm(grads.weight)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_cleared_before_and_behind(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    found = []
    for _ in range(3):
        found.append(sensitivity(model, x).item())
        model, opt_state = train_step(optimizer, model, opt_state, x, y)
    return found, jax.lax.stop_gradient(model.weight)


@eqx.filter_jit
def compute_gradients_1(model, x, y):
    def loss_fn(model):
        return mse_loss(batched(model)(x), y)

    _, grads = eqx.filter_value_and_grad(loss_fn)(model)
    return grads


@eqx.filter_jit
def compute_gradients_2(model):
    def loss_fn(model):
        return 0.1 * (model.weight ** 2).sum()

    _, grads = eqx.filter_value_and_grad(loss_fn)(model)
    return grads


@eqx.filter_jit
def apply_gradients(optimizer, model, opt_state, grads):
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


def case_added_to_a_step(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    grads = None
    for _ in range(3):
        grads = None
        grads = compute_gradients_1(model, x, y)
        new_grads = compute_gradients_2(model)
        grads = add_gradients(grads, new_grads)
        model, opt_state = apply_gradients(optimizer, model, opt_state, grads)
    return jax.lax.stop_gradient(model.weight)


def measured(model, x):
    # torch2jax: T2J500 this training step is not understood: its gradients are added to those of another backward pass: no `zero_grad()` is between
    (model(x) ** 2).sum().backward()  # T2J500
    # torch2jax: T2J503 `model.weight.grad` is read where no translated `backward()` reaches
    return norm(model.weight.grad)  # T2J503


def case_met_by_a_helper(x, y, *, key):
    model, optimizer = make(key=key)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    found = []
    for _ in range(3):
        found.append(measured(model, x).item())
        model, opt_state = train_step(optimizer, model, opt_state, x, y)
    return found


def case_by_hand(x, y, *, key):
    model, _ = make(key=key)
    for _ in range(3):
        grads = compute_gradients_1(model, x, y)
        model = map_parameters(lambda p, grad: p - 0.1 * grad, model, grads)
    return jax.lax.stop_gradient(model.weight)
