# also: nnx, linen
"""Modules with several bases: one of the library, and classes of the program that are modules themselves or no modules."""

from abc import abstractmethod

import torch
import torch.nn as nn


class TimedBlock(nn.Module):
    @abstractmethod
    def forward(self, x, emb):
        """Apply the module to `x` with an embedding of time."""


class TimedSequential(nn.Sequential, TimedBlock):
    def forward(self, x, emb):
        for layer in self:
            x = layer(x, emb) if isinstance(layer, TimedBlock) else layer(x)
        return x


class Shift(TimedBlock):
    def __init__(self, dim, emb_dim):
        super().__init__()
        self.proj = nn.Linear(emb_dim, dim)

    def forward(self, x, emb):
        return x + self.proj(emb)


class Describes:
    def describe(self):
        return f"{type(self).__name__}: {sum(p.numel() for p in self.parameters())}"


class Named(nn.Module, Describes):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return torch.tanh(self.fc(x))


class DescribedFirst(Describes, nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, 2)

    def forward(self, x):
        return self.fc(x)


class Encoder(nn.Module):
    def encode(self, x):
        return x * 2


class ListedEncoders(nn.ModuleList, Encoder):
    def forward(self, x):
        for layer in self:
            x = layer(self.encode(x))
        return x


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return model


x = torch.cos(torch.arange(12.0)).view(4, 3)
emb = torch.sin(torch.arange(20.0)).view(4, 5)
net = fill(TimedSequential(nn.Linear(3, 4), Shift(4, 5), nn.ReLU(), nn.Linear(4, 2)))
print(net(x, emb).sum().item(), len(net), isinstance(net, TimedBlock))
named = fill(Named(3))
print(named(x).sum().item(), named.describe())
other = fill(DescribedFirst(3))
print(other(x).sum().item(), other.describe())
listed = fill(ListedEncoders([nn.Linear(3, 3), nn.Linear(3, 2)]))
print(listed(x).sum().item(), len(listed))
