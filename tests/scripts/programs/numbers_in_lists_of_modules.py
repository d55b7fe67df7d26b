# also: nnx
import torch
import torch.nn as nn
from types import SimpleNamespace


class Net(nn.Module):
    def __init__(self, dim, rank, state, rate=True):
        super().__init__()
        self.rank = rank
        self.state = state
        self.sizes = [0, 0, 0]
        if rate:
            self.sizes[0] = self.rank
        self.sizes[1] = self.state
        self.sizes[2] = self.state
        self.proj = nn.Linear(dim, sum(self.sizes))
        with torch.no_grad():
            self.proj.weight.copy_(torch.arange(dim * sum(self.sizes)).reshape(sum(self.sizes), dim) * 0.1)
            self.proj.bias.zero_()

    def forward(self, x):
        a, b, c = torch.split(self.proj(x), self.sizes, dim=-1)
        return a.sum() + (b * c).sum()


class Fixed(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.sizes = [0, 0]
        self.sizes[0] = self.dim
        self.table = {}
        self.table["dim"] = self.dim

    def forward(self, x):
        return x * self.sizes[0] + self.table["dim"]


class Configured(nn.Module):
    def __init__(self, cfg, dim, depth):
        super().__init__()
        self.cfg = cfg
        self.width = dim * 2
        self.depth = depth
        self.cfg.width = self.width
        self.cfg.depth = self.depth
        self.proj = nn.Linear(dim, self.cfg.width)
        with torch.no_grad():
            self.proj.weight.copy_(torch.arange(dim * self.width).reshape(self.width, dim) * 0.1)
            self.proj.bias.zero_()

    def forward(self, x):
        return self.proj(x).sum() * self.cfg.depth


net = Net(3, 2, 4)
print(net(torch.ones(2, 3)).item())
print(Fixed(3)(torch.ones(2)).sum().item())
print(Configured(SimpleNamespace(width=1, depth=1), 3, 4)(torch.ones(2, 3)).item())
