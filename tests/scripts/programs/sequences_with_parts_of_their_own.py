# also: nnx
"""Sequences that give themselves parts by assignment, which run behind their other layers."""

import torch
import torch.nn as nn


class _DenseLayer(nn.Sequential):
    def __init__(self, n, growth, drop_rate):
        super(_DenseLayer, self).__init__()
        (self.add_module("norm1", nn.BatchNorm1d(n)),)
        (self.add_module("relu1", nn.ReLU(inplace=True)),)
        (self.add_module("conv1", nn.Linear(n, growth)),)
        self.drop_rate = drop_rate
        if self.drop_rate > 0:
            self.drop_layer = nn.Dropout(p=self.drop_rate)

    def forward(self, x):
        new_features = super(_DenseLayer, self).forward(x)
        if self.drop_rate > 0:
            new_features = self.drop_layer(new_features)
        return torch.cat([x, new_features], 1)


class _DenseBlock(nn.Sequential):
    def __init__(self, num_layers, n, growth, drop_rate):
        super(_DenseBlock, self).__init__()
        for i in range(num_layers):
            layer = _DenseLayer(n + i * growth, growth, drop_rate)
            self.add_module("denselayer%d" % (i + 1), layer)


m = _DenseBlock(2, 3, 2, 0.0)
with torch.no_grad():
    for i, p in enumerate(m.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float().sin() + 0.1 * i)
x = torch.arange(6.0).reshape(2, 3)
print(m(x).sum().item())
m.eval()
print(m(x).sum().item())
m = _DenseBlock(2, 3, 2, 0.5).eval()
with torch.no_grad():
    for i, p in enumerate(m.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float().sin() + 0.1 * i)
print(m(x).sum().item())
print(list(m.state_dict().keys()))


class Head(nn.Sequential):
    def __init__(self, n):
        super().__init__(nn.Linear(n, n), nn.Tanh())
        self.last = nn.Linear(n, 2)
        self.act = nn.ReLU()


h = nn.Sequential(Head(3), nn.Linear(2, 1))
with torch.no_grad():
    for i, p in enumerate(h.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float().sin() + 0.1 * i)
print(h(x).sum().item(), [n for n, _ in h.named_parameters()])
