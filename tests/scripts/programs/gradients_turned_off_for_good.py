# also: nnx, linen
"""Gradients turned off in a program that takes none."""

import torch
from torch import nn
torch.set_grad_enabled(False)
net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.1)
print(net(torch.ones(3, 2)).sum().item())
