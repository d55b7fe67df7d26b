# also: nnx, linen
"""Layers that are chosen by an argument and made with options behind stars."""

import torch
import torch.nn as nn


class Conv(nn.Module):
    def __init__(self, a, b, norm_layer=nn.BatchNorm2d, act_layer=nn.ReLU, conv_layer=nn.Conv2d, norm_kwargs=None, **options):
        super().__init__()
        norm_kwargs = norm_kwargs or {}
        self.conv = conv_layer(a, b, 3, **options)
        self.bn1 = norm_layer(b, **norm_kwargs)
        self.act1 = act_layer(inplace=True)

    def forward(self, x):
        return self.act1(self.bn1(self.conv(x)))


def resolve(kwargs):
    args = {}
    momentum = kwargs.pop("bn_momentum", None)
    if momentum is not None:
        args["momentum"] = momentum
    eps = kwargs.pop("bn_eps", None)
    if eps is not None:
        args["eps"] = eps
    return args


def build(**kwargs):
    settings = dict(norm_kwargs=resolve(kwargs), act_layer=nn.ReLU)
    return Conv(2, 3, bias=False, **settings)


x = torch.linspace(-1, 2, 2 * 2 * 5 * 5).view(2, 2, 5, 5)
for options in ({}, {"bn_eps": 0.1, "bn_momentum": 0.3}):
    net = build(**options)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.8, 0.7, p.numel()).view(p.shape))
    print(net(x).sum().item())
    print(net.bn1.running_mean.tolist())
    net.eval()
    print(net(x).sum().item())
