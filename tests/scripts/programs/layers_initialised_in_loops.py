"""Loops over all layers of a model that compute what they fill parameters with, and ask for the private bases of layers."""

import math

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.group = nn.GroupNorm(2, 4)
        self.head = nn.Linear(4, 2)
        for m in self.modules():
            if isinstance(m, nn.modules.conv._ConvNd):
                n = m.kernel_size[0] * m.kernel_size[1] * m.out_channels
                m.weight.data.fill_(math.sqrt(2.0 / n))
                if m.bias is not None:
                    m.bias.data.zero_()
            elif isinstance(m, (_BatchNorm, nn.GroupNorm)):
                m.weight.data.fill_(2)
                m.bias.data.fill_(0.5)
            elif isinstance(m, nn.Linear):
                count = m.weight.size(1)
                m.weight.data.fill_(1 / count)
                m.bias.data.zero_()

    def forward(self, x):
        return self.head(self.group(self.norm(self.conv(x))).mean((2, 3)) ** 2)


m = Net()
print(sum(isinstance(k, _BatchNorm) for k in m.modules()), isinstance(m.norm, (nn.BatchNorm1d, nn.BatchNorm2d)))
x = torch.arange(150.0).view(2, 3, 5, 5).sin()
print(m(x).tolist())
print(m.conv.weight.mean().item(), m.group.bias.mean().item(), m.norm.running_mean.sum().item())
