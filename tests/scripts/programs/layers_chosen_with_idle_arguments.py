# also: nnx, linen
"""Layers that partial makes with arguments which change nothing: norms by name, with and without statistics."""

import functools

import torch
from torch import nn


class Identity(nn.Module):
    def forward(self, x):
        return x


def norm_by_name(kind="instance"):
    if kind == "batch":
        norm = functools.partial(nn.BatchNorm2d, affine=True, track_running_stats=True)
    elif kind == "instance":
        norm = functools.partial(nn.InstanceNorm2d, affine=False, track_running_stats=False)
    elif kind == "none":

        def norm(x):
            return Identity()
    else:
        raise NotImplementedError(kind)
    return norm


class Generator(nn.Module):
    def __init__(self, width, norm=nn.BatchNorm2d, activation=functools.partial(nn.LeakyReLU, 0.1, inplace=True)):
        super().__init__()
        if type(norm) == functools.partial:
            use_bias = norm.func == nn.InstanceNorm2d
        else:
            use_bias = norm == nn.InstanceNorm2d
        layers = [nn.ReflectionPad2d(1), nn.Conv2d(2, width, 3, bias=use_bias), norm(width), activation()]
        for number in range(2):
            by = 2**number
            layers += [
                nn.Conv2d(width * by, width * by * 2, 3, 1, 1, bias=use_bias),
                norm(width * by * 2),
                nn.ReLU(True),
            ]
        self.model = nn.Sequential(*layers)

    def forward(self, x):
        return self.model(x)


def main():
    x = torch.linspace(-1, 1, 64).view(2, 2, 4, 4) ** 3
    for kind in ("batch", "instance", "none"):
        net = Generator(3, norm=norm_by_name(kind))
        with torch.no_grad():
            for number, p in enumerate(net.parameters()):
                p.copy_((torch.arange(p.numel()) * 0.7 + number).sin().view_as(p))
        y = net(x)
        print(kind, len(list(net.parameters())), y.sum().item(), y.square().sum().item())


main()
