# also: nnx, linen
"""Blocks of layers whose lists lose or exchange what they begin with: an activation in place that is left is never the first one."""

from collections import OrderedDict

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, before, after, times, starts=True, grows=True):
        super().__init__()
        self.skip = nn.Conv1d(before, after, 1) if before != after else None
        rep = []
        width = before
        if grows:
            rep.append(nn.ReLU(inplace=True))
            rep.append(nn.Conv1d(before, after, 3, padding=1))
            width = after
        for _ in range(times - 1):
            rep.append(nn.ReLU(inplace=True))
            rep.append(nn.Conv1d(width, width, 3, padding=1))
        if not grows:
            rep.append(nn.ReLU(inplace=True))
            rep.append(nn.Conv1d(before, after, 3, padding=1))
        if not starts:
            rep = rep[1:]
        else:
            rep[0] = nn.ReLU(inplace=False)
        self.rep = nn.Sequential(*rep)

    def forward(self, inp):
        x = self.rep(inp)
        if self.skip is not None:
            skip = self.skip(inp)
        else:
            skip = inp
        x += skip
        return x


class Named(nn.Module):
    def __init__(self, deep):
        super().__init__()
        if deep:
            layers = [
                ("conv1", nn.Conv1d(2, 3, 1)),
                ("relu1", nn.ReLU(inplace=True)),
                ("conv2", nn.Conv1d(3, 2, 1)),
                ("relu2", nn.ReLU(inplace=True)),
            ]
        else:
            layers = [("conv1", nn.Conv1d(2, 2, 1)), ("relu1", nn.ReLU(inplace=True))]
        layers.append(("pool", nn.AvgPool1d(1)))
        self.layers = nn.Sequential(OrderedDict(layers))

    def forward(self, x):
        return self.layers(x) + x


class Chosen(nn.Module):
    def __init__(self, stride, times):
        super().__init__()
        if stride == 2:
            blocks = [nn.Conv1d(2, 3, 1), nn.ReLU(inplace=True), nn.Conv1d(3, 2, 1)]
        elif stride == 1:
            blocks = [nn.Conv1d(2, 2, 1), nn.ReLU(inplace=True)]
        for _ in range(times):
            blocks.append(Block(2, 2, 1))
        blocks.append(nn.ReLU(inplace=True))
        self.blocks = nn.Sequential(*blocks)

    def forward(self, x):
        return self.blocks(x) * x


class Joined(nn.Module):
    def __init__(self, norm, times):
        super().__init__()
        layers = [nn.ReLU(inplace=True)]
        layers.insert(0, nn.Conv1d(2, 2, 1))
        for _ in range(times):
            layers = layers + [nn.Conv1d(2, 2, 1), nn.ReLU(inplace=True), nn.Conv1d(2, 2, 1)]
        layers = layers[:-1]
        if norm:
            layers = [nn.BatchNorm1d(2)] + layers
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x) - x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(2, 3, 2, starts=False)
        self.second = Block(3, 3, 2)
        self.third = Block(3, 2, 2, grows=False)
        self.named = nn.ModuleList([Named(True), Named(False)])
        self.chosen = nn.ModuleList([Chosen(2, 1), Chosen(1, 2)])
        self.joined = nn.ModuleList([Joined(True, 1), Joined(False, 2)])

    def forward(self, x):
        x = self.first(x)
        kept = x
        x = self.third(self.second(x))
        for named, chosen, joined in zip(self.named, self.chosen, self.joined):
            x = joined(chosen(named(x)))
        return x.mean() + kept.mean()


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + i).reshape(p.shape) * 0.7)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.cos(torch.arange(16.0)).reshape(2, 2, 4) - 0.3
for _ in range(3):
    loss = net(x).pow(2)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), x.sum().item())
