import torch
import torch.nn as nn

from .utils import register


@register("small")
class Small(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(3, n)

    def forward(self, x):
        return self.fc(x)


@register("deep")
class Deep(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a, self.b = nn.Linear(3, 4), nn.Linear(4, n)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))
