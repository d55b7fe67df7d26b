"""Modules whose fields stay as `__init__` made them: nothing is threaded through them."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.buffers import buffer, unregistered


class Constant(eqx.Module):
    scale: float
    offset: jax.Array = buffer()

    def __init__(self, size):
        self.scale = 2.0
        self.offset = jnp.arange(float(size))

    def __call__(self, x: jax.Array):
        offset = self.offset + 1
        offset = offset.at[0].set(5.0)
        return x * self.scale + offset


def case_constant(x):
    model = Constant(3)
    return model(x), model.scale, model.offset


class MadeInParts(eqx.Module):
    """Methods that only run while the module is made."""

    size: int
    scale: float
    mask: jax.Array = unregistered()

    def __init__(self, size):
        self.size = size
        self._build()

    def _build(self):
        self.scale = 3.0
        self.mask = jnp.tril(jnp.ones((self.size, self.size)))
        self.mask = jnp.asarray(self.mask).at[0, 0].set(4.0)

    def __call__(self, x):
        return x @ self.mask * self.scale


def case_made_in_parts(x):
    return MadeInParts(3)(x)


class ChangedInInit(eqx.Module):
    table: jax.Array = buffer()
    count: int

    def __init__(self, size):
        table = jnp.zeros(size)
        table = table.at[1:].set(2.0)
        self.table = table
        self.count = 0
        for _ in range(3):
            self.count += 1

    def __call__(self, x):
        return x + self.table * self.count


def case_changed_in_init(x):
    return ChangedInInit(3)(x)


class LocalCopy(eqx.Module):
    limit: int
    base: jax.Array = buffer()

    def __init__(self):
        self.limit = 3
        self.base = jnp.ones(3)

    def __call__(self, x):
        limit = self.limit
        limit -= 1
        base = self.base
        base = base * limit
        return x + base


def case_local_copy(x):
    return LocalCopy()(x), LocalCopy()(x)


class Passed(eqx.Module):
    """The cache comes as an argument and goes back as a result."""

    def __call__(self, x, cache=None):
        cache = x if cache is None else jnp.concatenate([cache, x])
        return cache.sum(axis=0), cache


def case_passed(x, y):
    model = Passed()
    a, cache = model(x)
    b, cache = model(y, cache)
    return a, b, cache


class Meter:
    """No module: its fields change as those of all objects do."""

    def __init__(self):
        self.total = 0.0
        self.count = 0

    def update(self, value: float):
        self.total += value
        self.count += 1

    def average(self):
        return self.total / self.count


# unchanged
def case_meter():
    meter = Meter()
    meter.update(1.0)
    meter.update(4.0)
    return meter.average(), meter.count


class Config:
    def __init__(self):
        self.gain = 1.0


class WithConfig(eqx.Module):
    gain: float
    fc: eqx.nn.Identity

    def __init__(self, config):
        self.gain = config.gain
        self.fc = eqx.nn.Identity()

    def __call__(self, x):
        return self.fc(x) * self.gain


def case_with_config(x):
    config = Config()
    config.gain = 4.0
    return WithConfig(config)(x)


class Dropped(eqx.Module):
    """Reads the mode, and has no state for all that."""

    factor: float
    inference: bool

    def __init__(self):
        self.factor = 2.0
        self.inference = False

    def __call__(self, x):
        if not self.inference:
            return x * self.factor
        return x


def case_mode_only(x):
    model = Dropped()
    a = model(x)
    model = eqx.nn.inference_mode(model)
    return a, model(x)


class Tracker:
    """Keeps what it saw of a module that does not change."""

    def __init__(self, model: Constant):
        self.model = model
        self.history: list[float] = []

    def observe(self, x):
        self.history.append(self.model(x).sum().item())
        return len(self.history)


def case_tracker(x):
    tracker = Tracker(Constant(3))
    tracker.observe(x)
    return tracker.observe(x), tracker.history
