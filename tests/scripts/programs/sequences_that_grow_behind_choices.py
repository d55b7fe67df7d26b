# also: nnx, linen
"""Sequences of layers that begin in one of several ways, by a flag, and grow behind that."""

from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class Dense(nn.Module):
    def __init__(self, pool_only=True, growth=2):
        super().__init__()
        if pool_only:
            self.features = nn.Sequential(
                OrderedDict(
                    [
                        ("conv0", nn.Conv2d(3, 4, 3, bias=False)),
                        ("relu0", nn.ReLU(inplace=True)),
                        ("pool0", nn.MaxPool2d(2)),
                    ]
                )
            )
        else:
            self.features = nn.Sequential(
                OrderedDict(
                    [
                        ("conv0", nn.Conv2d(3, 4, 3, bias=False)),
                        ("norm0", nn.BatchNorm2d(4)),
                        ("relu0", nn.ReLU(inplace=True)),
                    ]
                )
            )
        features = 4
        for i in range(growth):
            self.features.add_module("block%d" % (i + 1), nn.Conv2d(features, features + 1, 1))
            features = features + 1
            if i != growth - 1:
                self.features.add_module("transition%d" % (i + 1), nn.Sigmoid())
        self.features.add_module("norm5", nn.BatchNorm2d(features))
        self.classifier = nn.Linear(features, 3)

    def forward(self, x):
        features = self.features(x)
        out = F.relu(features, inplace=True)
        out = F.adaptive_avg_pool2d(out, (1, 1)).view(features.size(0), -1)
        return self.classifier(out)


class Head(nn.Module):
    def __init__(self, kind, width=4):
        super().__init__()
        if kind == "norm":
            self.scale = 2.0
            self.net = nn.Sequential(nn.LayerNorm(width))
        elif kind == "act":
            self.scale = 3.0
            self.net = nn.Sequential(nn.Linear(width, width), nn.Tanh())
        else:
            self.scale = 4.0
            self.net = nn.Sequential()
        self.net.append(nn.Linear(width, 2))
        if kind != "bare":
            self.net.append(nn.Softplus())

    def forward(self, x):
        return self.net(x) * self.scale


def tail(deep):
    if deep:
        net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    else:
        net = nn.Sequential(nn.Identity())
    net.append(nn.Linear(2, 1))
    return net


def filled(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()) + i).reshape(p.shape) * 0.5)
    return net


x = torch.arange(2 * 3 * 6 * 6.0).reshape(2, 3, 6, 6).sin()
for flag in (True, False):
    net = filled(Dense(flag))
    print(len(net.features), [name for name, _ in net.features.named_children()])
    print(net(x).flatten().tolist())
    net.eval()
    print(net(x).flatten().tolist())
for kind in ("norm", "act", "bare"):
    head = filled(Head(kind))
    print(kind, len(head.net), head(x[0, 0, :, :4]).sum().item())
for deep in (True, False):
    print(filled(tail(deep))(x[0, 0, :, :2]).flatten().tolist())
