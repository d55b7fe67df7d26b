# also: nnx, linen
"""Sequentials hold modules that keep state and take any arguments, and such whose input is called `state`."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, module, scale=0.5):
        super().__init__()
        self.module = module
        self.scale = scale
        self.register_buffer("u", torch.ones(2))

    def forward(self, *args):
        self.u.mul_(0.5)
        y = self.module(*args)
        return self.u.sum() * y * self.scale


class Double(nn.Module):
    def forward(self, state):
        return state * 2


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.0)

    def forward(self, state):
        return self.drop(state)


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))

    def forward(self, state):
        self.count += 1
        return state * self.count


class Block(nn.Module):
    def __init__(self, n, is_scaled):
        super().__init__()
        first, last = nn.Linear(n, n), nn.Linear(n, 1)
        self.net = nn.Sequential(Scaled(first) if is_scaled else first, nn.ReLU(), Double(), Noisy(), Counts())
        self.last = Scaled(last) if is_scaled else last

    def forward(self, x):
        return self.last(self.net(x))


for is_scaled in (True, False):
    block = Block(3, is_scaled)
    with torch.no_grad():
        for i, p in enumerate(block.parameters()):
            p.fill_(0.1 * (i + 1))
    x = torch.arange(6.0).view(2, 3)
    for _ in range(3):
        print(block(x).tolist())
    optimizer = torch.optim.SGD(block.parameters(), lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (block(x) - 1).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())

net = nn.Sequential(nn.Linear(3, 2), Double(), nn.BatchNorm1d(2))
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
print(net(torch.arange(6.0).view(2, 3)).tolist(), net[2].running_mean.tolist())
