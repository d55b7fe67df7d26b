"""Numbers that modules keep: steps, flags, best values, schedules that depend on how often forward has run."""

import math
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import buffer, unregistered
from torch2jax.runtime.module_state import set_state
from torch2jax.runtime.reductions import clamp


class Counter(eqx.nn.StatefulLayer):
    calls: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.calls = eqx.nn.StateIndex(0)

    def __call__(self, x: jax.Array, state) -> tuple[jax.Array, eqx.nn.State]:
        state = state.set(self.calls, state.get(self.calls) + 1)
        return x * state.get(self.calls), state


def case_counter(x: jax.Array):
    model, state = eqx.nn.make_with_state(Counter)()
    out, state = model(x, state)
    out_1, state = model(x, state)
    return out, out_1, state.get(model.calls).item()


class Schedule(eqx.nn.StatefulLayer):
    warmup: int
    step_count: eqx.nn.StateIndex = unregistered()
    temperature: eqx.nn.StateIndex = unregistered()

    def __init__(self, warmup: int = 2):
        self.warmup = warmup
        self.step_count = eqx.nn.StateIndex(0)
        self.temperature = eqx.nn.StateIndex(1.0)

    def step(self, state):
        state = state.set(self.step_count, state.get(self.step_count) + 1)
        state = state.set(self.temperature, max(0.5, state.get(self.temperature) * 0.9))
        return state

    def __call__(self, x, state):
        if state.get(self.step_count) < self.warmup:
            return x, state
        return x / state.get(self.temperature), state


def case_schedule(x):
    model, state = eqx.nn.make_with_state(Schedule)()
    outs = []
    for _ in range(4):
        out, state = model(x, state)
        outs.append(out)
        state = model.step(state)
    return outs, state.get(model.step_count).item(), state.get(model.temperature).item()


class Ema(eqx.nn.StatefulLayer):
    """With the correction for a start at zero."""

    decay: float
    steps: eqx.nn.StateIndex = unregistered()
    average: eqx.nn.StateIndex

    def __init__(self, decay=0.9):
        self.decay = decay
        self.steps = eqx.nn.StateIndex(0)
        self.average = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x, state):
        state = state.set(self.steps, state.get(self.steps) + 1)
        state = state.set(self.average, state.get(self.average) * self.decay + x.mean(axis=0) * (1 - self.decay))
        return state.get(self.average) / (1 - self.decay**state.get(self.steps)), state


def case_ema(x, y):
    model, state = eqx.nn.make_with_state(Ema)()
    x, state = model(x, state)
    y, state = model(y, state)
    return x, y, state.get(model.steps).item()


class Once(eqx.nn.StatefulLayer):
    """Data-dependent initialisation, as in ActNorm."""

    initialized: eqx.nn.StateIndex
    bias: eqx.nn.StateIndex

    def __init__(self):
        self.initialized = eqx.nn.StateIndex(jnp.array(False))
        self.bias = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x, state):
        if not state.get(self.initialized):
            state = state.set(self.bias, jnp.broadcast_to(-x.mean(axis=0), state.get(self.bias).shape).astype(state.get(self.bias).dtype))
            state = state.set(self.initialized, jnp.full_like(state.get(self.initialized), True))
        return x + state.get(self.bias), state


def case_once(x, y):
    model, state = eqx.nn.make_with_state(Once)()
    x, state = model(x, state)
    y, state = model(y, state)
    return x, y, state.get(model.bias), state.get(model.initialized)


class Flag(eqx.nn.StatefulLayer):
    ready: eqx.nn.StateIndex = unregistered()
    best: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.ready = eqx.nn.StateIndex(False)
        self.best = eqx.nn.StateIndex(100.0)

    def __call__(self, x, state):
        if not state.get(self.ready):
            state = state.set(self.ready, True)
            return x, state
        state = set_state(state, self.best, min(state.get(self.best), x.sum().item()))
        return x * 2, state

    def is_ready(self, state):
        return state.get(self.ready)


def case_flag(x, y):
    model, state = eqx.nn.make_with_state(Flag)()
    before = 1 if model.is_ready(state) else 0
    a, state = model(x, state)
    b, state = model(y, state)
    return before, a, b, 1 if model.is_ready(state) else 0, state.get(model.best).item()


