# also: nnx linen
"""Blocks of the program that are given some arguments before: `block = partial(Block, time_dim=3)`, as U-Nets do."""

from functools import partial

import torch
from blocks import Block
from torch import nn


class Last(nn.Module):
    def __init__(self, dim, scale=1.0):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.scale = scale

    def forward(self, x):
        return self.norm(x) * self.scale


class Unet(nn.Module):
    def __init__(self, dim, dropout=0.0):
        super().__init__()
        time_dim = dim - 1
        block = partial(Block, time_dim=time_dim, dropout=dropout)
        last = partial(Last, scale=0.5)
        self.downs = nn.ModuleList([])
        for _ in range(2):
            self.downs.append(nn.ModuleList([block(dim, dim), block(dim, dim, time_dim=None), nn.Identity()]))
        self.mid = block(dim, dim)
        self.final = block(dim * 2, dim)
        self.last = last(dim)

    def forward(self, x, t):
        r = x
        for one, two, down in self.downs:
            x = down(two(one(x, t), t))
        x = self.mid(x, t)
        return self.last(self.final(torch.cat((x, r), 1), t))


net = Unet(4)
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 + 0.01 * i)
x, t = torch.arange(12.0).reshape(3, 4) / 12, torch.ones(3, 3)
out = net(x, t)
out.pow(2).sum().backward()
print(out.tolist())
print(net.mid.proj.weight.grad.sum().item())
print([name for name, _ in net.named_parameters()])
