# also: nnx
# `partial` of functions that change the state of a module or draw, kept in variables and dictionaries: their calls give and
# take what those of the functions do.
from functools import partial

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.bn = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.bn(self.fc(x))


def fill(net):
    for p in net.parameters():
        nn.init.constant_(p, 0.5)


def score(net, x, scale, shift=0.0):
    return (net(x) * scale + shift).pow(2).sum().item()


def other(net, x, scale):
    return (net(x) + scale).abs().sum().item()


def noisy(x, scale):
    return (x + torch.randn_like(x) * scale).sum().item()


def plain(x, scale):
    return (x * scale).sum().item()


net = Net()
fill(net)
x = torch.arange(6.0).view(3, 2)
for name, measure in {"s": partial(score, scale=0.5), "l": partial(other, scale=2.0)}.items():
    print(name, measure(net, x), net.bn.running_mean.sum().item())
shifted = partial(score, scale=2.0, shift=1.0)
print(shifted(net, x * 2), net.bn.running_mean.sum().item(), int(net.bn.num_batches_tracked))
for measure in (partial(noisy, scale=0.0), partial(plain, scale=3.0), plain):
    print(measure(x, scale=0.0))
for measure in (partial(noisy, x), partial(plain, x)):
    print(measure(0.0))
