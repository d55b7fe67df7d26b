# flagged: T2J604
"""A module with state under two names: the translation would hold two copies of its state."""

import torch
import torch.nn as nn

x = torch.arange(8.0).view(4, 2) / 8
net = nn.BatchNorm1d(2)
best = None
for i in range(3):
    net(x + i)
    if i == 1:
        best = net
print(best.running_mean.tolist())
