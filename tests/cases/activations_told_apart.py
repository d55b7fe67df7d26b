"""Layers that are one class in the translation, of which a program asks for one."""

import torch.nn as nn

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Tanh())
for module in net:
    if isinstance(module, nn.ReLU):  # T2J200
        print("found")
