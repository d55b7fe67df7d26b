# also: nnx, linen
"""Layers without parameters are made by functions that hand on whatever arguments they are given."""

import torch
from torch import nn


def conv_nd(dims, *args, **kwargs):
    if dims == 1:
        return nn.Conv1d(*args, **kwargs)
    elif dims == 2:
        return nn.Conv2d(*args, **kwargs)
    raise ValueError(f"unsupported dimensions: {dims}")


def avg_pool_nd(dims, *args, **kwargs):
    if dims == 1:
        return nn.AvgPool1d(*args, **kwargs)
    elif dims == 2:
        return nn.AvgPool2d(*args, **kwargs)
    elif dims == 3:
        return nn.AvgPool3d(*args, **kwargs)
    raise ValueError(f"unsupported dimensions: {dims}")


def dropout(*args, **kwargs):
    return nn.Dropout(*args, **kwargs)


def max_pool(*args, **kwargs):
    return nn.MaxPool2d(*args, **kwargs)


def up(**kwargs):
    return nn.Upsample(**kwargs)


def flatten(*args):
    return nn.Flatten(*args)


def leaky(**kw):
    return nn.LeakyReLU(**kw)


def adaptive(*a):
    return nn.AdaptiveAvgPool2d(*a)


class Downsample(nn.Module):
    def __init__(self, channels, use_conv, dims=2, out_channels=None):
        super().__init__()
        self.channels = channels
        self.out_channels = out_channels or channels
        self.use_conv = use_conv
        self.dims = dims
        stride = 2 if dims != 3 else (1, 2, 2)
        if use_conv:
            self.op = conv_nd(dims, self.channels, self.out_channels, 3, stride=stride, padding=1)
        else:
            assert self.channels == self.out_channels
            self.op = avg_pool_nd(dims, kernel_size=stride, stride=stride)

    def forward(self, x):
        assert x.shape[1] == self.channels
        return self.op(x)


torch.manual_seed(0)
x = torch.arange(2 * 3 * 8 * 8).float().reshape(2, 3, 8, 8) / 50
print(Downsample(3, False)(x).sum(), avg_pool_nd(2, 3, 2, 1, False, False)(x).sum())
print(avg_pool_nd(2, kernel_size=2, stride=None, ceil_mode=True)(x[:, :, :7, :7]).sum())
print(Downsample(3, False, 1)(x[0].transpose(0, 1)[:1].expand(2, 3, 8)).shape)
print(Downsample(3, False, 3)(x[None].transpose(1, 2)).shape)
print(Downsample(3, True)(x).shape)
print(max_pool(2)(x).sum(), max_pool(3, stride=2, padding=1)(x).sum())
print(up(scale_factor=2, mode="nearest")(x).sum())
print(flatten()(x).shape, flatten(2)(x).shape)
print(leaky(negative_slope=0.2, inplace=True)(-x).sum())
print(dropout(p=0.0)(x * 2).sum(), adaptive(1)(x).shape)
