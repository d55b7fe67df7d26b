# also: nnx
"""Functions that modules apply and that count or name layers are given those without parameters, too; functions that fill are not."""

import torch
import torch.nn as nn


def init(m):
    classname = m.__class__.__name__
    if classname.find("Linear") != -1:
        nn.init.ones_(m.weight)
        nn.init.zeros_(m.bias)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
        self.apply(init)

    def kinds(self):
        found = []

        def look(layer):
            found.append(type(layer).__name__)

        self.body.apply(look)
        return found

    def forward(self, x):
        return self.body(x)


count = 0


def number(module):
    global count
    if len(list(module.children())) == 0:
        count += 1


net = Net()
print(net.kinds())
net.apply(number)
print(count, net(torch.ones(1, 2)).item())
