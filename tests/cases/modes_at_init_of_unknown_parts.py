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


print(Perhaps(False), Asked())
