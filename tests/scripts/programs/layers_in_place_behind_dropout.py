# flagged: T2J302
"""Dropout hands on what it is given outside of training: an activation in place behind it, in a list that grows in a loop, changes
the argument of the module.
"""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, times):
        super().__init__()
        layers = []
        for _ in range(times):
            layers.append(nn.Dropout(0.0))
            layers.append(nn.ReLU(inplace=True))
            layers.append(nn.Linear(2, 2, bias=False))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x) + x


net = Net(2)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.eye(2) * 2)
print(net(torch.tensor([[-1.0, 2.0]])).tolist())
