import torch
from torch import nn


class Total:
    def __init__(self):
        self.total = torch.zeros(3)
        self.log = []
        self.count = 0

    def give(self, x):
        return self.total.add_(x)

    def keep(self, x):
        self.log.append(self.total.add_(x))  # T2J303

    def push(self, x):
        self.count = 1 + len(self.log)
        return self.total * x

    def both(self, x, first):
        return self.count + (self.push(x).mul_(2) if first else x).sum() + (x.mul_(3) if first else x)  # T2J302


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
print(total.both(torch.ones(3), True), total.count)
first = total.give(torch.ones(3))
second = total.give(torch.ones(3))  # T2J303
print(first, second)
block = Block(4)
h = torch.arange(8.0).reshape(2, 4) - 4
print(block(h) + h)
