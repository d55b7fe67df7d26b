# flagged: T2J601
"""A table of which a field gets a parameter, that torch trains, or a number, as a name says."""

import torch
import torch.nn as nn

TABLE = {"plain": {"scale": 2.0}, "trained": {"scale": nn.Parameter(torch.ones(1))}}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def build(name):
    model = Net()
    model.scale = TABLE[name]["scale"]
    return model


for name in TABLE:
    print(len(list(build(name).parameters())), build(name).scale)
