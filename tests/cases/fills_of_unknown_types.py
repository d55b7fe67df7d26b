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
