# also: nnx, linen
"""Tables with classes of modules and functions that make them, called from inside of modules and from outside."""

import torch
from torch import nn


class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


class B(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return torch.relu(self.fc(x))


def make_c(n, **kwargs):
    return B(n)


MODELS = {"a": A, "b": B, "c": make_c, "linear": lambda n: nn.Linear(n, n)}


class Holder(nn.Module):
    def __init__(self, kind, n):
        super().__init__()
        self.part = MODELS[kind](n)

    def forward(self, x):
        return self.part(x) + 1


def build(kind, n):
    return MODELS[kind](n)


for name in MODELS:
    net = build(name, 3)
    held = Holder(name, 3)
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.25)
        for p in held.parameters():
            p.fill_(0.5)
    print(name, net(torch.ones(2, 3)).tolist(), held(torch.ones(2, 3)).sum().item())
