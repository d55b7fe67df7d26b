# flagged: T2J302
"""A slice that begins with an activation in place changes what the slice before has made, and somebody keeps that."""

import torch
import torch.nn as nn


def make_layers(sizes):
    layers = []
    n = 3
    for size in sizes:
        layers += [nn.Conv2d(n, size, 3, padding=1), nn.ReLU(inplace=True)]
        n = size
    return nn.Sequential(*layers)


class Slices(nn.Module):
    def __init__(self):
        super().__init__()
        features = make_layers([4, 5, 6])
        self.slice1 = nn.Sequential()
        self.slice2 = nn.Sequential()
        for x in range(1):
            self.slice1.add_module(str(x), features[x])
        for x in range(1, 4):
            self.slice2.add_module(str(x), features[x])

    def forward(self, x):
        h = self.slice1(x)
        first = h
        return first, self.slice2(h)


first, second = Slices()(torch.ones(1, 3, 8, 8))
print(first.min().item() >= 0, second.shape)
