"""Whether parameters are trained, asked of a module that was frozen behind its last step."""

import torch
from torch import nn


def is_trained(layer):
    return layer.weight.requires_grad  # T2J203


net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.ones(1, 2)).sum()
opt.zero_grad()
loss.backward()
opt.step()
for p in net.parameters():
    p.requires_grad_(False)  # T2J502
print(is_trained(net[0]))
