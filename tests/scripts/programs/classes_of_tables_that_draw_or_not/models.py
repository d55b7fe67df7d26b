import torch
from torch import nn
from registry import LOSSES, MODELS, register


@register(MODELS)
class Small(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(3, width)

    def forward(self, x):
        return torch.tanh(self.fc(x)).sum(1)


@register(LOSSES)
class Weighted(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight

    def forward(self, out, y):
        return self.weight * (out - y).pow(2).mean()
