# also: nnx, linen
"""Layers that `functools.partial` gives some arguments, under other names in the translation."""

from functools import partial

import torch
from torch import nn

LinearNoBias = partial(nn.Linear, bias=False)
LayerNormNoBias = partial(nn.LayerNorm, bias=False)
eps = 1e-3
Conv = partial(nn.Conv2d, bias=False, padding=1)
Norm = partial(nn.LayerNorm, eps=eps)


class Net(nn.Module):
    def __init__(self, dim, norm_layer=partial(nn.LayerNorm, eps=1e-6)):
        super().__init__()
        self.a = LinearNoBias(dim, dim)
        self.norm = norm_layer(dim)
        self.b = nn.Sequential(LinearNoBias(dim, 2 * dim), nn.ReLU(), LinearNoBias(2 * dim, dim))
        self.c = Conv(1, 2, 3)
        self.norms = nn.ModuleList([LayerNormNoBias(dim) for _ in range(2)])
        self.last = Norm(dim)
        self.fc = LinearNoBias(dim, out_features=dim)
        for i, p in enumerate(self.parameters()):
            p.data = torch.linspace(-0.3, 0.3 + i / 30, p.numel()).reshape(p.shape)

    def forward(self, x):
        x = self.norm(self.a(x))
        for n in self.norms:
            x = n(x) + x
        x = self.b(x)
        x = self.fc(self.last(x))
        return self.c(x[None, None]).sum() + x.pow(3).sum()


net = Net(4)
x = torch.arange(8.0).reshape(2, 4).sin()
print(net(x).item(), [tuple(p.shape) for p in net.parameters()])
net(x).backward()
print([round(p.grad.sum().item(), 3) for p in net.parameters()])
