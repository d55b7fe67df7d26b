# also: nnx, linen
"""Functions that make parts, which modules are given or choose where other makers are classes and partial."""

from functools import partial

import torch
from torch import nn


class Identity(nn.Module):
    def forward(self, x):
        return x


class Wide(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.LayerNorm(width)

    def forward(self, x):
        return self.fc(x)


def maker(kind):
    if kind == "norm":
        return partial(nn.LayerNorm, eps=1e-3)

    def none(width):
        return Identity()

    def small(width):
        return nn.Sequential(nn.LayerNorm(width), nn.ReLU())

    return none if kind == "none" else small


MAKERS = {"norm": maker("norm"), "none": maker("none"), "small": maker("small"), "wide": Wide}


class Net(nn.Module):
    def __init__(self, width, make):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(2, width), make(width))
        self.more = nn.ModuleList([make(width) for _ in range(2)])

    def forward(self, x):
        x = self.first(x)
        for layer in self.more:
            x = x + layer(x)
        return x


class Chosen(nn.Module):
    def __init__(self, kind, width=3):
        super().__init__()
        self.part = MAKERS[kind](width)

    def forward(self, x):
        return self.part(x)


def fill(net):
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_((torch.arange(p.numel()) * 0.7 + number).sin().view_as(p))


x = torch.linspace(-1, 1, 12)
for kind in ("norm", "none", "small"):
    net = Net(3, maker(kind))
    fill(net)
    print(kind, len(list(net.parameters())), net(x.view(6, 2)).sum().item())
for kind in MAKERS:
    net = Chosen(kind)
    fill(net)
    print(kind, len(list(net.parameters())), net(x.view(4, 3)).sum().item())
