# also: nnx, linen
"""What a function gives that chooses one of its arguments, or makes one, is changed, which the function sees that has given it."""

import torch
from torch import nn


def exists(v):
    return v is not None


def default(val, d):
    if exists(val):
        return val
    return d() if callable(d) else d


class Diffusion(nn.Module):
    def __init__(self, offset):
        super().__init__()
        self.net = nn.Linear(4, 4)
        self.offset = offset

    def q_sample(self, x, t, noise=None):
        noise = default(noise, lambda: torch.sin(x))
        if self.offset > 0.0:
            noise += self.offset * 2.0
        return x * t + noise * (1 - t)

    def p_losses(self, x, t, noise=None):
        noise = default(noise, lambda: torch.cos(x))
        y = self.q_sample(x=x, t=t, noise=noise)
        return (self.net(y) - noise).pow(2).mean()

    def forward(self, x, noise=None):
        return self.p_losses(x, torch.full((3, 1), 0.3), noise)


class Plain(nn.Module):
    def losses(self, x, noise=None, scale=None):
        noise = default(noise, lambda: torch.cos(x))
        noise *= default(scale, 2.0)
        return (x - noise).pow(2).mean()

    def forward(self, x, noise=None):
        return self.losses(x, noise)


model, plain = Diffusion(0.5), Plain()
for p in model.parameters():
    nn.init.constant_(p, 0.1)
for step in range(2):
    x = torch.arange(12.0).view(3, 4) / 10 + step
    print(round(model(x, torch.cos(x)).item(), 4), round(model(x).item(), 4))
    print(round(plain(x, torch.cos(x)).item(), 4), round(plain(x).item(), 4))
