# also: nnx
"""A model applies functions of another file to its layers: one fills them, one looks at them."""

import torch
from helpers import count, fill
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))


def load():
    model = Net()
    model.apply(fill)
    return model


net = load()
net.apply(count)
print(net(torch.arange(6.0).reshape(2, 3) / 6).sum().item())
