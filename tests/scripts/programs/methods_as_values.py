# also: nnx, linen
"""Methods of modules that are handed on, called of a base class by name, and weights that are computed from others."""

import torch
import torch.nn as nn
from torch.nn.utils import weight_norm


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return torch.tanh(self.fc(x))


class Twice(Base):
    def forward(self, x):
        return Base.forward(self, x) + 1

    def halves(self, x):
        run = super().forward
        return torch.cat(list(map(run, x.split(2))))


class Report:
    def __init__(self, function):
        self.function = function

    def of(self, x):
        return self.function(x).pow(2).sum().item()


net = Twice()
layer = weight_norm(nn.Linear(3, 4))
print(layer.weight_g.size(), layer.weight_v.shape, layer.weight_g.dim())
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    for p in layer.parameters():
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
x = torch.linspace(-1, 1, 12).reshape(4, 3)
print(net.halves(x).sum().item(), torch.cat(list(map(net.forward, x.split(2)))).sum().item())
print(Report(net.forward).of(x), Report(net.halves).of(x), layer(x).sum().item(), layer.weight_v.sum().item())
