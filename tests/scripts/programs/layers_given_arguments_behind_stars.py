"""Layers that are made with arguments behind stars, some of which they have no argument for in JAX."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def get_norm(module, norm="none", **norm_kwargs):
    if norm == "group":
        return nn.GroupNorm(1, module.out_channels, **norm_kwargs)
    if norm == "layer":
        return nn.LayerNorm(module.out_channels, **norm_kwargs)
    return nn.Identity()


class NormConv(nn.Module):
    def __init__(self, *args, norm="none", norm_kwargs={}, **kwargs):
        super().__init__()
        self.conv = nn.Conv1d(*args, **kwargs)
        self.norm = get_norm(self.conv, norm, **norm_kwargs)

    def forward(self, x):
        return self.norm(self.conv(x))


class NormUp(nn.Module):
    def __init__(self, *args, norm="none", norm_kwargs={}, **kwargs):
        super().__init__()
        self.convtr = nn.ConvTranspose1d(*args, **kwargs)
        self.norm = get_norm(nn.Conv1d(2, 2, 1), norm, **norm_kwargs)

    def forward(self, x):
        return self.norm(self.convtr(x))


class ConvBlock(nn.Module):
    def __init__(self, cin, cout, k=3, norm="group", norm_kwargs={"eps": 1e-3}):
        super().__init__()
        self.down = NormConv(cin, cout, k, stride=2, norm=norm, norm_kwargs=norm_kwargs)
        self.up = NormUp(cout, cin, k, 2, padding=1, bias=False, norm=norm, norm_kwargs=norm_kwargs)

    def forward(self, x, size=None):
        if size is None:
            pass
        else:
            pass
        y = self.up(self.down(x))
        return F.interpolate(y, size=size, scale_factor=None if size else 2.0, mode="linear", align_corners=False)


m = ConvBlock(2, 4)
with torch.no_grad():
    for i, p in enumerate(m.parameters()):
        p.copy_(torch.linspace(-0.5, 0.6 + i * 0.1, p.numel()).reshape(p.shape))
x = torch.linspace(-1, 1.7, 48).reshape(2, 2, 12)
with torch.no_grad():
    y = m(x)
    print(tuple(y.shape), y.sum().item(), y.abs().sum().item())
    y = m(x, 7)
    print(tuple(y.shape), y.sum().item(), y.abs().sum().item())
