"""Modes of parts that a variable holds, of which it is not said by the place which one is meant."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, deep: bool, n: int):
        super().__init__()
        self.first = nn.BatchNorm1d(4)
        self.second = nn.BatchNorm1d(4)
        self.parts = nn.ModuleDict({"a": nn.BatchNorm1d(4)})
        chosen = self.first if deep else self.second
        chosen.eval()  # T2J303
        part = self.parts["a"]
        part.eval()  # T2J303
        turn = self.first
        for _ in range(n):
            turn.eval()  # T2J303
            turn = self.second

    def forward(self, x):
        return self.first(x) + self.second(x) + self.parts["a"](x)


net = Net(True, 1)
print(net(torch.ones(2, 4)))
