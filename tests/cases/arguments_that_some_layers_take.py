"""A layer that changes an argument in place, where the layer in whose place it may stand takes fewer of them."""

import torch
from torch import nn


class Scaled(nn.Module):
    def forward(self, x, rest=None):
        if rest is not None:
            rest.mul_(2)  # T2J300
            return x + rest
        return x * 2


class Plain(nn.Module):
    def forward(self, x):
        return x + 1


class Net(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.layer = Scaled() if wide else Plain()

    def forward(self, x, *rest):
        return self.layer(x, *rest)


x = torch.ones(3)
rest = torch.full((3,), 2.0)
print(Net(True)(x, rest).sum().item(), rest.sum().item())
print(Net(False)(x).sum().item())
