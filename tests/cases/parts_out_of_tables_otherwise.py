"""torch's table of parts, asked for what is no field of a class of the program."""

import torch
from torch import nn


class Path(nn.Sequential):
    def forward(self, x):
        return self._modules["0"](x)  # T2J603


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("fc", nn.Linear(4, 4))
        self.path = Path(nn.Linear(4, 4))
        self.body = nn.Sequential(nn.Linear(4, 4))

    def forward(self, x, name: str):
        x = self._modules["fc"](x)
        x = self._modules[name](x)  # T2J603
        return self.path(self.body._modules["0"](x))  # T2J603


print(Net()(torch.ones(2, 4), "fc"))
