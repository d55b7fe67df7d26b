"""One layer that comes into a model by way of two others."""

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, base, width):
        super().__init__()
        self.base = base
        self.fc = nn.Linear(4, width)

    def forward(self, x):
        return self.fc(self.base(x))


class Pair(nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.first = first
        self.second = second

    def forward(self, x):
        return self.second(self.first(x))


def block(width):
    return nn.Sequential(nn.Linear(4, width), nn.ReLU())


device = torch.device("cpu")
base = nn.Linear(4, 4)
first = Head(base, 4).to(device)
second = Head(base, 3)
second = second.to(device)
model = nn.Sequential(first, second)  # T2J604

body = nn.Linear(4, 4)
pair = Pair(Head(body, 4), Head(body, 3))  # T2J604

stem = nn.Linear(4, 4)
listed = nn.ModuleList([nn.Sequential(Head(stem, 4), block(2)), Head(stem, 3)])  # T2J604

act = nn.ReLU()
left = nn.Sequential(block(4), act)
right = nn.Sequential(block(4), act)
apart = nn.Sequential(left, right)
print(apart(torch.ones(2, 4)).shape)
