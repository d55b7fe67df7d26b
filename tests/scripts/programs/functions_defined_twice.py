# also: nnx, linen
import torch
from torch import nn


def default(value, other):
    return value if value is not None else other


def scale(x, factor=None):
    return x * default(factor, 2.0)


class Attend(nn.Module):
    def forward(self, x, factor=None):
        return x * default(factor, lambda: 3.0)


def shifted(x):
    return x + 1


print(shifted(torch.ones(2)).tolist())


def default(value, other):
    if value is not None:
        return value
    return other() if callable(other) else other


def shifted(x):
    return x - 1


class Diffusion(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = Attend()

    def times(self, n):
        return torch.randint(0, 10, (n,))

    def forward(self, x, noise=None, times=None):
        noise = default(noise, lambda: torch.randn_like(x))
        times = default(times, lambda: self.times(x.shape[0]))
        return self.attend(scale(x)) + shifted(noise) + times[:, None]


torch.manual_seed(0)
net = Diffusion()
out = net(torch.ones(3, 2))
print(list(out.shape))
print(net(torch.ones(3, 2), torch.zeros(3, 2), torch.arange(3)).tolist())
