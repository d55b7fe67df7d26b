import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, dim, scale=None, **options):
        super().__init__()
        self.fc = nn.Linear(dim, 2)
        self.scale = scale
        self.shift = options.get("shift")

    def forward(self, x):
        y = self.fc(x)
        if self.scale is not None:
            y = y * self.scale
        return y if self.shift is None else y + self.shift


class Configured(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.factor = cfg.factor

    def forward(self, x):
        y = self.fc(x)
        return y if self.factor is None else y * self.factor
