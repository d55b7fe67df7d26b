# also: nnx, linen
"""Blocks that are told apart by a base class whose subclasses draw random numbers, keep state, or do neither."""

from abc import abstractmethod

import torch
import torch.nn as nn


class TimedBlock(nn.Module):
    @abstractmethod
    def forward(self, x, emb):
        """Apply the module to `x` with an embedding of time."""


class Noisy(TimedBlock):
    def __init__(self, dim, emb_dim, dropout):
        super().__init__()
        self.proj = nn.Linear(emb_dim, dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, emb):
        return self.drop(x + self.proj(emb))


class Normed(TimedBlock):
    def __init__(self, dim, emb_dim):
        super().__init__()
        self.proj = nn.Linear(emb_dim, dim)
        self.norm = nn.BatchNorm1d(dim)

    def forward(self, x, emb):
        return self.norm(x + self.proj(emb))


class TimedSequential(nn.Sequential, TimedBlock):
    def forward(self, x, emb):
        for layer in self:
            if isinstance(layer, TimedBlock):
                x = layer(x, emb)
            else:
                x = layer(x)
        return x


class Net(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.blocks = nn.ModuleList([TimedSequential(nn.Linear(3, 4))])
        self.blocks.append(TimedSequential(Noisy(4, 5, dropout), nn.ReLU()))
        self.blocks.append(TimedSequential(Normed(4, 5), nn.Linear(4, 2)))

    def forward(self, x, emb):
        for block in self.blocks:
            x = block(x, emb)
        return x


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return model


x = torch.cos(torch.arange(12.0)).view(4, 3)
emb = torch.sin(torch.arange(20.0)).view(4, 5)
net = fill(Net(0.5))
seen = set()
for _ in range(20):
    out = net(x, emb)
    seen.add(tuple(out.flatten().tolist()))
print(len(seen) > 5)
net = fill(Net(0.0))
out = net(x, emb)
print(out.sum().item())
print(net.blocks[2].state_dict()["0.norm.running_mean"].sum().item())
net.eval()
out = net(x, emb)
print(out.sum().item())
