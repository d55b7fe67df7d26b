"""A function makes modules with state that become parts of others, and such that stand alone."""

from torch import nn


def build(n):
    net = nn.Sequential(nn.Linear(3, n), nn.BatchNorm1d(n))
    return net, n


def make(n):
    return nn.Sequential(nn.Linear(3, n), nn.BatchNorm1d(n))


class Whole(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.backbone, dim = build(n)  # T2J200
        self.other = make(dim)  # T2J200
        self.head = nn.Linear(dim, 2)

    def forward(self, x):
        return self.head(self.backbone(x) + self.other(x))


def main(x):
    net, _ = build(2)
    y = net(x)
    other = make(2)
    print(Whole(4), y, other)
