import torch
from torch import nn


class Small(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(size, 2)
        self.scale = nn.Parameter(torch.randn(2))

    def forward(self, x):
        return self.fc(x) * self.scale


class Deep(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 3), nn.Tanh(), nn.Linear(3, 2))

    def forward(self, x):
        return self.body(x)
