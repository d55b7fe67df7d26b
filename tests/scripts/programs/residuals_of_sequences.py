# also: nnx
"""What sequences of blocks give is added to in place: blocks that make new tensors, in lists, and two sequences of one file."""

import torch
from torch import nn


def conv_of(width, out, size, bias=True):
    return nn.Conv2d(width, out, size, padding=size // 2, bias=bias)


class Head(nn.Sequential):
    def __init__(self, conv, width, act=nn.ReLU(True)):
        layers = [conv(3, width, 3)]
        if act is not None:
            layers.append(act)
        super().__init__(*layers)


class Block(nn.Module):
    def __init__(self, conv, width, bn=False, act=nn.ReLU(True), scale=1):
        super().__init__()
        layers = []
        for i in range(2):
            layers.append(conv(width, width, 3))
            if bn:
                layers.append(nn.BatchNorm2d(width))
            if i == 0:
                layers.append(act)
        self.body = nn.Sequential(*layers)
        self.scale = scale

    def forward(self, x):
        res = self.body(x).mul(self.scale)
        res += x
        return res


class Weighed(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.gate = nn.Sequential(nn.Conv2d(width, width, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.gate(self.pool(x))


class Attended(nn.Module):
    def __init__(self, conv, width, bn=False):
        super().__init__()
        layers = []
        for i in range(2):
            layers.append(conv(width, width, 3))
            if bn:
                layers.append(nn.BatchNorm2d(width))
            if i == 0:
                layers.append(nn.ReLU(True))
        layers.append(Weighed(width))
        self.body = nn.Sequential(*layers)

    def forward(self, x):
        res = self.body(x)
        res += x
        return res


class Deep(nn.Module):
    def __init__(self, width, blocks, conv=conv_of):
        super().__init__()

        def block(act):
            return Head(conv, width, act=act)

        self.first = conv(width, 3, 3)
        body = []
        body.append(block(nn.ReLU(True)))
        for _ in range(blocks - 1):
            body.append(nn.Conv2d(width, 3, 1))
            body.append(block(None))
        self.body = nn.Sequential(*body)

    def forward(self, x):
        res = self.body(self.first(x))
        res += x
        return res


class Upsampler(nn.Sequential):
    def __init__(self, conv, scale, width):
        layers = []
        if (scale & (scale - 1)) == 0:
            for _ in range(scale // 2):
                layers.append(conv(width, 4 * width, 3))
                layers.append(nn.PixelShuffle(2))
        else:
            raise NotImplementedError
        super().__init__(*layers)


class Net(nn.Module):
    def __init__(self, width, blocks, conv=conv_of):
        super().__init__()
        self.head = Head(conv, width)
        body = [Block(conv, width, scale=0.5) for _ in range(blocks)]
        body.append(conv(width, width, 3))
        self.body = nn.Sequential(*body)
        self.pair = nn.Sequential(Block(conv, width), Block(conv, width, bn=True))
        self.more = nn.Sequential(*[Attended(conv, width) for _ in range(blocks)], Deep(width, blocks))
        self.tail = nn.Sequential(*[Upsampler(conv, 2, width), conv(width, 3, 3)])

    def forward(self, x):
        x = self.head(x)
        res = self.body(x)
        res += x
        other = self.pair(res)
        other -= res
        more = self.more(res)
        more *= other
        other = other + more
        return self.tail(res) + self.tail(other)


def main():
    net = Net(4, 2)
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_((torch.arange(p.numel()) * 0.7 + number).sin().view_as(p) * 0.3)
    y = net(torch.linspace(0, 1, 48).view(1, 3, 4, 4))
    print(tuple(y.shape), round(y.sum().item(), 3), round(y.square().sum().item(), 3))


main()
