# also: nnx
"""Modules of the program, or layers that take one example, are called with arguments behind stars."""

import torch
import torch.nn as nn


class PreNorm(nn.Module):
    def __init__(self, d, fn):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.fn = fn

    def forward(self, x, **k):
        return self.fn(self.norm(x), **k)


class Plain(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x)


class Starred(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, *a):
        return self.fn(*a)


class FF(nn.Module):
    def __init__(self, d, m):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, m), nn.GELU(), nn.Linear(m, d))

    def forward(self, x, scale=1.0):
        return self.net(x) * scale


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return m


x = torch.cos(torch.arange(12.0)).view(4, 3)
print(fill(Plain(FF(3, 5)))(x).sum().item(), fill(Plain(nn.Linear(3, 2)))(x).sum().item())
print(fill(Starred(FF(3, 5)))(x).sum().item(), fill(Starred(nn.Linear(3, 2)))(x).sum().item())
print(fill(PreNorm(3, FF(3, 5)))(x, scale=2.0).sum().item(), fill(PreNorm(3, nn.Linear(3, 2)))(x).sum().item())
