# also: nnx, linen
"""Tensors of the type of another one that are made to be filled with random numbers, in the middle of expressions."""

import torch
import torch.nn as nn


class LockedDropout(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, dropout=0.5):
        if not self.training or not dropout:
            return x
        m = x.data.new(1, x.size(1), x.size(2)).bernoulli_(1 - dropout)
        mask = m / (1 - dropout)
        return mask.expand_as(x) * x


class Attack:
    def __init__(self, eps, steps):
        self.eps = eps
        self.steps = steps

    def __call__(self, images, labels=None):
        moved = images + torch.zeros_like(images).uniform_(-self.eps, self.eps)
        for _ in range(self.steps):
            moved = torch.clamp(moved + torch.randn_like(images).normal_(0, self.eps), 0, 1)
        return moved


def run(kinds):
    for kind in kinds:
        images = torch.full((3, 200, 4), 0.5, dtype=kind)
        kept = LockedDropout()(images)
        print(kept.shape, kept.dtype == kind, kept[0].equal(kept[1]), sorted({float(v) for v in kept.flatten()}))
        moved = Attack(0.01, 2)(images)
        print(moved.shape, moved.dtype == kind, (moved - images).abs().max().item() < 0.2, moved.std().item() > 0)
        plain = Attack(0.25, 0)(images)
        print((plain - 0.5).abs().max().item() <= 0.25, (plain - 0.5).abs().max().item() > 0.2)


run([torch.float32, torch.float16])
