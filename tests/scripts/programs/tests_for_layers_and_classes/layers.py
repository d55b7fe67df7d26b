import torch
from torch import nn


class HalvedLinear(nn.Linear):
    def forward(self, x):
        return super().forward(x) * 0.5


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = HalvedLinear(3, 4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(torch.relu(self.first(x)))
