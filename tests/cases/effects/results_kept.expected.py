"""Results that a module also keeps: changed before it keeps them they are its own, changed by its caller they are not."""

from collections.abc import Callable
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import batched
from torch2jax.runtime.buffers import unregistered
from torch2jax.runtime.indexing import index_fill, scatter
from torch2jax.runtime.losses import kl_div
from torch2jax.runtime.module_state import set_state


class Smoothed(eqx.nn.StatefulLayer):
    criterion: Callable
    size: int
    smoothing: float
    wanted: eqx.nn.StateIndex = unregistered()

    def __init__(self, size, smoothing):
        self.criterion = partial(kl_div, reduction="sum")
        self.size = size
        self.smoothing = smoothing
        self.wanted = eqx.nn.StateIndex(None)

    def __call__(self, x, state, target):
        wanted = jax.lax.stop_gradient(x)
        wanted = jnp.full_like(wanted, self.smoothing / (self.size - 2))
        wanted = scatter(wanted, 1, jax.lax.stop_gradient(target)[:, None], 1 - self.smoothing)
        wanted = wanted.at[:, 0].set(0)
        mask = jnp.argwhere(jax.lax.stop_gradient(target) == 0)
        if mask.ndim > 0:
            wanted = index_fill(wanted, 0, mask.squeeze(), 0.0)
        state = set_state(state, self.wanted, wanted)
        return self.criterion(x, jax.lax.stop_gradient(wanted)), state


class Parts(eqx.nn.StatefulLayer):
    last: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.last = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        h = x
        view = h[1:]
        h = h + 1
        view = h[1:]
        view = view * 2
        h = h.at[1:].set(view)
        state = set_state(state, self.last, view)
        return h.sum() + view.sum(), state


class ChangedBehind(eqx.nn.StatefulLayer):
    last: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.last = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        h = x
        state = set_state(state, self.last, h)
        # torch2jax: T2J303 `h` is changed in place and may be shared with `self.last`
        h = h * 2  # T2J303
        state = set_state(state, self.last, h)
        return h * 1, state

    def look(self, state):
        return state.get(self.last)


class Keeping(eqx.nn.StatefulLayer):
    seen: eqx.nn.StateIndex = unregistered()

    def __init__(self):
        self.seen = eqx.nn.StateIndex(None)

    def __call__(self, x, state):
        h = x + 1
        state = set_state(state, self.seen, h)
        return h, state


class Around(eqx.nn.StatefulLayer):
    inner: Keeping
    act: eqx.nn.Lambda

    def __init__(self):
        self.inner = Keeping()
        self.act = eqx.nn.Lambda(jax.nn.relu)

    def __call__(self, x, state):
        self_part, state = self.inner(x, state)
        # torch2jax: T2J303 `self_part` is changed in place and may be shared with `a container, a field or a caller`
        self.act(self_part)
        return self_part, state  # T2J303


def case_smoothed(x: jax.Array):
    criterion, state = eqx.nn.make_with_state(Smoothed)(3, 0.4)
    first, state = criterion(jax.nn.log_softmax(x, axis=-1), state, jnp.array([1, 0]))
    kept = state.get(criterion.wanted)
    second, state = criterion(jax.nn.log_softmax(x, axis=-1), state, jnp.array([2, 2]))
    return first, kept, second, state.get(criterion.wanted)


def case_parts(x: jax.Array):
    model, state = eqx.nn.make_with_state(Parts)()
    x, state = model(x, state)
    return x, state.get(model.last)


def case_changed_by_the_caller(x: jax.Array):
    model, state = eqx.nn.make_with_state(Keeping)()
    y, state = model(x, state)
    # torch2jax: T2J303 `y` is changed in place and may be shared with `a container, a field or a caller`
    y.mul_(3)  # T2J303
    return y, state.get(model.seen)


def case_changed_in_an_expression(x: jax.Array):
    model, state = eqx.nn.make_with_state(Keeping)()
    value_part, state = model(x, state)
    # torch2jax: T2J303 `value_part` is changed in place and may be shared with `a container, a field or a caller`
    value_part.clamp_(0)
    y = value_part  # T2J303
    return y, state.get(model.seen)


def case_changed_through_another(x: jax.Array):
    model, state = eqx.nn.make_with_state(Keeping)()
    state, y = through(model, state, x)
    # torch2jax: T2J303 `y` is changed in place and may be shared with `a container, a field or a caller`
    y += 1  # T2J303
    return y, state.get(model.seen)


def through(model, state, x):
    x, state = model(x, state)
    return state, x


def case_in_a_sequential(x: jax.Array):
    # torch2jax: T2J303 `nn.Sequential(Keeping(), nn.ReLU(True))` is changed in place and may be shared with `a container, a field or a caller`
    net, state = nn.Sequential(Keeping(), nn.ReLU(True))  # T2J303
    x, state = batched(net)(x, state)
    return x, state.get(net[0].seen)


def case_read_only(x: jax.Array):
    model, state = eqx.nn.make_with_state(Keeping)()
    y, state = model(x, state)
    y = y * 3
    return y, state.get(model.seen)
