# also: nnx, linen
"""Numbers that methods work out again for each part that they make are fields as any others."""

import torch
from torch import nn


class Block(nn.Module):
    expansion = 2

    def __init__(self, width, cardinality):
        super().__init__()
        self.fc = nn.Linear(width, width * cardinality)

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self, block, depth, cardinality, width):
        super().__init__()
        self.in_planes = 4
        self.cardinality = cardinality
        self.width = width
        self.layer1 = self._make(block, depth)
        self.layer2 = self._make(block, depth)

    def _make(self, block, depth):
        layers = []
        for _ in range(depth):
            layers.append(block(self.in_planes, self.cardinality))
            self.in_planes = block.expansion * self.cardinality * self.width
        self.width *= 2
        return nn.Sequential(*layers)

    def forward(self, x):
        return self.layer2(self.layer1(x))


def net(depth):
    return Net(Block, depth, 1, 2)


print([tuple(p.shape) for p in net(1).parameters()])
