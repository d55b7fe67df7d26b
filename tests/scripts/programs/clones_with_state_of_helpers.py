# also: nnx, linen
"""Helpers and variables that hold the pattern of blocks with state, of which there are only copies, beside layers without state."""

import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


def _get_clones(module, n):
    return nn.ModuleList([copy.deepcopy(module) for i in range(n)])


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.bn = nn.BatchNorm1d(dim)

    def forward(self, x):
        return x + F.relu(self.bn(self.fc(x)))


class Net(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        self.stem = nn.Linear(4, dim)
        self.blocks = _get_clones(Block(dim), n)
        self.acts = _get_clones(nn.Linear(dim, dim), 2)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        for act in self.acts:
            x = act(x)
        return x


class Outer(nn.Module):
    def __init__(self, block, n):
        super().__init__()
        self.blocks = _get_clones(block, n)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def run(model, x):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = (model(x) - 0.5).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
    model.eval()
    print(model(x).sum().item())


x = (torch.arange(24, dtype=torch.float32) * 0.3).sin().view(6, 4)
run(Net(5, 3), x)
block = Block(4)
run(Outer(block, 2), x)


class Wrapped(nn.Module):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = blocks

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def make(dim, depth):
    c = copy.deepcopy
    block = Block(dim)
    return Wrapped(nn.ModuleList([c(block), c(block)]))


run(Wrapped(_get_clones(Block(4), 2)), x)
run(make(4, 2), x)
