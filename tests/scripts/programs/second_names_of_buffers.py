# also: nnx, linen
"""Buffers of layers that get second names in the modules around them, which are tensors outside of the state dict."""

import torch
import torch.nn as nn


class Masked(nn.Linear):
    def __init__(self, i, o):
        super().__init__(i, o)
        degrees = torch.arange(o) % 3
        self.register_buffer("degrees", degrees)
        self.register_buffer("mask", (degrees > 0).float())

    def forward(self, x):
        return nn.functional.linear(x, self.weight * self.mask[:, None], self.bias)


class Feed(nn.Module):
    def __init__(self, i):
        super().__init__()
        self.linear = Masked(i, i)
        self.degrees = self.linear.degrees

    def forward(self, x):
        return self.linear(x)


class Res(nn.Module):
    def __init__(self, i):
        super().__init__()
        one = Masked(i, i)
        two = Masked(i, i)
        self.layers = nn.ModuleList([one, two])
        self.degrees = two.degrees
        if torch.all(self.degrees >= 5).item() != 0:
            raise RuntimeError("no")

    def forward(self, x):
        return x + self.layers[1](self.layers[0](x))


class Net(nn.Module):
    def __init__(self, i, res):
        super().__init__()
        make = Res if res else Feed
        self.block = make(i)
        self.last = self.block.degrees

    def forward(self, x):
        return self.block(x) + self.last


for res in (True, False):
    net = Net(4, res)
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.1)
    print(net(torch.ones(2, 4)).tolist(), net.block.degrees.tolist(), len(net.state_dict()))
