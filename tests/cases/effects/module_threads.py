"""The state of modules on its way: through functions, several models, other signatures, and code around modules."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class Counter(nn.Module):
    def __init__(self, start: int = 0):
        super().__init__()
        self.count = start
        self.register_buffer("seen", torch.zeros(3))

    def forward(self, x: Tensor):
        self.count += 1
        self.seen += x.sum(0)
        return x + self.seen


def case_written_from_outside(x):
    model = Counter()
    model(x)
    model.count = 10
    model.seen[0] = 5.0
    model.seen.mul_(2)
    return model(x), model.count, model.seen


def build(start: int) -> Counter:
    model = Counter(start)
    model.eval()
    return model


def case_built_by_a_function(x):
    model = build(3)
    return model(x), model.count


def case_two_models(x, y):
    first, second = Counter(), Counter(5)
    a = first(second(x))
    b = second(y)
    return a, b, first.count, second.count


def warm_up(model: Counter, x: Tensor, times: int):
    for _ in range(times):
        model(x)


def case_changed_by_a_function(x):
    model = Counter()
    warm_up(model, x, 3)
    return model.count, model.seen


def describe(model: Counter) -> str:
    return f"{model.count} calls"


def case_described(x):
    model = Counter()
    model(x)
    return len(describe(model))


class Keyword(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = 0.0

    def forward(self, x: Tensor, *, scale: float = 1.0):
        self.total += scale
        return x * scale * self.total

    def add(self, amount: float = 1.0):
        self.total += amount


def case_keyword(x):
    model = Keyword()
    a = model(x=x)
    b = model(x, scale=2.0)
    model.add()
    model.add(amount=3.0)
    return a, b, model.total


class Optional(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(2, 3))

    def forward(self, x=None):
        if x is not None:
            self.last = self.last + x
        return self.last * 2


def case_optional(x):
    model = Optional()
    a = model(x)
    b = model()
    return a, b


class Several(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(2, 3))

    def forward(self, *inputs):
        self.last = self.last + inputs[0]
        return sum(inputs) + self.last


def case_star(x, y):
    model = Several()
    return model(x, y), model(x)


class Loud(Counter):
    def forward(self, x: Tensor):
        y = super().forward(x)
        self.count += 10
        return y * 2


def case_super(x):
    model = Loud()
    return model(x), model.count


class Mixed(nn.Module):
    """State of its own, of layers, and randomness."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(0.5)
        self.counter = Counter()
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        return self.counter(self.drop(self.norm(x)))


def case_mixed(x):
    model = Mixed()
    model.eval()
    return model(x), model.steps, model.counter.count, model.norm.running_mean


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"a": Counter(), "b": Counter(2)})

    def forward(self, x, name: str):
        return self.parts[name](x)


def case_module_dict(x):
    model = Table()
    a = model(x, "a")
    b = model(x, "b")
    return a, b, model.parts["b"].count


@torch.no_grad()
def evaluate(model: Counter, batches: list[Tensor]):
    model.eval()
    total = 0.0
    for batch in batches:
        total += model(batch).sum().item()
    return total


def case_evaluation(x, y):
    model = Counter()
    total = evaluate(model, [x, y])
    return total, model.count


class Lazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.mask = None
        self.last = None

    def forward(self, x):
        if self.mask is None:
            self.mask = torch.ones(x.shape[0], x.shape[0]).tril()
        self.last = self.mask @ (x * self.weight)
        return self.last


def case_lazy_in_training(x, y):
    model = Lazy()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return model.weight, model.last.detach()


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0
        self.calls = 0

    def forward(self, x):
        def scaled(v):
            return v * self.scale + self.calls

        self.calls += 1
        return scaled(x)


def case_read_by_an_inner_function(x):
    model = Inner()
    return model(x), model(x)


class Helped(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))

    def _update(self, x):
        if not self.training:
            return self.mean
        self.mean = 0.5 * self.mean + 0.5 * x.mean(0)
        return self.mean

    def forward(self, x):
        mean = self._update(x)
        return x - mean


def case_result_and_state(x):
    model = Helped()
    a = model(x)
    model.eval()
    return a, model(x)


class Loops(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("trace", torch.zeros(4))
        self.position = 0

    def forward(self, x):
        for row in x:
            self.trace[self.position] = row.sum()
            self.position = (self.position + 1) % 4
        while self.position > 1:
            self.position -= 1
        return self.trace.clone()


def case_loops(x):
    model = Loops()
    return model(x), model(x), model.position
