"""Layers that are one class in the translation, of which a program asks for one that has no class of its own there."""

import torch.nn as nn

net = nn.Sequential(nn.Linear(2, 2), nn.CircularPad1d(1), nn.Tanh())
for module in net:
    if isinstance(module, nn.CircularPad1d):  # T2J205
        print("found")
    if isinstance(module, (nn.LPPool1d, nn.Tanh)):  # T2J200
        print("one of two")
