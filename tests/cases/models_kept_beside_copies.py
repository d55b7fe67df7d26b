"""What an object keeps of a model that it is given, and a copy of it: a field that is asked for nothing says nothing of it."""

from copy import deepcopy

import torch
from torch import nn


class Keeper:
    def __init__(self, thing):
        self.first = deepcopy(thing)
        self.thing = thing

    def reset(self):
        self.thing.load_state_dict(self.first.state_dict())

    def count(self):
        return sum(p.numel() for p in self.first.parameters())


net = nn.Linear(2, 2)
keeper = Keeper(net)  # T2J303
with torch.no_grad():
    net.weight.mul_(3)
print(net(torch.ones(1, 2)).sum().item(), keeper.count())
keeper.reset()
print(keeper.first(torch.ones(1, 2)).sum().item())


def make(model):
    return Keeper(model)
