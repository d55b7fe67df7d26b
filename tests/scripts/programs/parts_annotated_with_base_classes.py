# also: nnx, linen
"""Parts that are told apart by base classes, asked for or annotated, whose subclasses draw, keep state, or do neither."""

import abc
from typing import List

import torch
import torch.nn as nn


class Layer(nn.Module):
    def forward(self, x):
        return x * 2


class Dropped(Layer):
    def __init__(self, p):
        super().__init__()
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.drop(x) + 1


class Counted(Layer):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)

    def forward(self, x):
        return self.norm(x)


class Block(nn.Module):
    def scale(self, x):
        return x * 3


class Conditioned(Block, abc.ABC):
    @abc.abstractmethod
    def forward(self, x, c): ...


class Shifted(Conditioned):
    def __init__(self, dim, p):
        super().__init__()
        self.fc = nn.Linear(2, dim)
        self.drop = nn.Dropout(p)

    def forward(self, x, c):
        return self.scale(x) + self.drop(self.fc(c))


class Run(nn.Module):
    def __init__(self, layers: List[Layer], last: Layer):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.last = last

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.last(x)


class Mixed(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)

    def forward(self, x, c):
        for part in self.parts:
            if isinstance(part, Conditioned):
                x = part(x, c)
            elif isinstance(part, (Layer, nn.Linear)):
                x = part(x)
            elif isinstance(part, Block):
                x = part.scale(x)
        return x


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return model


x = torch.cos(torch.arange(12.0)).view(4, 3)
c = torch.sin(torch.arange(8.0)).view(4, 2)
run = fill(Run([Dropped(0.0), Layer(), Counted(3)], Layer()))
out = run(x)
print(out.sum().item(), out.abs().sum().item())
run.eval()
out = run(x)
print(out.sum().item())
mixed = fill(Mixed(Shifted(3, 0.0), nn.Linear(3, 3), Dropped(0.0), Block(), Counted(3), Layer()))
out = mixed(x, c)
print(out.sum().item(), out.abs().sum().item())
mixed.eval()
out = mixed(x, c)
print(out.sum().item())
seen = set()
noisy = fill(Mixed(Shifted(3, 0.5), Layer()))
for _ in range(20):
    out = noisy(x, c)
    seen.add(tuple(out.flatten().tolist()))
print(len(seen) > 5)
