# why: modules with state that become parts of other modules were made with a state of their own, and the translation crashed
# entry: f
# inputs:
#     torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
import torch
import torch.nn as nn
from torch import Tensor


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x: Tensor):
        self.total += x.sum(0)
        return self.bn(x) + self.total


class Twice(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x: Tensor):
        return self.net(x) * 2


def make(count):
    layers = []
    for _ in range(count):
        layers.append(nn.BatchNorm1d(3))
    return nn.Sequential(*layers)


def f(x: Tensor):
    net = Norm()
    model = Twice(net)
    y = model(x)
    stack = make(2)
    z = stack(x)
    norm = nn.BatchNorm1d(3)
    pair = nn.Sequential(norm, nn.Identity())
    w = pair(x)
    other = Norm()
    other.load_state_dict(Norm().state_dict())
    return y, model(x), z, stack(x), w, Twice(Norm())(x), other(x)
