# also: nnx
"""Modules that are made in evaluation, as those are that only give features: their parts are, and those of heirs that come later are not."""

import torch
import torch.nn as nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5))
        self.eval()
        for param in self.parameters():
            param.requires_grad = False

    def forward(self, x):
        return self.net(x)


f = Features()
with torch.no_grad():
    for p in f.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
x = torch.linspace(-1, 1, 6).reshape(2, 3)
print(f(x).tolist())


class Base(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name
        self.scale = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)


class Heir(Base):
    def __init__(self, name, width):
        super().__init__(name)
        self.width = width
        blocks = [nn.Linear(width, width), nn.BatchNorm1d(width)]
        self.blocks = nn.Sequential(*blocks)
        self.train(False)
        self.requires_grad_(False)
        self.late = nn.BatchNorm1d(width)

    def forward(self, x):
        return self.late(self.blocks(self.drop(self.scale(x))))


h = Heir("a", 3)
with torch.no_grad():
    for p in h.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
print(h(x).tolist(), h.late.running_mean.tolist(), h.blocks[1].running_mean.tolist())
h.train()
print(h.blocks(x).tolist(), h.blocks[1].running_mean.tolist())


class Added(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.BatchNorm1d(3)
        self.add_module("second", nn.BatchNorm1d(3))
        self.eval()

    def forward(self, x):
        return self.second(self.first(x))


print(Added()(x).tolist())
