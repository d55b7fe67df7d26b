# flagged: T2J601, T2J606, also: nnx, linen
"""Properties of models are set from outside: their setters run, and those without one refuse it, as fields of Linen's modules are not set."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self._scale = 2.0

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        if value < 0:
            raise ValueError(value)
        self._scale = value + 1

    @property
    def half(self):
        return self._scale / 2

    def forward(self, x):
        return self.fc(x) * self.scale


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        return self.net(x) + self.net.half


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
x = torch.ones(2, 3)
print(net(x).sum().item())
net.scale = 4.0
print(net.scale, net(x).sum().item())
setattr(net, "scale", 5.0)
print(net.scale, net(x).sum().item())
net.scale += 2
print(net.scale, net.half, net(x).sum().item())
try:
    net.half = 4.0
except AttributeError:
    print(2, net.half)
try:
    net.scale = -1.0
except ValueError:
    print(3, net.scale)
outer = Outer()
with torch.no_grad():
    for p in outer.parameters():
        p.fill_(0.5)
outer.net.scale = 3.0
print(outer(x).sum().item(), outer.net.scale, outer.net.half)
