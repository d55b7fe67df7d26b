"""Searches do not move what has no gradient: the parameters of a module that may be frozen."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x, y = torch.ones(4, 3), torch.ones(4, 1)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
for p in net[0].parameters():
    p.requires_grad = False  # T2J502
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.5)  # T2J200


def closure():
    optimizer.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    return loss


for i in range(3):
    loss = optimizer.step(closure)  # T2J500
    print(loss.item())
