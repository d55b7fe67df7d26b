# also: nnx
"""Functions that fill a layer, a parameter or a part of a model that an object which is no module holds."""

import torch
import torch.nn as nn


def fill(p, v=0.3):
    with torch.no_grad():
        p.fill_(v)


def fill_module(m, v):
    for p in m.parameters():
        p.data.fill_(v)


def set_weight(layer, v):
    nn.init.constant_(layer.weight, v)
    if layer.bias is not None:
        layer.bias.data.zero_()


class Sub(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 2)
        self.mid = nn.Linear(3, 3)
        fill_module(self.out, 0.1)
        fill_module(self.mid, 0.2)

    def forward(self, x):
        return self.out(self.mid(x))


class Holder:
    def __init__(self):
        self.net = Sub()


one = Holder()
x = torch.ones(2, 3)
print(one.net(x).sum().item())
fill_module(one.net.out, 0.4)
print(one.net(x).sum().item())
fill(one.net.mid.weight)
print(one.net(x).sum().item())
set_weight(one.net.out, 0.6)
print(one.net(x).sum().item())
