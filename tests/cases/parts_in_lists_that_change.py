"""Lists of a module's own parts that somebody sets or changes later, and slices whose sequence changes later, are no second names."""

import torch.nn as nn


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Linear(2, 2)
        self.parts = [self.a, self.b]  # T2J601 T2J604

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


class Short(Chain):
    def __init__(self):
        super().__init__()
        self.parts = [self.b]  # T2J601


class Cut(nn.Module):
    def __init__(self, cut=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))
        self.low = self.body[:1]  # T2J604
        self.cut = self.body[:cut]  # T2J604

    def forward(self, x):
        return self.low(x) + self.cut(x)


net = Cut()
net.body[0] = nn.Linear(2, 2)
