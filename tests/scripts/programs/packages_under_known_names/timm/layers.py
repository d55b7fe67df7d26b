import torch
from torch import nn


class DropPath(nn.Module):
    """Halves what it is given: a layer of the program's own, whatever a library of that name has."""

    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.scale = nn.Parameter(torch.full((1,), 0.5))

    def forward(self, x):
        return x * self.scale * self.rate
