# flagged: T2J300
"""Modules of which it cannot be seen whether they change what they are given, and callers that look at it again."""

import sys

import torch
import torch.nn as nn

flag = len(sys.argv) > 7


class Net(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.act = nn.ReLU(inplace=inplace)

    def forward(self, x):
        return self.act(x)


class Layers(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Begun(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(2, 2, bias=False))

    def forward(self, x):
        return self.net(x)


def make(n):
    layers = []
    for i in range(n):
        if i > 0:
            layers.insert(len(layers), nn.ReLU(inplace=True))
        layers.insert(len(layers), nn.Linear(2, 2, bias=False))
    return layers


for net in (Net(flag), Layers(make(2)), Begun()):
    for p in net.parameters():
        p.data = torch.eye(2) * 2
    x = torch.tensor([-1.0, 2.0])
    y = net(x)
    print(x, y)
