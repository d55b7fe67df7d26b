# also: nnx
"""Namespaces that stand for modules of functions: lambdas in them make networks, and functions have names of their own."""

from types import SimpleNamespace

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(3, width)
        self.head = nn.Linear(width, 5)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def scaled(x, factor=2.0):
    return x * factor


library = SimpleNamespace(
    models=SimpleNamespace(small=lambda wide=False: Net(8 if wide else 4)), ops=SimpleNamespace(scaled=scaled)
)
options = SimpleNamespace(width=6, make=Net, rate=0.5)


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = library.models.small(wide=True)
        self.net.head = nn.Identity()

    def forward(self, x):
        return library.ops.scaled(self.net(x), factor=options.rate)


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 1.3 + number).reshape(p.shape))
    return model


x = torch.sin(torch.arange(6.0)).reshape(2, 3)
print(fill(Wrapped())(x).sum().item())
other = fill(options.make(options.width))
print(other(x).sum().item(), library.ops.scaled(x).sum().item())
