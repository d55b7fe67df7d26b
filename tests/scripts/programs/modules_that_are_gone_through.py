# also: nnx
"""Modules with `__iter__` and `__getitem__` of their own, whose parts are called."""

import torch
import torch.nn as nn


class Stack(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def __len__(self):
        return len(self.layers)

    def __getitem__(self, i):
        return self.layers[i]

    def __iter__(self):
        return iter(self.layers)

    def forward(self, x):
        for i, l in enumerate(self):
            x = torch.tanh(l(x))
        return x


class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.low, self.high = nn.Conv1d(1, 2, 1), nn.Conv1d(2, 2, 3, padding=1)

    def __getitem__(self, name):
        return getattr(self, name)

    def forward(self, x):
        return self["high"](self["low"](x))


class Walk(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Linear(2, 3)

    def __iter__(self):
        yield self.a
        yield self.b

    def forward(self, x):
        for part in self:
            x = part(x)
        return x


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleDict({"one": nn.Linear(2, 2), "two": nn.Linear(2, 3)})
        self.order = ["one", "two"]

    def __getitem__(self, name):
        return self.blocks[name]

    def forward(self, x):
        for name in self.order:
            x = self[name](x)
        return x


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return m


net = fill(Stack([3, 5, 4, 2]))
x = torch.cos(torch.arange(6.0)).view(2, 3)
print(net(x).sum().item(), net[-1].out_features, len(net))
print(net[0](x).sum().item(), sum(p.numel() for l in net for p in l.parameters()))
print(fill(Named())(x[:, :2]).sum().item())
print(fill(Walk())(x[:, :2]).sum().item())
print(net(x).sum().item())
nn.init.zeros_(net[0].bias)
print(net(x).sum().item())
net[1].weight.data.fill_(0.1)
print(net(x).sum().item(), fill(Pyramid())(x[:, None]).sum().item())
