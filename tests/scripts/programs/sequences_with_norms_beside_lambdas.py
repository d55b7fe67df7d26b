# also: nnx, linen
"""Ways around blocks that are a sequence with a norm, or a lambda, and another sequence in a derived class."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.conv = nn.Conv2d(n, m, 1)
        self.bn = nn.BatchNorm2d(m)
        if n != m:
            self.downsample = nn.Sequential(nn.Conv2d(n, m, 1, bias=False), nn.BatchNorm2d(m))
        else:
            self.downsample = lambda x: x

    def forward(self, x):
        residual = self.downsample(x)
        return self.bn(self.conv(x)).relu() + residual


class PreActBlock(Block):
    def __init__(self, n, m):
        super().__init__(n, m)
        if n != m:
            self.downsample = nn.Sequential(nn.Conv2d(n, m, 1, bias=False))
        else:
            self.downsample = lambda x: x
        self.bn = nn.BatchNorm2d(n)

    def forward(self, x):
        residual = self.downsample(x)
        return self.conv(self.bn(x).relu()) + residual


class Net(nn.Module):
    def __init__(self, block):
        super().__init__()
        layers = []
        for n, m in ((3, 3), (3, 4), (4, 4)):
            layers.append(block(n, m))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x).mean((2, 3))


x = torch.arange(2 * 3 * 4 * 4.0).reshape(2, 3, 4, 4).sin()
for block in (Block, PreActBlock):
    net = Net(block)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_((torch.sin(torch.arange(p.numel()) * 0.7 + i) * 0.5).reshape(p.shape))
    print(net(x).flatten().tolist())
    net.eval()
    print(net(x).flatten().tolist())
