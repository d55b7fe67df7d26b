"""Modules that are made in evaluation, with parts that may be there or not."""

import torch.nn as nn


class Perhaps(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.first = nn.BatchNorm1d(3)
        if deep:
            self.second = nn.BatchNorm1d(3)
        self.eval()  # T2J603

    def forward(self, x):
        return self.first(x)


class Asked(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.eval()  # T2J603

    def forward(self, x):
        return self.norm(x) if self.training else x


class Built(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.BatchNorm1d(3)
        self.build()
        self.eval()  # T2J603

    def build(self):
        self.second = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.second(self.first(x))


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.BatchNorm1d(3)
        self.second, self.third = nn.BatchNorm1d(3), nn.BatchNorm1d(3)
        self.eval()  # T2J603

    def forward(self, x):
        return self.third(self.second(self.first(x)))


print(Built(), Pair())
print(Perhaps(False), Asked())
