import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return self.fc(x)


class Derived(Base):
    def __init__(self, width: int):
        super().__init__(width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(torch.relu(super().forward(x)))