class Positions(eqx.nn.StatefulLayer):
    position: eqx.nn.StateIndex = unregistered()
    table: jax.Array = buffer()

    def __init__(self, length):
        self.position = eqx.nn.StateIndex(0)
        self.table = jnp.arange(float(length * 3)).reshape(length, 3)

    def __call__(self, x, state):
        n = x.shape[0]
        rows = self.table[state.get(self.position) : state.get(self.position) + n]
        state = state.set(self.position, state.get(self.position) + n)
        return x + rows, state


def case_positions(x, y):
    model, state = eqx.nn.make_with_state(Positions)(8)
    x, state = model(x, state)
    y, state = model(y, state)
    return x, y, state.get(model.position).item()


class Total(eqx.nn.StatefulLayer):
    """A number that becomes a tensor."""

    total: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.total = eqx.nn.StateIndex(0)

    def __call__(self, x, state):
        state = set_state(state, self.total, state.get(self.total) + x.sum())
        return x, state


def case_number_becomes_tensor(x, y):
    model, state = eqx.nn.make_with_state(Total)()
    _, state = model(x, state)
    _, state = model(y, state)
    return state.get(model.total)


class Mean(eqx.Module):
    """An integer that becomes a float."""

    value: eqx.nn.StateIndex = unregistered()
    count: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.value, self.count = eqx.nn.StateIndex(0), eqx.nn.StateIndex(0)

    def update(self, x: jax.Array, state):
        state = set_state(state, self.value, state.get(self.value) + x.mean().item() * len(x))
        state = state.set(self.count, state.get(self.count) + len(x))
        return state

    def compute(self, state):
        return state.get(self.value) / max(state.get(self.count), 1)

    def reset(self, state):
        state = set_state(state, self.value, 0)
        state = state.set(self.count, 0)
        return state


def case_metric(x, y):
    metric, state = eqx.nn.make_with_state(Mean)()
    state = metric.update(x, state)
    state = metric.update(y, state)
    first = float(metric.compute(state))
    state = metric.reset(state)
    state = metric.update(y, state)
    return first, float(metric.compute(state)), state.get(metric.count).item()


class Annealed(eqx.nn.StatefulLayer):
    step: eqx.nn.StateIndex

    def __init__(self):
        self.step = eqx.nn.StateIndex(jnp.zeros((), dtype=int))

    def __call__(self, x, state):
        state = state.set(self.step, state.get(self.step) + 1)
        beta = clamp(state.get(self.step) / 10, max=1.0)
        return x * beta, state


def case_annealed(x):
    model, state = eqx.nn.make_with_state(Annealed)()
    _, state = model(x, state)
    x, state = model(x, state)
    return x, state.get(model.step)


@eqx.filter_jit
def train_step(optimizer, model, state, opt_state, x, y):
    def loss_fn(model, state):
        out, state = batched(model)(x, state)
        return ((out - y) ** 2).sum(), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def case_counter_in_training(x, y, *, key):
    model, state = eqx.nn.make_with_state(eqx.nn.Sequential)([Annealed(), eqx.nn.Linear(3, 3, use_bias=False, key=key)])
    model = eqx.tree_at(lambda m: m[1].weight, model, jnp.eye(*model[1].weight.shape))
    optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    for _ in range(3):
        model, state, opt_state, loss = train_step(optimizer, model, state, opt_state, x, y)
    return model[1].weight, state.get(model[0].step), loss.item()


class Holder(eqx.nn.StatefulLayer):
    inner: Counter
    log_scale: Any

    def __init__(self):
        self.inner = Counter()
        self.log_scale = math.log(2.0)

    def __call__(self, x, state):
        y, state = self.inner(x, state)
        return y + state.get(self.inner.calls) * self.log_scale, state


def case_read_from_the_module_around(x):
    model, state = eqx.nn.make_with_state(Holder)()
    _, state = model(x, state)
    x, state = model(x, state)
    return x, state.get(model.inner.calls).item()


class Sometimes(eqx.nn.StatefulLayer):
    hits: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.hits = eqx.nn.StateIndex(0)

    def __call__(self, x, state, count: bool = False):
        if count:
            state = state.set(self.hits, state.get(self.hits) + 1)
        return x + state.get(self.hits), state


def case_in_a_branch(x):
    model, state = eqx.nn.make_with_state(Sometimes)()
    out, state = model(x, state)
    out_1, state = model(x, state, count=True)
    out_2, state = model(x, state, True)
    return out, out_1, out_2, state.get(model.hits).item()
