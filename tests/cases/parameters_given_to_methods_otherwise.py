"""Methods that change the parameters which they are given, and that a class derived from theirs has otherwise."""

import torch
from torch import nn


class Base:
    def blend(self, targets, params):
        with torch.no_grad():
            for t, p in zip(targets, params):
                t.copy_(t * 0.5 + p * 0.5)  # T2J303

    def learn(self, target, net):
        self.blend(target.parameters(), net.parameters())


class Other(Base):
    def blend(self, targets, params):
        with torch.no_grad():
            for t, p in zip(targets, params):
                t.copy_(p)  # T2J303


Base().learn(nn.Linear(2, 1), nn.Linear(2, 1))
Other().learn(nn.Linear(2, 1), nn.Linear(2, 1))
