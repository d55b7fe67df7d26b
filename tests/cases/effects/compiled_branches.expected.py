"""Branches that the values of tensors decide, in training steps and other code that is compiled."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.losses import l1_loss, mse_loss
from torch2jax.runtime.reductions import absolute, clamp, norm as torch_norm


class Signed(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        h = jax.lax.cond(h.sum() > 0, lambda: h * 2, lambda: -h)
        return h.sum(axis=1)


@eqx.filter_jit
def train_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(model(x), y.sum(axis=1))

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_branch_in_forward(x: jax.Array, y: jax.Array, *, key):
    model = Signed(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Plain(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        return batched(self.fc)(x).sum(axis=1)


@eqx.filter_jit
def training_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        loss = mse_loss(model(x), y.sum(axis=1))
        return jax.lax.cond(loss > 10, lambda: 10 + jnp.sqrt(loss - 10), lambda: loss)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_branch_on_loss(x: jax.Array, y: jax.Array, *, key):
    model = Plain(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = training_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class PlainItem(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        return batched(self.fc)(x).sum(axis=1)


@eqx.filter_jit
def update_step(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        loss = mse_loss(model(x), y.sum(axis=1))
        return jax.lax.cond(loss > 10, lambda: loss * 0.5, lambda: jax.lax.cond(loss > 5, lambda: loss * 0.75, lambda: loss))

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_branch_on_item(x: jax.Array, y: jax.Array, *, key):
    model = PlainItem(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = update_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Clipped(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        norm = torch_norm(h)
        scale = jax.lax.cond(norm < 1, lambda: 1.0, lambda: 1 / norm)
        return (h * scale).sum(axis=1)


def case_ternary_scale(x: jax.Array, y: jax.Array, *, key):
    model = Clipped(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Balanced(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        weight = 1.0 / (jax.lax.stop_gradient(absolute(h).mean()) + 1.0)
        return (h * weight).sum(axis=1)


def case_scale_by_number_read(x: jax.Array, y: jax.Array, *, key):
    model = Balanced(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Several(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)

        def if_true(h):
            # centred
            mean = h.mean()
            h = h - mean
            bonus = mean * 2
            return h, bonus

        def if_false(h):
            bonus = h.sum()
            return h, bonus

        h, bonus = jax.lax.cond((h.mean() > 0.05) & (h.max() < 100), if_true, if_false, h)
        return h.sum(axis=1) + bonus


def case_several_statements(x: jax.Array, y: jax.Array, *, key):
    model = Several(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class OneSided(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        g = h * 3

        def if_true(h, g):
            h = jnp.zeros_like(h)
            g = jnp.ones_like(g)
            return h, g

        h, g = jax.lax.cond(~jnp.isfinite(h).all(), if_true, lambda h, g: (h, g), h, g)
        return (h + g).sum(axis=1)


def case_one_sided_with_two_names(x: jax.Array, y: jax.Array, *, key):
    model = OneSided(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Early(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)

        def if_false(h):
            h = jnp.tanh(h)
            h = h + batched(self.fc)(h)
            return h.sum(axis=1)

        return jax.lax.cond(torch_norm(h) < 0.5, lambda h: h.sum(axis=1), if_false, h)


def case_early_return(x: jax.Array, y: jax.Array, *, key):
    model = Early(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Both(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        return jax.lax.cond(h.sum() > 0, lambda: h.sum(axis=1), lambda: h.sum(axis=1) * 0.5)


def case_both_return(x: jax.Array, y: jax.Array, *, key):
    model = Both(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Chain(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        m = h.mean()
        h = jax.lax.cond(m > 1, lambda: h / m, lambda: jax.lax.cond(m > 0, lambda: h * m, lambda: h - m))
        return h.sum(axis=1)


def case_chain_of_three(x: jax.Array, y: jax.Array, *, key):
    model = Chain(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Nested(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)

        def if_true(h):
            h = h * 2
            h = jax.lax.cond(h.max() > 1, lambda: clamp(h, max=1), lambda: h)
            return h

        h = jax.lax.cond(h.sum() > 0, if_true, lambda h: h, h)
        return h.sum(axis=1)


def case_nested_branches(x: jax.Array, y: jax.Array, *, key):
    model = Nested(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Around(eqx.Module):
    fc: eqx.nn.Linear
    inference: bool

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)
        self.inference = False

    def __call__(self, x):
        h = batched(self.fc)(x)
        if not self.inference:
            h = jax.lax.cond(h.sum() > 0, lambda: h * 2, lambda: h)
        return h.sum(axis=1)


def case_static_around_dynamic(x: jax.Array, y: jax.Array, *, key):
    model = Around(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Static(eqx.Module):
    fc: eqx.nn.Linear
    depth: int

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)
        self.depth = 2

    def __call__(self, x):
        h = batched(self.fc)(x)
        if self.depth > 1:
            h = jnp.tanh(h)
        if x.shape[0] == 2:
            h = h * 2
        return h.sum(axis=1)


def case_static_branch_stays(x: jax.Array, y: jax.Array, *, key):
    model = Static(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Routed(eqx.Module):
    fc: eqx.nn.Linear
    other: eqx.nn.Linear

    def __init__(self, *, key):
        fc_key, other_key = jax.random.split(key)
        self.fc = eqx.nn.Linear(3, 3, key=fc_key)
        self.other = eqx.nn.Linear(3, 3, key=other_key)

    def __call__(self, x):
        h = jax.lax.cond(x.mean() > 0, lambda: batched(self.fc)(x), lambda: batched(self.other)(x))
        return h.sum(axis=1)


def case_layers_in_branches(x: jax.Array, y: jax.Array, *, key):
    model = Routed(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Best(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        return batched(self.fc)(x).sum(axis=1)


@eqx.filter_jit
def train_step_12(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        first = mse_loss(model(x), y.sum(axis=1))
        second = l1_loss(model(x), y.sum(axis=1))
        return jnp.where(first > second, first, second)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_best_so_far(x: jax.Array, y: jax.Array, *, key):
    model = Best(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step_12(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


def soften(t: jax.Array) -> jax.Array:
    peak = absolute(t).max()
    t = jax.lax.cond(peak > 1, lambda: t / peak, lambda: t)
    return t


class Caller(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        return soften(batched(self.fc)(x)).sum(axis=1)


def case_function_called_by_step(x: jax.Array, y: jax.Array, *, key):
    model = Caller(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Guarded(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x).sum(axis=1)
        s = h.sum() - h.sum()
        s = jax.lax.cond(s > 0, lambda: jnp.sqrt(s), lambda: s)
        return h + s


def case_sqrt_behind_a_test(x: jax.Array, y: jax.Array, *, key):
    model = Guarded(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Shapes(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        if h.sum() > 0:
            h = h[:1]
        return h.sum(axis=1).mean()


def train_step_15(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return (model(x) - y.mean()) ** 2

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_different_shapes_stay(x: jax.Array, y: jax.Array, *, key):
    model = Shapes(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step_15(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Drawing(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x, *, key):
        h = batched(self.fc)(x)
        if h.sum() > 1000:
            h = h + jax.random.normal(key, h.shape)
        return h.sum(axis=1)


def train_step_16(optimizer, model, opt_state, x, y, *, key):
    def loss_fn(model):
        return mse_loss(model(x, key=key), y.sum(axis=1))

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_draws_stay(x: jax.Array, y: jax.Array, *, key):
    key, subkey = jax.random.split(key)
    model = Drawing(key=subkey)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step_16(optimizer, model, opt_state, x, y, key=subkey)
        losses.append(loss.item())
    return losses, model.fc.weight


class Sized(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        n = 2 if h.sum() > 0 else 1
        return h[:, :n].sum(axis=1)


def train_step_17(optimizer, model, opt_state, x, y):
    def loss_fn(model):
        return mse_loss(model(x), y.sum(axis=1))

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_whole_number_stays(x: jax.Array, y: jax.Array, *, key):
    model = Sized(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step_17(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Returns(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x)
        m = h.mean()

        def if_false_2(h):
            h = jnp.tanh(h)

            def if_false_1():
                def if_false(h):
                    h = h * 2
                    return h.sum(axis=1)

                return jax.lax.cond(m < -10, lambda h: h.sum(axis=1) * 0.5, if_false, h)

            return jax.lax.cond(m > 0.01, lambda: h.sum(axis=1), if_false_1)

        return jax.lax.cond(m > 10, lambda h: h.sum(axis=1) / m, if_false_2, h)


def case_several_early_returns(x: jax.Array, y: jax.Array, *, key):
    model = Returns(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Augmented(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x) * 2
        total = h.sum()

        def if_true(total, h):
            total = total * 0.5
            h = h + 1
            return total, h

        total, h = jax.lax.cond(total > 0, if_true, lambda total, h: (total, h), total, h)
        return h.sum(axis=1) + total


def case_augmented_in_branch(x: jax.Array, y: jax.Array, *, key):
    model = Augmented(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Shared(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)

    def __call__(self, x):
        h = batched(self.fc)(x) * 2
        g = h
        if h.sum() > 0:
            h += 1
            g = h
        return (h + g).sum(axis=1)


def case_in_place_on_a_shared_name_stays(x: jax.Array, y: jax.Array, *, key):
    model = Shared(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step_17(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


class Optional(eqx.Module):
    fc: eqx.nn.Linear
    limit: float

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(3, 3, key=key)
        self.limit = 0.1

    def __call__(self, x):
        h = batched(self.fc)(x)
        h = jax.lax.cond(self.limit is not None and torch_norm(h) > self.limit, lambda: h * (self.limit / torch_norm(h)), lambda: h)
        return h.sum(axis=1)


def case_optional_argument(x: jax.Array, y: jax.Array, *, key):
    model = Optional(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
        losses.append(loss.item())
    return losses, model.fc.weight


@eqx.filter_jit
def case_evaluation_with_branch_step(model, batch):
    out = model(batch)
    return out.sum()


def case_evaluation_with_branch(x: jax.Array, y: jax.Array, *, key):
    model = Signed(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    correct = 0.0
    for batch in [x, y]:
        correct += case_evaluation_with_branch_step(model, batch).item()
    return correct
