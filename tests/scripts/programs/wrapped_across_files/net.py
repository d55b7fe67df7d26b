"""A model that another file wraps."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.tensor([0.5, -1.0]))

    def forward(self, x):
        return torch.sin(self.a * x).sum()
