import torch
from torch import nn


class Noise(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.full((1, width), 0.5))
        self.noise = None

    def forward(self, x):
        noise = self.noise if self.noise is not None else torch.ones_like(x) * 0.1
        return x + self.weight * noise


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        nn.init.constant_(self.fc.weight, 0.3)
        nn.init.constant_(self.fc.bias, 0.1)
        self.parts = nn.ModuleList([Noise(4) for _ in range(2)])
        self.mask = None

    def forward(self, x):
        y = self.fc(x)
        for part in self.parts:
            y = part(y)
        if self.mask is not None:
            y = y * self.mask
        return y
