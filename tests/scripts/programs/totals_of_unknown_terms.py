# also: nnx, linen
"""Totals that begin as numbers, of what layers give beside their output and of what any function gives."""

import torch
import torch.nn as nn


class Flip(nn.Module):
    def forward(self, x, mask, reverse=False, **kwargs):
        x = torch.flip(x, [1])
        if reverse:
            return x
        return x, torch.zeros(x.size(0)).to(dtype=x.dtype, device=x.device)


class Affine(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.shift = nn.Parameter(torch.ones(channels, 1))
        self.logs = nn.Parameter(torch.full((channels, 1), 0.5))

    def forward(self, x, mask, reverse=False, **kwargs):
        if reverse:
            return (x - self.shift) * torch.exp(-self.logs) * mask
        y = self.shift + torch.exp(self.logs) * x
        return y * mask, torch.sum(self.logs * mask, [1, 2])


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.flows = nn.ModuleList([Affine(2)])
        for _ in range(2):
            self.flows.append(Affine(2))
            self.flows.append(Flip())

    def forward(self, x, mask):
        total = 0
        z = x
        for flow in self.flows:
            z, logdet = flow(z, mask, g=x)
            total += logdet
        total += torch.sum(torch.sigmoid(z) * mask, [1, 2])
        return z, total


def run(steps, x):
    total = 0.0
    for step in steps:
        x, term = step(x)
        total += term
    total -= torch.sum(x)
    total /= 2
    return x, total


flow = Flow()
z, total = flow(torch.ones(3, 2, 4), torch.ones(3, 1, 4))
print(z.tolist(), total.tolist())
kept = torch.ones(3)
x, total = run([lambda x: (2 * x, kept), lambda x: (x + 1, x.sum())], kept)
print(x.tolist(), total.tolist(), kept.tolist())
