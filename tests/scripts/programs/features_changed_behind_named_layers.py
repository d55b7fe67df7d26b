# also: nnx, linen
"""A dense network of named layers, whose features an activation changes in place and of which only the size is read then."""

from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Sequential):
    def __init__(self, width, growth):
        super().__init__()
        self.add_module("norm", nn.GroupNorm(1, width))
        self.add_module("relu", nn.ReLU(inplace=True))
        self.add_module("conv", nn.Conv1d(width, growth, 3, padding=1, bias=False))

    def forward(self, x):
        return torch.cat([x, super().forward(x)], 1)


class Block(nn.Sequential):
    def __init__(self, count, width, growth):
        super().__init__()
        for i in range(count):
            self.add_module("layer{}".format(i + 1), Layer(width + i * growth, growth))


class Transition(nn.Sequential):
    def __init__(self, width, out):
        super().__init__()
        self.add_module("norm", nn.GroupNorm(1, width))
        self.add_module("relu", nn.ReLU(inplace=True))
        self.add_module("conv", nn.Conv1d(width, out, 1, bias=False))


class Net(nn.Module):
    def __init__(self, pool=True, counts=(1, 2)):
        super().__init__()
        self.features = [("conv1", nn.Conv1d(2, 4, 3, padding=1)), ("relu1", nn.ReLU(inplace=True))]
        if pool:
            self.features.append(("pool1", nn.MaxPool1d(2)))
        self.features = nn.Sequential(OrderedDict(self.features))
        width = 4
        for i, count in enumerate(counts):
            self.features.add_module("block{}".format(i + 1), Block(count, width, 2))
            width = width + count * 2
            if i != len(counts) - 1:
                self.features.add_module("transition{}".format(i + 1), Transition(width, width // 2))
                width = width // 2
        self.features.add_module("norm5", nn.GroupNorm(1, width))
        self.classifier = nn.Linear(width, 2)

    def forward(self, x):
        features = self.features(x)
        out = F.relu(features, inplace=True)
        out = F.adaptive_avg_pool1d(out, 1).view(features.size(0), -1)
        return self.classifier(out)


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + i).reshape(p.shape) * 0.7)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.cos(torch.arange(32.0)).reshape(2, 2, 8) - 0.3
for _ in range(2):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), x.sum().item())
