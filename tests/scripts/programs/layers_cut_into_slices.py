# also: nnx
"""Layers that a function lists by a table of sizes, cut into slices that each keep what the one before has made."""

from collections import namedtuple

import torch
import torch.nn as nn

SIZES = [4, "M", 5, 6, "M", 7]


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


def make_layers(sizes):
    layers = []
    n = 3
    for size in sizes:
        if size == "M":
            layers += [nn.MaxPool2d(kernel_size=2, stride=2)]
        else:
            conv = nn.Conv2d(n, size, 3, padding=1)
            layers += [conv, nn.ReLU(inplace=True)]
            n = size
    return nn.Sequential(*layers)


class Slices(nn.Module):
    def __init__(self):
        super().__init__()
        features = make_layers(SIZES)
        self.slice1 = nn.Sequential()
        self.slice2 = nn.Sequential()
        self.slice3 = nn.Sequential()
        for x in range(2):
            self.slice1.add_module(str(x), features[x])
        for x in range(2, 5):
            self.slice2.add_module(str(x), features[x])
        for x in range(5, 10):
            self.slice3.add_module(str(x), features[x])

    def forward(self, x):
        h = self.slice1(x)
        first = h
        h = self.slice2(h)
        second = h
        outputs = namedtuple("Outputs", ["first", "second", "third"])
        return outputs(first, second, self.slice3(h))


class Cut(nn.Module):
    def __init__(self):
        super().__init__()
        features = make_layers(SIZES)
        self.one, self.two = features[:2], features[2:4]
        self.three = nn.Sequential(*list(features)[4:])

    def forward(self, x):
        a = self.one(x)
        b = self.two(a)
        return a.mean() + b.mean() + self.three(b).mean()


x = torch.sin(torch.arange(2 * 3 * 8 * 8.0)).view(2, 3, 8, 8)
net = Slices()
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    out = net(x)
    loss = (out.first.mean() - 1) ** 2 + (out.second.mean() - 1) ** 2 + out.third.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print([name for name, _ in net.named_parameters()])
cut = Cut()
fill(cut)
print(cut(x).item())
