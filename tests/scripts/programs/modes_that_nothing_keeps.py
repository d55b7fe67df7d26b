# flagged: T2J603
"""Layers without a mode do not tell which one they were set to."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
net.eval()
print(net.training, net(torch.zeros(2, 3)).shape)
