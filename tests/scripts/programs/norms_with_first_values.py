"""Norms of several kinds, of which some are given the values that all have anyway, and tests that name all kinds."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.BatchNorm2d(3)
        self.last = nn.BatchNorm1d(3)
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                m.bias.data.zero_()
        for m in self.modules():
            if isinstance(m, (nn.BatchNorm2d, nn.BatchNorm1d)):
                nn.init.constant_(m.weight, 2)

    def forward(self, x):
        return self.last(self.first(x).mean((2, 3)))


net = Net()
print(
    net.first.weight.sum().item(), net.last.weight.sum().item(), isinstance(net.last, nn.modules.batchnorm._BatchNorm)
)
print(net(torch.arange(54.0).view(2, 3, 3, 3).sin()).tolist())
