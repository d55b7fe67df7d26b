# also: nnx
"""Loops that give the parts of a module to functions that change them, some with more arguments, by names, or all that is below."""

import torch
from torch import nn


def fill(m, value=0.5):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, value)


def fill_below(m):
    for parameter in m.parameters():
        nn.init.constant_(parameter, 0.5)


def given_a_value(model: nn.Sequential):
    for m in model.modules():
        fill(m, 0.3)


def by_names(model: nn.Sequential):
    for name, m in model.named_modules():
        fill(m)


def some_of_them(model: nn.Sequential):
    for m in model.modules():
        if isinstance(m, nn.Linear):
            fill(m)


def those_below(model: nn.Sequential):
    for m in model.modules():
        fill_below(m)


def counted(model: nn.Sequential):
    return sum(isinstance(m, nn.Linear) for m in model.modules())


net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Sequential(nn.Linear(2, 3)))
those_below(net)
print(net(torch.ones(1, 2)).sum().item())
given_a_value(net)
by_names(net)
some_of_them(net)
those_below(net)
print(counted(net), net(torch.ones(1, 2)).sum().item())
