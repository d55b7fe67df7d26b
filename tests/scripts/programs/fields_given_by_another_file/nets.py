"""A model that has no part with the name `features`."""

from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
        self.classifier = nn.Linear(4, 2)

    def forward(self, x):
        return self.classifier(self.stem(x))


def small():
    return Net()
