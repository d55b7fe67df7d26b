# also: nnx, linen
"""Parts that are asked for by `self.__getattr__`."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, blocks=2):
        super().__init__()
        self.blocks = blocks
        for i in range(blocks):
            self.add_module("block" + str(i + 1), nn.Linear(3, 3))
        for i in range(blocks):
            self.__setattr__("norm_%d" % i, nn.LayerNorm(3))

    def forward(self, x):
        for i in range(self.blocks):
            x = torch.tanh(self.__getattr__("block" + str(i + 1))(x))
            x = self.__getattr__("norm_%d" % i)(x)
        return x


net = Net()
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
x = torch.linspace(-1.0, 1.0, 6).reshape(2, 3)
net(x).pow(2).sum().backward()
print(net(x).sum().item(), net.block2.weight.grad.sum().item())
