"""A parameter of some modules of a class, and a tensor that torch neither trains nor saves of others."""

import torch
from torch import nn


class Shifted(nn.Module):
    def __init__(self, learn=True):
        super().__init__()
        if learn:
            self.shift = nn.Parameter(torch.zeros(4))  # T2J601
        else:
            self.shift = torch.zeros(4)

    def forward(self, x):
        return x + self.shift
