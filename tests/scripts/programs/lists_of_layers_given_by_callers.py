# also: nnx, linen
"""A detector is given the lists of its layers by a function that hands on what others have filled: none begins in place."""

import torch
from torch import nn
from torch.nn import functional as F


class Detector(nn.Module):
    def __init__(self, base, extras, head):
        super().__init__()
        self.base = nn.ModuleList(base)
        self.norm = nn.GroupNorm(1, 4)
        self.extras = nn.ModuleList(extras)
        self.loc = nn.ModuleList(head[0])

    def forward(self, x):
        sources = list()
        loc = list()
        for k in range(4):
            x = self.base[k](x)
        sources.append(self.norm(x))
        for k in range(4, len(self.base)):
            x = self.base[k](x)
        sources.append(x)
        for k, v in enumerate(self.extras):
            x = F.relu(v(x), inplace=True)
            if k % 2 == 1:
                sources.append(x)
        for source, layer in zip(sources, self.loc):
            loc.append(layer(source).permute(0, 2, 3, 1).contiguous())
        return torch.cat([item.view(item.size(0), -1) for item in loc], 1)


def make_base(cfg, i, batch_norm=False):
    layers = []
    in_channels = i
    for v in cfg:
        if v == "M":
            layers += [nn.MaxPool2d(kernel_size=2, stride=2)]
        else:
            conv = nn.Conv2d(in_channels, v, kernel_size=3, padding=1)
            if batch_norm:
                layers += [conv, nn.BatchNorm2d(v), nn.ReLU(inplace=True)]
            else:
                layers += [conv, nn.ReLU(inplace=True)]
            in_channels = v
    pool = nn.MaxPool2d(kernel_size=3, stride=1, padding=1)
    last = nn.Conv2d(4, 6, kernel_size=1)
    layers += [pool, last, nn.ReLU(inplace=True)]
    return layers


def make_extras(cfg, i):
    layers = []
    for v in cfg:
        layers += [nn.Conv2d(i, v, kernel_size=1)]
        i = v
    return layers


def multibox(base, extras, boxes):
    loc = []
    for k, v in enumerate([2, -2]):
        loc += [nn.Conv2d(base[v].out_channels, boxes[k], kernel_size=3, padding=1)]
    for k, v in enumerate(extras[1::2], 2):
        loc += [nn.Conv2d(v.out_channels, boxes[k], kernel_size=3, padding=1)]
    return base, extras, (loc, [])


def build():
    base, extras, head = multibox(make_base([2, 4, "M"], 3), make_extras([3, 4], 6), [1, 2, 1])
    return Detector(base, extras, head)


net = build()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + i).reshape(p.shape) * 0.7)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.cos(torch.arange(96.0)).reshape(1, 3, 4, 8)
for _ in range(2):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item(), x.sum().item())
