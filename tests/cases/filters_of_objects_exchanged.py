"""Parts that an object has by name and in a container, which are not the same ones for good."""

import torch
from torch import nn


class Exchanged:
    def __init__(self):
        self.conv = nn.Conv2d(3, 3, 1)
        self.net = nn.Sequential(nn.ReLU(), self.conv)  # T2J303

    def exchange(self):
        self.net[1] = nn.Conv2d(3, 3, 1)

    def fill(self, kernel):
        self.conv.weight.data.copy_(kernel)
        return self.net(kernel)


class Renamed:
    def __init__(self):
        self.conv = nn.Conv2d(3, 3, 1)
        self.net = nn.Sequential(nn.ReLU(), self.conv)  # T2J303

    def exchange(self):
        self.conv = nn.Conv2d(3, 3, 1)

    def fill(self, kernel):
        self.conv.weight.data.copy_(kernel)
        return self.net(kernel)


for made in (Exchanged(), Renamed()):
    print(made.fill(torch.ones(3, 3, 1, 1)).shape)
