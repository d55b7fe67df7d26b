import torch
from torch import Tensor


def displayed(x: Tensor, p: Tensor):
    x = x * 2
    total = 0
    for b in (p, x):
        total = total + b.sum()
        x[1] += 1  # T2J301
    return x, total


def listed(x: Tensor, p: Tensor):
    x = x * 2
    items = [p, x]
    total = 0
    for b in items:
        total = total + b.sum()
        x[1] += 1  # T2J301
    return x, total


def paired(x: Tensor, p: Tensor):
    x = x * 2
    total = 0
    for a, b in zip(p, (x, x, x)):
        total = total + a * b.sum()
        x[1] += 1  # T2J301
    return x, total


def named(x: Tensor, p: Tensor):
    x = x * 2
    total = 0
    for b in {"a": x, "b": p}.values():
        total = total + b.sum()
        x[1] += 1  # T2J301
    return x, total


def sliced(x: Tensor):
    x = x * 2
    total = 0
    for b in x[1:]:
        total = total + b.sum()
        x[1] += 1  # T2J301
    return x, total


def computed(x: Tensor):
    step = lambda q: x - 2 * x + q
    x = step(x)
    for b in x:
        if b:
            break
        x[1] += 2.25  # T2J301
    return x


def captured(x: Tensor):
    x = x * 2
    give = lambda: x
    y = give()
    y += 1  # T2J301
    return x, y


def copied(x: Tensor, p: Tensor):
    x = x * 2
    for i, b in enumerate(x.clone()):
        x[i] = b + 1
    for b in (p, x * 3):
        x[1] += b.sum()
    for i in range(len(x)):
        x[i] = 2 * x[i]
    return x


def rows(x: Tensor):
    x = x * 2
    total = 0
    for b in x:
        total = total + b.sum()
        x[1] += 1
    return x, total


class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.zeros(4, 3))

    def forward(self, x: Tensor):
        for i, row in enumerate(self.rows):
            self.rows[i] = row + x
        return x
