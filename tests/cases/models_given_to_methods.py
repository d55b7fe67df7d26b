"""Methods that run a model which they are given: it is no part of their module, with whose state it would run."""

import torch
from torch import nn


def run(layer, x):
    return layer(x) * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x, other=None):
        return self.norm(x) if other is None else self.norm(x) - other(x)

    def distill(self, teacher, x):
        return run(teacher, x) - self(x)

    def soften(self, teacher, x):
        return self.distill(teacher, x) / 2

    def gap(self, teacher, x):
        distance = sum((p - q).abs().sum() for p, q in zip(self.parameters(), teacher.parameters()))
        return self(x).sum() + distance


net, teacher = Net(), Net()
x = torch.ones(4, 3)
print(net(x, net.norm).sum(), net.gap(teacher, x))
print(net(x, teacher).sum())  # T2J303
print(net.distill(teacher, x).sum())  # T2J303
print(net.soften(teacher, x).sum())  # T2J303
