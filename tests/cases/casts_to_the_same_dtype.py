"""A cast may give the tensor itself: layers give floats of the dtype that their parameters have."""

import torch
from torch import nn

net = nn.Linear(3, 3)
other = nn.Linear(3, 3).double()


def run(layer, x):
    with torch.no_grad():
        y = layer(x)
        z = y.float()
        z.add_(1)  # T2J301
        return y.sum().item(), z.sum().item()


def count(layer, x):
    with torch.no_grad():
        y = layer(x)
        z = y.long()
        z.add_(1)
        return y.sum().item(), z.sum().item()


def ratio(a, b):
    c = a if b is None else a / b
    d = c.long()
    d.clamp_(0, 1)  # T2J301
    e = (a / 2).long()
    e.clamp_(0, 1)
    return c, d, e


print(run(net, torch.ones(2, 3)), count(net, torch.ones(2, 3)))
