# also: nnx
"""Functions set the mode of a module that they are given, or that apply gives them."""

import torch
import torch.nn as nn


def rest(m):
    m.eval()


def rest_bn(m):
    if isinstance(m, nn.BatchNorm1d):
        m.eval()


net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout(0.5))
nn.init.constant_(net[0].weight, 0.5)
nn.init.constant_(net[0].bias, 0.5)
rest(net)
print(net(torch.eye(2)).sum().item())
net.train()
net.apply(rest_bn)
net(torch.eye(2))
print(net[1].running_mean.sum().item())
