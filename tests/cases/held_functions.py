from dataclasses import dataclass
from functools import partial

import torch
import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, fn, scale=1.0):
        super().__init__()
        self.fn = fn
        self.scale = scale

    def forward(self, x):
        return x + self.scale * self.fn(x)


class Helper:
    def __init__(self, net):
        self.net = net

    def __call__(self, x):
        return self.net(x)


def double(x):
    return 2 * x


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.scaled = partial(self.times, factor=2.0)  # T2J611
        self.bilinear = partial(self.fc)  # T2J611
        self.chosen = {"one": self.one, "two": double}[kind]  # T2J611
        self.helper = Helper(self.fc)
        self.plain = partial(torch.mul, 2)
        self.double = double
        self.first = Residual(lambda x: self.fc(x))  # T2J611
        self.second = Residual(fn=self.one)  # T2J611
        self.third = Residual(double)
        self.fourth = Residual(self.fc)

    def one(self, x):
        return self.fc(x)

    def times(self, x, factor):
        return self.fc(x) * factor

    def forward(self, x):
        return self.third(self.double(self.plain(x)))


class Pair:
    def __init__(self, mean, spread):
        self.mean = mean
        self.spread = spread

    def widen(self):
        self.spread = self.spread + 1


class Fixed:
    def __init__(self, mean, spread):
        self.mean = mean
        self.spread = spread


@dataclass
class Both:
    mean: torch.Tensor
    spread: torch.Tensor


class Spread(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(3))
        self.spread = nn.Parameter(torch.ones(3))
        self.changing = Pair(self.mean, self.spread)  # T2J611
        self.fixed = Fixed(self.mean, self.spread)
        self.both = Both(self.mean, self.spread)
        self.listed = [Fixed(self.mean, self.spread), Fixed(self.mean, 1.0)]  # T2J611
        self.named = {"one": Both(self.mean, self.spread)}  # T2J611
        mean = nn.Parameter(torch.zeros(3))
        self.made = Fixed(mean, 2.0)  # T2J611

    def forward(self, x):
        return self.fixed.mean + self.both.spread * x
