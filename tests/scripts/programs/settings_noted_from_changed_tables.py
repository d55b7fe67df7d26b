# flagged: T2J601
"""A table that is changed before its entries are given to a model: one of them is a parameter then."""

import torch
import torch.nn as nn

TABLE = {"plain": {"scale": 2.0, "sizes": [1, 2]}}
TABLE["plain"]["scale"] = nn.Parameter(torch.ones(1))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def build(name):
    model = Net()
    model.scale = TABLE[name]["scale"]
    model.sizes = TABLE[name]["sizes"]
    return model


model = build("plain")
sizes = TABLE["plain"]["sizes"]
sizes.append(3)
print(len(list(model.parameters())), model.scale, model.sizes)
