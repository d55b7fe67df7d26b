"""Branches that are chosen by the flag of a tensor that a function is given: nobody knows how callers computed it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)

    def forward(self, x):
        if x.requires_grad:  # T2J203
            return self.first(x)
        return self.second(x)


def masked(x, flag=True):
    if flag and not x.requires_grad:  # T2J203
        return x * 2
    return x


print(Net()(torch.ones(2, 3)).shape)
print(masked(torch.ones(2)), masked(torch.ones(2, requires_grad=True)))
