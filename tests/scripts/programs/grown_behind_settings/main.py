# also: nnx
"""Sequences of layers that grow while the module gets settings of which nothing is known but how they are used."""

import torch
from base import BaseModel
from torch import nn


class Block(nn.Sequential):
    def __init__(self, width, scale):
        super().__init__()
        self.add_module("lin", nn.Linear(width, width))
        self.add_module("act", nn.Tanh())
        self.scale = scale

    def forward(self, x):
        return super().forward(x) * self.scale


class Net(BaseModel):
    def __init__(self, inputs, classes, scale, early):
        super().__init__()
        self.features = nn.Sequential()
        self.num_classes = classes
        self.inputs = inputs
        if early:
            block = Block(inputs, scale)
        else:
            block = Block(inputs, scale + 1)
        self.features.add_module("block1", block)
        self.features.add_module("down", nn.Linear(inputs, 2))
        self.classifier = nn.Sequential()
        self.classifier.add_module("classifier", nn.Linear(2, self.num_classes))

    def forward(self, x):
        if self.inputs == 3:
            x = x + 1
        return self.classifier(self.features(x))


def build(options):
    return Net(options["inputs"], options["classes"], options["scale"], options["early"])


net = build({"inputs": 3, "classes": 4, "scale": 0.5, "early": True, "layers": [3], "name": "net"})
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape) * 0.1 - 0.1 * i)
print([name for name, _ in net.named_parameters()])
print(net(torch.ones(2, 3)).sum().item())
