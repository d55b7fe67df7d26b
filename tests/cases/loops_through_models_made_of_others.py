"""Loops through new models that hold others, which go into the mode as well."""

import torch
from torch import nn


class Wrapped(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x) * 2


net = nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.5))
for model in [Wrapped(net), nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5))]:
    model.eval()  # T2J603
    print(model(torch.ones(1, 3)))
print(net(torch.ones(1, 3)))

layers = [nn.Linear(3, 2), nn.Dropout(0.5)]
for model in [nn.Sequential(*layers)]:
    model.eval()  # T2J603
    print(model(torch.ones(1, 3)))
print(layers[1](torch.ones(1, 3)))
