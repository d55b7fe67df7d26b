# also: nnx, linen
"""Tensors that are made full of a number, and drawn anew where they stand: a number as good as none, the probability is 0.5."""

import torch


def masked(x, dropout, keep=None):
    offset = torch.full_like(x, dropout).bernoulli_().bool()
    print(0.4 < offset.float().mean().item() < 0.6, offset.shape)
    kept = torch.full_like(x, dropout).bernoulli_(keep)
    return torch.where(kept.bool(), x, torch.zeros_like(x)), kept.dtype == x.dtype


def noisy(x, scale):
    return x + x.new_full((x.shape[0], 1), scale).normal_(0.0, 0.0) + torch.full(x.shape, scale).uniform_(0.0, 0.0)


x = torch.sin(torch.arange(2000.0)).view(20, 100)
for keep in (1.0, 0.0):
    result, same = masked(x, 0.2, keep)
    print(result.sum().item(), same)
result, same = masked(x.double(), 0.2, 1.0)
print(result.sum().item(), same)
print(noisy(x, 3.0).sum().item())
