# also: nnx
"""`functools.reduce` calls layers one after another."""

import functools
from functools import reduce
import operator
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2)])
        self.drop = nn.Dropout(0.0)

    def forward(self, x):
        return functools.reduce(lambda h, layer: layer(h), self.layers, x)


class Net2(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.bn = nn.BatchNorm1d(4)
        self.c = nn.Linear(4, 2)

    def forward(self, x):
        return reduce(lambda h, f: f(h), [self.a, self.bn, torch.relu, self.c], x)


def apply_layer(h, layer):
    return torch.relu(layer(h))


class Net3(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        h = reduce(apply_layer, self.layers, x)
        total = reduce(operator.add, [layer(x) for layer in self.layers])
        return h + total, reduce(lambda a, b: a * b, h.shape)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)


x = torch.cos(torch.arange(12.0)).reshape(3, 4)
net = Net()
fill(net)
net(x).sum().backward()
print(net(x).sum().item(), [p.grad.sum().item() for p in net.parameters()])
net2 = Net2()
fill(net2)
print(net2(x).sum().item(), net2(x).abs().sum().item())
print({k: v.float().sum().item() for k, v in net2.state_dict().items()})
net3 = Net3()
fill(net3)
y, n = net3(x)
print(y.sum().item(), n)
print(reduce(lambda a, b: a + b.numel(), net3.parameters(), 0))
