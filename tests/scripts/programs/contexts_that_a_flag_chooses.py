# also: linen
"""Contexts with gradients or without, that a flag chooses: their classes or the contexts, in variables or where they are entered."""

from contextlib import nullcontext

import torch as th
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 4)
        self.last = nn.Linear(4, 2)
        for number, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (number + 1))

    def forward(self, x, freeze_first=False, freeze_second=False):
        first_context = th.no_grad if freeze_first else nullcontext
        second_context = nullcontext() if not freeze_second else th.no_grad()

        with first_context():
            hidden = self.first(x)
            parts = [hidden, hidden * 2]

        with second_context:
            hidden = self.second(parts[1].tanh())

        return self.last(hidden + parts[0])


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(th.tensor([1.0, 2.0]))

    def forward(self, x, steps):
        context = th.inference_mode if steps > 1 else nullcontext
        with context():
            y = self.scale * x
        with context():
            z = self.scale**2 * x
        total = y + z
        for step in range(steps):
            with th.no_grad() if step < steps - 1 else th.enable_grad():
                part = self.scale * (step + 1.0)
            total = total + part
        return total


def stepped(model, *args):
    optimizer = th.optim.SGD(model.parameters(), lr=0.01)
    optimizer.zero_grad()
    loss = model(*args).sum()
    loss.backward()
    optimizer.step()
    return [round(p.sum().item(), 4) for p in model.parameters()]


x = th.arange(6.0).reshape(2, 3) / 5
for first in (False, True):
    for second in (False, True):
        print(first, second, stepped(Net(), x, first, second))
for steps in (1, 2, 3):
    print(steps, stepped(Twice(), x[:, :2], steps))
