"""The tables in which torch keeps the parts of a module are not those of the translation."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU())

    def forward(self, x, key):
        for name, module in self.body._modules.items():
            x = module(x)
        return self._modules[key](x)  # T2J603


def layers(net: Net):
    return len(net._modules)  # T2J603


def names(net: Net):
    return list(net._parameters)  # T2J603
