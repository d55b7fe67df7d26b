"""Modules that give themselves to functions which change them, in methods that run while they are made and later."""

from torch import nn


def fill_all(net, value):
    for p in net.parameters():
        nn.init.constant_(p, value)


class FilledAgain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.reset()

    def reset(self):
        fill_all(self, 0.5)  # T2J606

    def forward(self, x):
        return self.fc(x)


again = FilledAgain()
again.reset()
