"""A module changes what it was given, and whoever has given that looks at it again."""

import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 8)
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(torch.relu(self.stem(x)))


class Net(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone  # T2J303
        backbone.fc = nn.Identity()

    def forward(self, x):
        return self.backbone(x)


def main():
    backbone = Backbone()
    net = Net(backbone)
    return net, backbone(torch.ones(3, 4))
