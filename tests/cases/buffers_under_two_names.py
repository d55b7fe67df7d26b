"""Buffers of a module that are one tensor under two names, and one that is moved before it is changed."""

import torch
import torch.nn as nn


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = torch.zeros(2, 8, 3)
        self.other = self.cache  # T2J303

    def forward(self, x):
        self.cache[0] = 1
        return self.other.sum()


class Moved(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = torch.zeros(2, 8, 3)

    def forward(self, x):
        self.cache = self.cache.to(x)
        self.cache[0] = 1
        return self.cache.sum()
