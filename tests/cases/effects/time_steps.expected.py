"""Loops over the steps of a sequence, in modules that training steps run: they become scans where that is known to be right."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.recurrent import GRUCell, LSTMCell


class Gru(eqx.Module):
    hidden: int
    cell: GRUCell
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        cell_key, fc_key = jax.random.split(key)
        self.hidden = 3
        self.cell = GRUCell(4, 3, key=cell_key)
        self.fc = eqx.nn.Linear(3, 1, key=fc_key)

    def __call__(self, x):
        h = jnp.zeros((x.shape[0], self.hidden))

        def step(h, x_t):
            h = self.cell(x_t, h)
            return h, h

        _, outs = jax.lax.scan(step, h, x.swapaxes(0, 1))
        return batched(self.fc)(outs.swapaxes(0, 1))


@eqx.filter_jit
def train_step(optimizer, model, opt_state, batch):
    def loss_fn(model):
        return jnp.square(model(batch) - 0.5).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def case_gru_cell(batch: jax.Array, *, key):
    model = Gru(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    model = eqx.tree_at(lambda m: m.cell.weight_ih, model, jnp.full_like(model.cell.weight_ih, 0.1))
    model = eqx.tree_at(lambda m: m.cell.weight_hh, model, jnp.full_like(model.cell.weight_hh, 0.1))
    model = eqx.tree_at(lambda m: m.cell.bias_ih, model, jnp.full_like(model.cell.bias_ih, 0.1))
    model = eqx.tree_at(lambda m: m.cell.bias_hh, model, jnp.full_like(model.cell.bias_hh, 0.1))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Lstm(eqx.Module):
    cell: LSTMCell
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        cell_key, fc_key = jax.random.split(key)
        self.cell = LSTMCell(4, 3, key=cell_key)
        self.fc = eqx.nn.Linear(3, 1, key=fc_key)

    def __call__(self, x):
        h = jnp.zeros((x.shape[0], 3))
        c = jnp.zeros((x.shape[0], 3))
        # one step after the other
        def step(carry, x_t):
            h, c = carry
            h, c = self.cell(x_t, (h, c))
            # scaled
            return (h, c), h * 2

        _, outs = jax.lax.scan(step, (h, c), x.swapaxes(0, 1))
        outs = outs.swapaxes(0, 1)
        return batched(self.fc)(outs)


def case_lstm_cell(batch: jax.Array, *, key):
    model = Lstm(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    model = eqx.tree_at(lambda m: m.cell.weight_ih, model, jnp.full_like(model.cell.weight_ih, 0.1))
    model = eqx.tree_at(lambda m: m.cell.weight_hh, model, jnp.full_like(model.cell.weight_hh, 0.1))
    model = eqx.tree_at(lambda m: m.cell.bias_ih, model, jnp.full_like(model.cell.bias_ih, 0.1))
    model = eqx.tree_at(lambda m: m.cell.bias_hh, model, jnp.full_like(model.cell.bias_hh, 0.1))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Own(eqx.Module):
    hidden: int
    inside: eqx.nn.Linear
    around: eqx.nn.Linear
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        inside_key, around_key, fc_key = jax.random.split(key, 3)
        hidden = 3
        self.hidden = hidden
        self.inside = eqx.nn.Linear(4, hidden, key=inside_key)
        self.around = eqx.nn.Linear(hidden, hidden, key=around_key)
        self.fc = eqx.nn.Linear(hidden, 1, key=fc_key)

    def __call__(self, x):
        b, n, _ = x.shape
        h = jnp.zeros((b, self.hidden))

        def step(h, x_t):
            h = jnp.tanh(batched(self.inside)(x_t) + batched(self.around)(h))
            return h, None

        h, _ = jax.lax.scan(step, h, x.swapaxes(0, 1))
        return batched(self.fc)(h)


def case_own_cell(batch: jax.Array, *, key):
    model = Own(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    model = eqx.tree_at(lambda m: m.inside.weight, model, jnp.full_like(model.inside.weight, 0.1))
    model = eqx.tree_at(lambda m: m.around.weight, model, jnp.full_like(model.around.weight, 0.1))
    model = eqx.tree_at(lambda m: m.inside.bias, model, jnp.zeros_like(model.inside.bias))
    model = eqx.tree_at(lambda m: m.around.bias, model, jnp.zeros_like(model.around.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Cumulated(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(4, 1, key=key)

    def __call__(self, x):
        b, n, d = x.shape
        state = jnp.zeros((b, d))

        def step(state, x_t):
            state = 0.9 * state + 0.1 * x_t
            return state, state

        _, states = jax.lax.scan(step, state, x.swapaxes(0, 1))
        last = states[-1]
        return batched(self.fc)(states.swapaxes(0, 1)) + batched(self.fc)(last)[:, None]


def case_cumulated(batch: jax.Array, *, key):
    model = Cumulated(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class First(eqx.Module):
    mix: eqx.nn.Linear
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        mix_key, fc_key = jax.random.split(key)
        self.mix = eqx.nn.Linear(4, 4, key=mix_key)
        self.fc = eqx.nn.Linear(4, 1, key=fc_key)

    def __call__(self, x):
        n, b, d = x.shape
        h = jnp.zeros((b, d))

        def step(h, x_t):
            h = batched(self.mix)(x_t + h)
            return h, None

        h, _ = jax.lax.scan(step, h, x)
        return batched(self.fc)(h)


def case_first_axis(batch: jax.Array, *, key):
    model = First(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    model = eqx.tree_at(lambda m: m.mix.weight, model, jnp.full_like(model.mix.weight, 0.1))
    model = eqx.tree_at(lambda m: m.mix.bias, model, jnp.zeros_like(model.mix.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Counting(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(4, 1, key=key)

    def __call__(self, x):
        h = jnp.zeros((x.shape[0], 4))
        for t in range(x.shape[1]):
            h = h * 0.5 + x[:, t] * t
        return batched(self.fc)(h)


def case_counter_used_otherwise_stays(batch: jax.Array, *, key):
    model = Counting(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Growing(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(4, 1, key=key)

    def __call__(self, x):
        h = x[:, 0]
        for t in range(x.shape[1]):
            h = jnp.concatenate([h, x[:, t]], axis=1)
        return batched(self.fc)(h[:, :4])


def case_growing_state_stays(batch: jax.Array, *, key):
    model = Growing(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Dropping(eqx.Module):
    drop: eqx.nn.Dropout
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.drop = eqx.nn.Dropout(0.0)
        self.fc = eqx.nn.Linear(4, 1, key=key)

    def __call__(self, x):
        h = jnp.zeros((x.shape[0], 4))
        for t in range(x.shape[1]):
            h = self.drop(h) * 0.5 + x[:, t]
        return batched(self.fc)(h)


def case_dropout_in_steps_stays(batch: jax.Array, *, key):
    model = Dropping(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Layers(eqx.Module):
    layers: list[eqx.nn.Identity]
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.layers = [eqx.nn.Identity() for _ in range(2)]
        self.fc = eqx.nn.Linear(4, 1, key=key)

    def __call__(self, x):
        for layer in self.layers:
            x = jnp.tanh(layer(x))
        return batched(self.fc)(x)


def case_layers_stay(batch: jax.Array, *, key):
    model = Layers(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Independent(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, *, key):
        self.fc = eqx.nn.Linear(4, 1, key=key)

    def __call__(self, x):
        outs = []
        for t in range(x.shape[1]):
            outs.append(batched(self.fc)(x[:, t]) * 2)
        return jnp.stack(outs, axis=1)


def case_independent_steps_stay(batch: jax.Array, *, key):
    model = Independent(key=key)
    model = eqx.tree_at(lambda m: m.fc.weight, model, jnp.full_like(model.fc.weight, 0.1))
    model = eqx.tree_at(lambda m: m.fc.bias, model, jnp.zeros_like(model.fc.bias))
    optimizer = optax.sgd(0.01)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for step in range(4):
        model, opt_state, loss = train_step(optimizer, model, opt_state, batch)
        losses.append(loss.item())
    return losses, model.fc.weight


class Plain(eqx.Module):
    def __call__(self, x):
        h = jnp.zeros((x.shape[0], 4))
        for t in range(x.shape[1]):
            h = h * 0.5 + x[:, t]
        return h


def case_uncompiled_loop_stays(batch):
    return Plain()(batch)


def case_running_mean_stays(batch: jax.Array):
    means = []
    total = jnp.zeros((2, 4))
    for t in range(batch.shape[1]):
        total = total + batch[:, t]
        means.append(total / (t + 1))
    return jnp.stack(means, axis=1)
