# also: linen
"""Layers with state and without in one table that a decorator fills."""

import torch
import torch.nn as nn

LAYERS = dict()


def register_layer(cls):
    LAYERS[cls.__name__] = cls
    return cls


@register_layer
class BN(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(x)


@register_layer
class FC(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = LAYERS[layer]()

    def forward(self, x):
        return self.layer(x)


for layer in ("BN", "FC"):
    net = Net(layer)
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.3)
    x = torch.linspace(-1, 1, 12).reshape(4, 3)
    print(layer, round(net(x).sum().item(), 4))
    net.eval()
    print(layer, round(net(x).sum().item(), 4))
