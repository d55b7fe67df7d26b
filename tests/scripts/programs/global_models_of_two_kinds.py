# also: nnx, linen
"""A model of one of two kinds that a function binds by `global`, and others change."""

import torch
from torch import nn


def build(kind):
    global net
    if kind == "a":
        net = nn.Linear(3, 2)
    elif kind == "b":
        net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    fill()


def fill():
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.5)


def halve():
    with torch.no_grad():
        for p in net.parameters():
            p.mul_(0.5)


def named():
    return [(n, p.sum().item()) for n, p in net.named_parameters()]


class User:
    def __call__(self, x):
        return net(x).sum().item()


x = torch.ones(2, 3)
for kind in ("a", "b"):
    build(kind)
    print(User()(x))
    halve()
    print(User()(x), named())
    print(net(x).sum().item())
