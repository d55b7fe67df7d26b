import torch
from torch import nn


class Total:
    def __init__(self):
        self.total = torch.zeros(3)
        self.log = []

    def give(self, x):
        return self.total.add_(x)

    def keep(self, x):
        self.log.append(self.total.add_(x))  # T2J303


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(2))

    def forward(self, x):
        n = self.count.add_(1)
        self.count.add_(1)  # T2J301
        return x * n


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(c, c))

    def forward(self, x):
        return self.body(x) + x  # T2J300 T2J300


total = Total()
first = total.give(torch.ones(3))
second = total.give(torch.ones(3))  # T2J303
print(first, second)
block = Block(4)
h = torch.arange(8.0).reshape(2, 4) - 4
print(block(h) + h)
