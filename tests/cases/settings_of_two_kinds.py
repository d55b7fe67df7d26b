import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, scale=None, shift=None):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.scale = scale  # T2J601
        self.shift = shift

    def forward(self, x):
        return self.fc(x) * self.scale + self.shift


SETTINGS = {
    "trained": dict(scale=nn.Parameter(torch.ones(2)), shift=torch.ones(2)),
    "constant": dict(scale=torch.ones(2), shift=1.0),
}


def make(name):
    return Net(**SETTINGS[name])
