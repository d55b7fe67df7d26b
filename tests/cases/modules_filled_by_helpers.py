"""Loops that give the parts of a module to functions that change them, in ways that `apply` does not have."""

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
        fill(m, 0.3)  # T2J303


def by_names(model: nn.Sequential):
    for name, m in model.named_modules():
        fill(m)  # T2J303


def some_of_them(model: nn.Sequential):
    for m in model.modules():
        if isinstance(m, nn.Linear):
            fill(m)  # T2J303


def those_below(model: nn.Sequential):
    for m in model.modules():
        fill_below(m)  # T2J303


def counted(model: nn.Sequential):
    return sum(isinstance(m, nn.Linear) for m in model.modules())


net = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
given_a_value(net)
by_names(net)
some_of_them(net)
those_below(net)
print(counted(net), net(torch.ones(1, 2)))


def fill_all(net, value):
    for p in net.parameters():
        nn.init.constant_(p, value)


class FilledAgain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.reset()

    def reset(self):
        fill_all(self, 0.5)  # T2J606

    def forward(self, x):
        return self.fc(x)


again = FilledAgain()
again.reset()
