"""A parameter is annotated as a module, and is given a class: what is made of it is the module."""

import torch
import torch.nn as nn
from evaluation import Normed, evaluate


class Plain(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layer = nn.Linear(n, 2)

    def forward(self, x):
        return self.layer(x)


class Other(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layer = nn.Linear(n, 2, bias=False)

    def forward(self, x):
        return self.layer(x) * 2


net = Plain(3)
for p in net.parameters():
    p.data.fill_(0.25)
print(evaluate(net.state_dict(), Plain, 3))
other = Other(3)
other.layer.weight.data.fill_(0.5)
print(evaluate(other.state_dict(), Model=Other, n=3))
print(Normed()(torch.arange(6.0).view(3, 2)).sum().item())
