# also: nnx, linen
"""Results of residual blocks are added up in place: their loops run, so no block gives back its argument."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class ResBlock1(nn.Module):
    def __init__(self, channels, dilation=(1, 3)):
        super().__init__()
        self.convs1 = nn.ModuleList(
            [
                nn.Conv1d(channels, channels, 3, 1, dilation=dilation[0], padding=dilation[0]),
                nn.Conv1d(channels, channels, 3, 1, dilation=dilation[1], padding=dilation[1]),
            ]
        )
        self.convs2 = nn.ModuleList(
            [
                nn.Conv1d(channels, channels, 3, 1, padding=1),
                nn.Conv1d(channels, channels, 3, 1, padding=1),
            ]
        )

    def forward(self, x):
        for c1, c2 in zip(self.convs1, self.convs2):
            xt = c1(F.leaky_relu(x, 0.1))
            xt = c2(F.leaky_relu(xt, 0.1))
            x = xt + x
        return x


class ResBlock2(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 3, padding=1)

    def forward(self, x):
        for i in range(2):
            if i == 1:
                x = x * 0.5
                continue
            x = self.conv(x) + x
        return x


class ResBlock3(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.convs = nn.Sequential(nn.Conv1d(channels, channels, 1), nn.Conv1d(channels, channels, 1))

    def forward(self, x):
        for i, c in enumerate(self.convs):
            x = x + c(x) / (i + 1)
        return x


class Generator(nn.Module):
    def __init__(self, kind, num_upsamples=2, num_kernels=2):
        super().__init__()
        resblock = {"1": ResBlock1, "2": ResBlock2, "3": ResBlock3}[kind]
        self.num_kernels = num_kernels
        self.num_upsamples = num_upsamples
        self.resblocks = nn.ModuleList()
        for _ in range(num_upsamples):
            for _ in range(num_kernels):
                self.resblocks.append(resblock(4))

    def forward(self, x):
        for i in range(self.num_upsamples):
            xs = None
            for j in range(self.num_kernels):
                if xs is None:
                    xs = self.resblocks[i * self.num_kernels + j](x)
                else:
                    xs += self.resblocks[i * self.num_kernels + j](x)
            x = xs / self.num_kernels
        return x


def scaled(x, factors):
    for factor in (2.0, 3.0):
        x = x * factor
    for factor in factors:
        x = x + factor
    return x


def main():
    x = torch.arange(16.0).reshape(1, 4, 4).sin()
    for kind in ("1", "2", "3"):
        net = Generator(kind)
        for p in net.parameters():
            nn.init.constant_(p, 0.05)
        print(kind, net(x).sum().item())
    y = scaled(x, [])
    y += 1
    print(x.sum().item(), y.sum().item())


main()
