# also: nnx
"""Norms of instances with statistics whose momentum is set from outside, and that are told apart by their classes."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.InstanceNorm2d(3, track_running_stats=True)
        self.b = nn.InstanceNorm1d(3, affine=True)
        self.c = nn.BatchNorm2d(3)

    def forward(self, x):
        y = self.c(self.a(x))
        return self.b(y.flatten(2))


def fill(m):
    if isinstance(m, nn.InstanceNorm2d):
        m.momentum = 0.4
    name = m.__class__.__name__
    if name.find("InstanceNorm1d") != -1:
        nn.init.constant_(m.weight, 3.0)
    elif isinstance(m, nn.modules.instancenorm._InstanceNorm):
        print("inst")


net = Net()
net.apply(fill)
x = torch.arange(48.0).reshape(2, 3, 2, 4).sin()
for i in range(2):
    print(net(x + i).abs().sum().item(), net.a.running_mean.tolist(), net.a.momentum)
net.eval()
print(net(x).tolist())
