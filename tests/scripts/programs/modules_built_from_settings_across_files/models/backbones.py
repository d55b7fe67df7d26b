import torch
from torch import nn
from .builder import BACKBONES


@BACKBONES.register_module()
class Conv(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Linear(3, width)

    def forward(self, x):
        return torch.relu(self.fc(x))


@BACKBONES.register_module(name="tiny")
class Tiny(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(3, width)

    def forward(self, x):
        return torch.tanh(self.fc(x))
