# also: nnx, linen
from functools import partial

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, out, *, heads=1, groups=2):
        super().__init__()
        self.fc = nn.Linear(dim, out)
        self.norm = nn.GroupNorm(groups, out)
        self.heads = heads

    def forward(self, x):
        return self.norm(self.fc(x)) * self.heads


class Unet(nn.Module):
    def __init__(self, dim, layers=2, **attn_kwargs):
        super().__init__()
        block = partial(Block, **attn_kwargs)
        self.first = block(dim, dim, groups=4)
        self.rest = nn.ModuleList([block(dim, dim) for _ in range(layers)])

    def forward(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = layer(x)
        return x


torch.manual_seed(0)
net = Unet(8, heads=3)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)
print(net(torch.linspace(0, 1, 16).reshape(2, 8)).tolist())


class Tower(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        settings = dict(heads=heads, groups=2)
        block = partial(Block, dim, **settings)
        self.first = block(dim)
        self.second = block(dim, groups=8, heads=1)
        self.third = nn.Linear(dim, dim)

    def forward(self, x):
        return self.third(self.second(self.first(x)))


net = Tower(8)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)
print(net(torch.linspace(0, 1, 16).reshape(2, 8)).tolist())
