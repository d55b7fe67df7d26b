"""A weight that two layers share and that is filled under one of its names, before the layers are fields."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.embed = nn.Embedding(n, d)
        head = nn.Linear(d, n, bias=False)
        head.weight = self.embed.weight  # T2J303 T2J604
        nn.init.constant_(head.weight, 0.5)
        self.head = head

    def forward(self, x):
        return self.head(self.embed(x))


def train(net: Net, x, y):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
