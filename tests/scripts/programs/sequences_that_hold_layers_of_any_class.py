# also: nnx, linen
"""Blocks that are given a sequence for the way around them, in which the norm is of a class that somebody may give."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, n, m, stride=1, downsample=None, norm_layer=None):
        super().__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2d
        self.conv = nn.Conv2d(n, m, 1, stride=stride)
        self.bn = norm_layer(m)
        self.downsample = downsample

    def forward(self, x):
        identity = x
        out = self.bn(self.conv(x)).relu()
        if self.downsample is not None:
            identity = self.downsample(x)
        return out + identity


class Net(nn.Module):
    def __init__(self, norm_layer=None):
        super().__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2d
        self._norm_layer = norm_layer
        self.layer1 = self._make_layer(3, 4, 2)
        self.layer2 = self._make_pooled_layer(4, 6, 2)
        self.fc = nn.Linear(6, 2)

    def _make_layer(self, n, m, stride):
        norm_layer = self._norm_layer
        downsample = None
        if stride != 1 or n != m:
            downsample = nn.Sequential(nn.Conv2d(n, m, 1, stride), norm_layer(m))
        return nn.Sequential(Block(n, m, stride, downsample, norm_layer), Block(m, m, norm_layer=norm_layer))

    def _make_pooled_layer(self, n, m, stride):
        norm_layer = self._norm_layer
        downsample = None
        if stride != 1 or n != m:
            downsample = [nn.AvgPool2d(stride)] if stride != 1 else []
            downsample += [nn.Conv2d(n, m, 1), norm_layer(m)]
            downsample = nn.Sequential(*downsample)
        layers = [Block(n, m, stride, downsample, norm_layer)]
        for _ in range(2):
            layers.append(Block(m, m, norm_layer=norm_layer))
        return nn.Sequential(*layers)

    def forward(self, x):
        return self.fc(self.layer2(self.layer1(x)).mean((2, 3)))


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_((torch.sin(torch.arange(p.numel()) * 0.7 + i) * 0.5).reshape(p.shape))
x = torch.arange(2 * 3 * 8 * 8.0).reshape(2, 3, 8, 8).sin()
print(net(x).flatten().tolist())
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(3):
    optimizer.zero_grad()
    loss = (net(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
net.eval()
print(net(x).flatten().tolist())
