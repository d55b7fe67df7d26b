# also: nnx, linen
"""Models of lists that functions fill, with activations in place behind the first layer: what they are given stays as it is."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(net, s):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + i + s).reshape(p.shape) * 0.5)


def conv_bn(i, o, act=True):
    block = [nn.Conv2d(i, o, 3, padding=1)]
    block += [nn.BatchNorm2d(o)]
    if act:
        block.append(nn.ReLU(inplace=True))
    return block


class Extended(nn.Module):
    def __init__(self, widths=(1, 2, 3)):
        super().__init__()
        layers = []
        for a, b in zip(widths[:-1], widths[1:]):
            layers.extend(conv_bn(a, b))
        self.model = nn.Sequential(*layers, nn.Conv2d(widths[-1], 1, 1))

    def forward(self, x):
        return self.model(x)


class Added(nn.Module):
    def __init__(self, widths=(1, 2, 3)):
        super().__init__()
        layers = []
        for a, b in zip(widths[:-1], widths[1:]):
            layers += self.block(a, b, norm=a > 1)
        layers += [nn.Conv2d(widths[-1], 1, 1)]
        self.model = nn.Sequential(*layers)

    def block(self, a, b, norm):
        layers = [nn.Conv2d(a, b, 3, padding=1)]
        if norm:
            layers.append(nn.BatchNorm2d(b))
        layers.append(nn.LeakyReLU(0.2, True))
        return layers

    def forward(self, x):
        return self.model(x)


class Starred(nn.Module):
    def __init__(self, drop=0.0):
        super().__init__()
        self.model = nn.Sequential(*conv_bn(1, 2), *conv_bn(2, 2, False), nn.ReLU(True), nn.Conv2d(2, 1, 1))
        layers = [nn.Dropout(drop)] if drop else []
        layers += [nn.Conv2d(1, 1, 1), nn.ReLU(inplace=True)]
        self.head = nn.Sequential(*layers)

    def forward(self, x):
        return self.head(x) + self.model(x)


class Listed(nn.Module):
    def __init__(self, n=1):
        super().__init__()
        layers = [nn.Conv2d(1, 1, 1), *[nn.ReLU(inplace=True) for _ in range(n)]]
        self.model = nn.Sequential(*layers)

    def forward(self, x):
        return self.model(x) + x


for number, cls in enumerate((Extended, Added, Starred, Listed)):
    net = cls()
    fill(net, number)
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    x = torch.cos(torch.arange(64.0)).reshape(2, 1, 4, 8) - 0.3
    for step in range(3):
        y = net(x)
        loss = F.mse_loss(y, x * 0.5) + (y - x).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(cls.__name__, loss.item(), x.sum().item())
