# also: nnx, linen
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Sequential):
    def __init__(self, n, width, growth):
        super().__init__()
        for i in range(n):
            self.add_module("layer%d" % (i + 1), nn.Linear(width, width))
        self.add_module("out", nn.Linear(width, growth))


class Net(nn.Module):
    def __init__(self, pool_only, config=(1, 2)):
        super().__init__()
        if pool_only:
            self.features = nn.Sequential(OrderedDict([
                ("conv0", nn.Conv1d(3, 4, 3, padding=1)),
                ("pool0", nn.AvgPool1d(2)),
            ]))
        else:
            # a stride instead
            self.features = nn.Sequential(OrderedDict([
                ("conv0", nn.Conv1d(3, 4, 3, stride=2, padding=1)),
                ("norm0", nn.BatchNorm1d(4)),
                ("max0", nn.MaxPool1d(1)),
            ]))
        width = 4
        for i, n in enumerate(config):
            self.features.add_module("block%d" % (i + 1), Block(n, width, width * 2))
            width *= 2
            if i != len(config) - 1:
                self.features.add_module("down%d" % (i + 1), nn.Linear(width, width))
        if pool_only:
            self.head = nn.Sequential(nn.Linear(width, 3))
        else:
            self.head = nn.Sequential(nn.ReLU(), nn.Linear(width, 3))
        self.head.append(nn.Tanh())

    def forward(self, x):
        features = self.features(x)
        return self.head(F.relu(features, inplace=True).mean(1))


torch.manual_seed(0)
for pool_only in (True, False):
    net = Net(pool_only)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)
    print(sorted(net.state_dict())[:5], len(net.state_dict()))
    print(net(torch.linspace(0, 1, 48).reshape(2, 3, 8)).tolist())
    net.eval()
    print(net(torch.linspace(0, 1, 48).reshape(2, 3, 8)).tolist())
