"""Modules whose fields stay as `__init__` made them: nothing is threaded through them."""

import torch
import torch.nn as nn
from torch import Tensor


class Constant(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.scale = 2.0
        self.register_buffer("offset", torch.arange(float(size)))

    def forward(self, x: Tensor):
        offset = self.offset + 1
        offset[0] = 5.0
        return x * self.scale + offset


def case_constant(x):
    model = Constant(3)
    return model(x), model.scale, model.offset


class MadeInParts(nn.Module):
    """Methods that only run while the module is made."""

    def __init__(self, size):
        super().__init__()
        self.size = size
        self._build()

    def _build(self):
        self.scale = 3.0
        self.mask = torch.ones(self.size, self.size).tril()
        self.mask[0, 0] = 4.0

    def forward(self, x):
        return x @ self.mask * self.scale


def case_made_in_parts(x):
    return MadeInParts(3)(x)


class ChangedInInit(nn.Module):
    def __init__(self, size):
        super().__init__()
        table = torch.zeros(size)
        table[1:] = 2.0
        self.register_buffer("table", table)
        self.count = 0
        for _ in range(3):
            self.count += 1

    def forward(self, x):
        return x + self.table * self.count


def case_changed_in_init(x):
    return ChangedInInit(3)(x)


class LocalCopy(nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = 3
        self.register_buffer("base", torch.ones(3))

    def forward(self, x):
        limit = self.limit
        limit -= 1
        base = self.base.clone()
        base.mul_(limit)
        return x + base


def case_local_copy(x):
    return LocalCopy()(x), LocalCopy()(x)


class Passed(nn.Module):
    """The cache comes as an argument and goes back as a result."""

    def forward(self, x, cache=None):
        cache = x if cache is None else torch.cat([cache, x])
        return cache.sum(0), cache


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


class WithConfig(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.gain = config.gain
        self.fc = nn.Identity()

    def forward(self, x):
        return self.fc(x) * self.gain


def case_with_config(x):
    config = Config()
    config.gain = 4.0
    return WithConfig(config)(x)


class Dropped(nn.Module):
    """Reads the mode, and has no state for all that."""

    def __init__(self):
        super().__init__()
        self.factor = 2.0

    def forward(self, x):
        if self.training:
            return x * self.factor
        return x


def case_mode_only(x):
    model = Dropped()
    a = model(x)
    model.eval()
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
