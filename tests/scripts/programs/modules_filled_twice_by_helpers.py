# also: nnx, linen
"""Modules that give themselves to functions which change them, in methods that run while they are made and later."""

import torch
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
        fill_all(self, 0.5)

    def forward(self, x):
        return self.fc(x)


again = FilledAgain()
again.reset()
print(again(torch.ones(1, 3)).sum().item())
with torch.no_grad():
    again.fc.bias.zero_()
print(again(torch.ones(1, 3)).sum().item())
again.reset()
print(again(torch.ones(1, 3)).sum().item())
