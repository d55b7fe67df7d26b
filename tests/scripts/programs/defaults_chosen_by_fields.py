# also: nnx, linen
"""Defaults chosen by a field of what is given, in a function whose parameter has the name of that field."""

import torch
import torch.nn as nn


class Box:
    def __init__(self, value):
        self.value = value
        self.out = None


def choose(value, make):
    return value.value if value.value is not None else make()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x, out):
        return choose(out, lambda: self.norm(x))


n = Net()
x = torch.linspace(-1, 1, 6).reshape(2, 3)
print(n(x, Box(None)).tolist(), n(x, Box(x)).tolist())
