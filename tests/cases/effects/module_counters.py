"""Numbers that modules keep: steps, flags, best values, schedules that depend on how often forward has run."""

import math

import torch
import torch.nn as nn
from torch import Tensor


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * self.calls


def case_counter(x: Tensor):
    model = Counter()
    return model(x), model(x), model.calls


class Schedule(nn.Module):
    def __init__(self, warmup: int = 2):
        super().__init__()
        self.warmup = warmup
        self.step_count = 0
        self.temperature = 1.0

    def step(self):
        self.step_count += 1
        self.temperature = max(0.5, self.temperature * 0.9)

    def forward(self, x):
        if self.step_count < self.warmup:
            return x
        return x / self.temperature


def case_schedule(x):
    model = Schedule()
    outs = []
    for _ in range(4):
        outs.append(model(x))
        model.step()
    return outs, model.step_count, model.temperature


class Ema(nn.Module):
    """With the correction for a start at zero."""

    def __init__(self, decay=0.9):
        super().__init__()
        self.decay = decay
        self.steps = 0
        self.register_buffer("average", torch.zeros(3))

    def forward(self, x):
        self.steps += 1
        self.average.mul_(self.decay).add_(x.mean(0) * (1 - self.decay))
        return self.average / (1 - self.decay**self.steps)


def case_ema(x, y):
    model = Ema()
    return model(x), model(y), model.steps


class Once(nn.Module):
    """Data-dependent initialisation, as in ActNorm."""

    def __init__(self):
        super().__init__()
        self.register_buffer("initialized", torch.tensor(False))
        self.register_buffer("bias", torch.zeros(3))

    def forward(self, x):
        if not self.initialized:
            self.bias.copy_(-x.mean(0))
            self.initialized.fill_(True)
        return x + self.bias


def case_once(x, y):
    model = Once()
    return model(x), model(y), model.bias, model.initialized


class Flag(nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = False
        self.best = 100.0

    def forward(self, x):
        if not self.ready:
            self.ready = True
            return x
        self.best = min(self.best, x.sum().item())
        return x * 2

    def is_ready(self):
        return self.ready


def case_flag(x, y):
    model = Flag()
    before = 1 if model.is_ready() else 0
    a = model(x)
    b = model(y)
    return before, a, b, 1 if model.is_ready() else 0, model.best


class Positions(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.position = 0
        self.register_buffer("table", torch.arange(float(length * 3)).reshape(length, 3))

    def forward(self, x):
        n = x.shape[0]
        rows = self.table[self.position : self.position + n]
        self.position += n
        return x + rows


def case_positions(x, y):
    model = Positions(8)
    return model(x), model(y), model.position


class Total(nn.Module):
    """A number that becomes a tensor."""

    def __init__(self):
        super().__init__()
        self.total = 0

    def forward(self, x):
        self.total = self.total + x.sum()
        return x


def case_number_becomes_tensor(x, y):
    model = Total()
    model(x)
    model(y)
    return model.total


class Mean(nn.Module):
    """An integer that becomes a float."""

    def __init__(self):
        super().__init__()
        self.value, self.count = 0, 0

    def update(self, x: Tensor):
        self.value += x.mean().item() * len(x)
        self.count += len(x)

    def compute(self):
        return self.value / max(self.count, 1)

    def reset(self):
        self.value = 0
        self.count = 0


def case_metric(x, y):
    metric = Mean()
    metric.update(x)
    metric.update(y)
    first = float(metric.compute())
    metric.reset()
    metric.update(y)
    return first, float(metric.compute()), metric.count


class Annealed(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        self.step += 1
        beta = torch.clamp(self.step / 10, max=1.0)
        return x * beta


def case_annealed(x):
    model = Annealed()
    model(x)
    return model(x), model.step


def case_counter_in_training(x, y):
    model = nn.Sequential(Annealed(), nn.Linear(3, 3, bias=False))
    nn.init.eye_(model[1].weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).sum()
        loss.backward()
        optimizer.step()
    return model[1].weight, model[0].step, loss.item()


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Counter()
        self.log_scale = math.log(2.0)

    def forward(self, x):
        y = self.inner(x)
        return y + self.inner.calls * self.log_scale


def case_read_from_the_module_around(x):
    model = Holder()
    model(x)
    return model(x), model.inner.calls


class Sometimes(nn.Module):
    def __init__(self):
        super().__init__()
        self.hits: int = 0

    def forward(self, x, count: bool = False):
        if count:
            self.hits = self.hits + 1
        return x + self.hits


def case_in_a_branch(x):
    model = Sometimes()
    return model(x), model(x, count=True), model(x, True), model.hits
