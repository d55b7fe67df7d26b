# also: nnx, linen
"""Parts of a model made of the children of its features: one that begins with a ReLU in place changes what the one before it gave."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.features = features
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.features(x).mean((2, 3)))


def make_layers(cfg, batch_norm=False):
    layers = []
    n = 3
    for v in cfg:
        if v == "M":
            layers += [nn.MaxPool2d(2)]
        else:
            conv = nn.Conv2d(n, v, 3, padding=1)
            layers += [conv, nn.ReLU(inplace=True)]
            n = v
    return nn.Sequential(*layers)


def small(**kwargs):
    return Model(make_layers([2, 4, "M", 4]), **kwargs)


class Begun(nn.Module):
    def __init__(self):
        super().__init__()
        features = small().features
        self.to1 = nn.Sequential(*list(features.children())[:1])
        self.to2 = nn.Sequential(*list(features.children())[1:3])
        self.to3 = features[3:5]

    def forward(self, x):
        a = self.to1(x)
        b = self.to2(a)
        c = self.to3(b)
        return a, b, c


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        features = small().features
        self.to1 = nn.Sequential(*list(features.children())[:2])
        self.to2 = nn.Sequential(*list(features.children())[2:4])
        self.to3 = nn.Sequential(*list(features)[4:])

    def forward(self, x):
        a = self.to1(x)
        b = self.to2(a)
        c = self.to3(b)
        return a, b, c


for cls in (Begun, Whole):
    net = cls()
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) + i).reshape(p.shape) * 0.3)
    x = torch.cos(torch.arange(96.0)).reshape(1, 3, 4, 8)
    print([out.sum().item() for out in net(x)], x.sum().item())
