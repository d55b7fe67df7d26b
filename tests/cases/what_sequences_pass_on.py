"""What a sequence of parts gives may be what it was given, where each of them may hand that on."""

import torch
from torch import nn


class Same(nn.Module):
    def forward(self, x):
        return x


class Scaled(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by

    def forward(self, x):
        if self.by == 1:
            return x
        return x * self.by


class Kept(nn.Module):
    def forward(self, x):
        y = x + 1
        self.last = y
        return y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.same = nn.Sequential(Same(), Scaled(1))
        self.kept = nn.Sequential(Kept(), nn.Identity())
        self.listed = nn.Sequential(*[Scaled(1) for _ in range(2)])
        self.inner = nn.Sequential(*[nn.Sequential(Scaled(1)) for _ in range(2)])
        self.last = nn.Sequential(*[nn.Linear(2, 2), Scaled(1)])
        self.fine = nn.Sequential(Same(), nn.Linear(2, 2), nn.ReLU(True))

    def forward(self, x):
        first = x * 2
        a = self.same(first)
        a += 1  # T2J301
        second = x * 3
        b = self.kept(second)
        b += 1  # T2J301
        third = x * 4
        c = self.listed(third)
        c += 1  # T2J301
        fourth = x * 5
        d = self.fine(fourth)
        d += 1
        fifth = x * 6
        e = self.inner(fifth)
        e += 1  # T2J301
        f = self.last(fifth * 2)
        f += 1
        return e, f, fifth, first, second, third, fourth, a, b, c, d


print(Net()(torch.ones(2)))
