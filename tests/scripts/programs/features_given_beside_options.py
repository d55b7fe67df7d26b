# also: nnx, linen
"""A model that is given its layers beside options in a dict, and sets the weights of all: nobody else has these layers."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, features, classes=2, bias=True):
        super().__init__()
        self.features = features
        self.classifier = nn.Linear(3, classes, bias=bias)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.constant_(module.weight, 0.5)

    def forward(self, x):
        return self.classifier(self.features(x))


def make_layers(widths):
    layers = []
    for one, other in zip(widths[:-1], widths[1:]):
        layers += [nn.Linear(one, other, bias=False), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers)


def small(**kwargs):
    return Net(make_layers([2, 3]), **kwargs)


def large(**kwargs):
    kwargs["bias"] = False
    model = Net(make_layers([2, 4, 3]), **kwargs)
    return model


for net in (small(classes=1, bias=False), large()):
    print(net(torch.tensor([[1.0, -0.5], [0.25, 2.0]])).tolist())
