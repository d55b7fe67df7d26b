"""Wrappers of methods that give the module another field: Equinox's modules take none."""

from functools import wraps

import torch
from torch import nn


def counted(fn):
    @wraps(fn)
    def wrapper(self, x):
        self.calls += 1
        return fn(self, x)

    return wrapper


def cached(field):
    def inner(fn):
        @wraps(fn)
        def wrapper(self, x):
            y = fn(self, x)
            setattr(self, field, y)
            return y

        return wrapper

    return inner


def doubled(fn):
    @wraps(fn)
    def wrapper(self, x):
        y = fn(self, x)
        return 2 * y

    return wrapper


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.last = None
        self.head = nn.Linear(2, 2)

    @counted  # T2J606
    def forward(self, x):
        return self.encode(x)

    @cached("last")  # T2J606
    def encode(self, x):
        return self.head(x)


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)

    @doubled
    def forward(self, x):
        return self.head(x)


print(Net()(torch.ones(1, 2)).shape)
