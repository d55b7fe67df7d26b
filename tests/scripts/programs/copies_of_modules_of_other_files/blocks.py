import copy

import torch
import torch.nn as nn


def clones(module, count):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(count)])


class Norms(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norms = clones(nn.BatchNorm1d(size), 2)

    def forward(self, x):
        for norm in self.norms:
            x = torch.tanh(norm(x)) + x
        return x


class Mix(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(size, size)

    def forward(self, x):
        return torch.relu(self.fc(x))
