# also: nnx
"""Sequences that hold layers already when others are added to them."""

from collections import OrderedDict

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


class Layer(nn.Sequential):
    def __init__(self, given, growth):
        super().__init__()
        self.add_module("norm1", nn.BatchNorm2d(given))
        self.add_module("relu1", nn.ReLU(inplace=True))
        self.add_module("conv1", nn.Conv2d(given, growth, 3, padding=1, bias=False))

    def forward(self, x):
        return torch.cat([x, super().forward(x)], 1)


class Block(nn.Sequential):
    def __init__(self, n, given, growth):
        super().__init__()
        for i in range(n):
            self.add_module("layer%d" % (i + 1), Layer(given + i * growth, growth))


class Dense(nn.Module):
    def __init__(self, growth=2, config=(2, 1), first=4):
        super().__init__()
        self.features = nn.Sequential(
            OrderedDict([("conv0", nn.Conv2d(3, first, 3)), ("relu0", nn.ReLU(inplace=True))])
        )
        n = first
        for i, k in enumerate(config):
            block = Block(k, n, growth)
            self.features.add_module(f"block{i + 1}", block)
            n = n + k * growth
        self.features.add_module("norm5", nn.BatchNorm2d(n))
        self.head = nn.Sequential(nn.Linear(n, 5), nn.ReLU())
        self.head.add_module("last", nn.Linear(5, 2))
        self.tail = nn.Sequential(nn.Linear(2, 2))
        for _ in range(2):
            self.tail.append(nn.Tanh())

    def forward(self, x):
        return self.tail(self.head(self.features(x).relu().mean((2, 3))))


net = Dense()
fill(net)
x = torch.sin(torch.arange(2 * 3 * 6 * 6.0)).view(2, 3, 6, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = (net(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print([(name, tuple(value.shape)) for name, value in net.state_dict().items()])
net.eval()
print(net(x).sum().item())
