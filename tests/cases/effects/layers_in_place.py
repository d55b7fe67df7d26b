"""Layers that are made with `inplace=True` change nothing when they are made, whatever their other arguments."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, slope=0.2):
        super().__init__()
        self.act = nn.LeakyReLU(slope, inplace=True)
        self.main = nn.Sequential(
            nn.Linear(3, 4), nn.LeakyReLU(0.2, inplace=True), nn.Linear(4, 2), nn.ELU(1.0, inplace=True)
        )
        self.rest = nn.ModuleList([nn.Hardtanh(-1.0, 1.0, inplace=True), nn.Threshold(0.1, slope, inplace=True)])
        for p in self.parameters():
            p.data.fill_(0.25)

    def forward(self, x):
        x = self.act(self.main(x))
        for layer in self.rest:
            x = layer(x)
        return x


def make(slope):
    return nn.LeakyReLU(slope, inplace=True)


def case_layers(x):
    return Net()(x)


def case_made_by_a_function(x):
    slope = 0.3
    layer = make(slope)
    return layer(x * 1), slope


def case_function_with_another_argument(x):
    x = x * 1
    F.leaky_relu(x, 0.2, inplace=True)
    return x
