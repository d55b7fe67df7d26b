"""Of several functions that one call may reach, one makes a module with state: the others give an empty one."""

import torch
import torch.nn as nn


class A(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Linear(3, width)

    def forward(self, x):
        return self.fc(x)


class Bn(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(x)


def make_bn():
    return Bn()


def make_a():
    return A()


x = torch.ones(2, 3)
FNS = {"a": make_a, "bn": make_bn}
for name in ["a", "bn"]:
    net = FNS[name]()
    print(name, net(x).shape)
