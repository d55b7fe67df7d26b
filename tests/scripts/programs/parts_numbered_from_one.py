# also: nnx, linen
"""Parts whose names are a text and a number, beside fields whose names only begin like them."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.c = nn.Linear(n, n)

    def forward(self, x):
        return self.c(x) + x


class Net(nn.Module):
    def __init__(self, blocks=2):
        super().__init__()
        self.blocks = blocks
        for i in range(self.blocks):
            self.add_module("block" + str(i + 1), Block(3))
        for i in range(blocks // 2):
            self.add_module("up" + str(i + 1), nn.Linear(3, 3))

    def forward(self, x):
        for i in range(self.blocks):
            x = torch.tanh(getattr(self, "block" + str(i + 1))(x))
        for i in range(self.blocks // 2):
            x = getattr(self, "up" + str(i + 1))(x)
        return x


net = Net()
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
x = torch.linspace(-1.0, 1.0, 6).reshape(2, 3)
net(x).pow(2).sum().backward()
print(net(x).sum().item(), net.block2.c.weight.grad.sum().item())
