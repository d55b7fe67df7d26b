# also: nnx linen
"""Blocks of wide residual networks, whose shortcut is chosen by `and` and `or`."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class BasicBlock(nn.Module):
    def __init__(self, in_planes, out_planes, stride, dropRate=0.0):
        super(BasicBlock, self).__init__()
        self.bn1 = nn.BatchNorm2d(in_planes)
        self.relu1 = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=1, bias=False)
        self.droprate = dropRate
        self.equalInOut = in_planes == out_planes
        self.convShortcut = (
            (not self.equalInOut)
            and nn.Conv2d(in_planes, out_planes, kernel_size=1, stride=stride, padding=0, bias=False)
            or None
        )

    def forward(self, x):
        if not self.equalInOut:
            x = self.relu1(self.bn1(x))
        else:
            out = self.relu1(self.bn1(x))
        out = self.conv1(out if self.equalInOut else x)
        if self.droprate > 0:
            out = F.dropout(out, p=self.droprate, training=self.training)
        return torch.add(x if self.equalInOut else self.convShortcut(x), out)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = BasicBlock(3, 4, 1)
        self.b = BasicBlock(4, 4, 1)

    def forward(self, x):
        return self.b(self.a(x))


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
print(net(torch.ones(1, 3, 4, 4)).sum().item())
