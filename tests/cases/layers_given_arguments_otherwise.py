"""Layers with arguments given before, where a call of the name would not have the same arguments, or the name is handed on."""

from functools import partial

import torch
from torch import nn


class Net(nn.Module):
    wide = partial(nn.Conv2d, kernel_size=1)  # T2J205

    def __init__(self, sizes: list[int]):
        super().__init__()
        layers = []
        for size in sizes:
            if size > 1:
                layers.append(conv(3, 3))
            conv = partial(nn.Conv2d, kernel_size=size)  # becomes a function, which can be handed on
        other = partial(nn.Conv2d, kernel_size=len(sizes))  # T2J205
        layers.append(other(3, 3))  # T2J205
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


print(Net([1, 3])(torch.ones(1, 3, 5, 5)).shape)
