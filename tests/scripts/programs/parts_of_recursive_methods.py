# flagged: T2J601, T2J603, also: nnx, linen
"""Parts that a method sets by names which it computes, level by level, by calling itself."""

import torch
import torch.nn as nn


class Pyramid(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.depth = depth
        self.grow(depth)
        self.branch("left", depth)

    def grow(self, level):
        self.add_module("up" + str(level), nn.Linear(4, 4))
        if level > 1:
            self.grow(level - 1)
        else:
            self.add_module("plus" + str(level), nn.Linear(4, 4))
        self.add_module("down" + str(level), nn.Linear(4, 4))

    def branch(self, side, level):
        setattr(self, f"{side}{level}", nn.Linear(4, 4))
        if level > 1:
            self.other(side, level - 1)

    def other(self, side, level):
        setattr(self, f"{side}_side{level}", nn.Linear(4, 4))
        if level > 1:
            self.branch(side, level - 1)

    def forward(self, x):
        for level in range(self.depth, 0, -1):
            x = torch.tanh(self._modules["up" + str(level)](x))
        x = self._modules["plus1"](x)
        for level in range(1, self.depth + 1):
            x = torch.tanh(self._modules["down" + str(level)](x))
        return x


for depth in (1, 2, 4):
    net = Pyramid(depth)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.fill_(0.1)
    print(callable(net.grow), net(torch.ones(2, 4)).sum().item(), sorted(name for name, _ in net.named_parameters()))
