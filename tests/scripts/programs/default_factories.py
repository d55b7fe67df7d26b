"""What makes a default value draws with a key of the function around it."""

from inspect import isfunction
import torch
import torch.nn as nn


def exists(val):
    return val is not None


def default(val, d):
    if exists(val):
        return val
    return d() if isfunction(d) else d


class Diffusion(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.net = nn.Linear(size, size)
        self.size = size

    def p_losses(self, x_start, t, noise=None):
        noise = default(noise, lambda: torch.randn_like(x_start))
        x = x_start + noise * 0 + t
        return x.sum()

    def forward(self, img, noise=None):
        t = torch.randint(3, 4, (img.shape[0], 1))
        return self.p_losses(img, t, noise)


m = Diffusion(3)
print(m(torch.ones(2, 3)).item(), m(torch.ones(2, 3), torch.zeros(2, 3)).item())
x = torch.zeros(1000)
noise = default(None, lambda: torch.randn_like(x))
print(abs(noise.mean().item()) < 0.2, abs(noise.std().item() - 1) < 0.2)
