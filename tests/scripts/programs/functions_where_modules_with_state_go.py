# also: nnx
"""Functions and lambdas are given where other calls give a model with state, also from functions within functions."""

import torch
import torch.nn as nn


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.bn = nn.BatchNorm1d(2)
        nn.init.constant_(self.lin.weight, 0.3)
        nn.init.constant_(self.lin.bias, 0.1)

    def forward(self, t, x):
        return self.bn(self.lin(x))


def solve(f, x, n):
    for t in range(n):
        x = x + 0.1 * f(t, x)
    return x


def with_lambda(y0):
    double = lambda t, y: torch.sin(y) * 2 + t
    print(solve(double, y0, 3).sum().item())

    def inner(b):
        return solve(double, b, 2).sum().item()

    return [inner(y0), inner(y0 + 1)]


def with_function(y0):
    def double(t, y):
        return y * 2 + t

    def inner(b):
        return solve(double, b, 2).sum().item()

    return inner(y0)


y0 = torch.arange(6.0).reshape(3, 2)
print(with_lambda(y0), with_function(y0))
net = Field()
print(solve(net, y0, 2).sum().item())
print(net.bn.running_mean.sum().item())
