"""Convolutions of torch.nn as modules of Flax Linen: channels on axis 1, torch's weight shapes and padding."""

import math
from typing import Any

import jax.numpy as jnp
from flax import linen as nn

from torch2jax.runtime.convolution import conv, conv_transpose, extra_padding
from torch2jax.runtime.linen_layers import uniform
from torch2jax.runtime.shapes import per_axis


class Conv(nn.Module):
    """What Conv1d, Conv2d and Conv3d share: torch's weight (out, in // groups, ...) and bias (out,)."""

    in_channels: int
    out_channels: int
    kernel_size: Any
    stride: Any = 1
    padding: Any = 0
    dilation: Any = 1
    groups: int = 1
    use_bias: bool = True
    padding_mode: str = "zeros"
    dtype: Any = None

    def __post_init__(self):
        names = ("kernel_size", "stride", "dilation", *(() if isinstance(self.padding, str) else ("padding",)))
        for name in names:
            vars(self)[name] = per_axis(getattr(self, name), self.ndim)
        super().__post_init__()

    def setup(self):
        shape = (self.out_channels, self.in_channels // self.groups, *self.kernel_size)
        init = uniform(1 / math.sqrt(math.prod(shape[1:])))
        self.weight = self.param("weight", init, shape, self.dtype)
        self.bias = self.param("bias", init, (self.out_channels,), self.dtype) if self.use_bias else None

    def __call__(self, x):
        padding = self.padding
        if self.padding_mode != "zeros":
            x, padding = self.padded(x), 0
        return conv(x, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def padded(self, x):
        """`x` with the entries on its borders that the padding mode asks for."""
        sizes = list(zip(self.kernel_size, self.dilation))
        if self.padding == "same":
            totals = [d * (k - 1) for k, d in sizes]
            widths = [(total // 2, total - total // 2) for total in totals]
        else:
            widths = [(p, p) for p in per_axis(0 if self.padding == "valid" else self.padding, self.ndim)]
        mode = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[self.padding_mode]
        return jnp.pad(x, [(0, 0)] * (x.ndim - len(widths)) + widths, mode=mode)


class Conv1d(Conv):
    """torch.nn.Conv1d."""

    ndim = 1


class Conv2d(Conv):
    """torch.nn.Conv2d."""

    ndim = 2


class Conv3d(Conv):
    """torch.nn.Conv3d."""

    ndim = 3


class ConvTranspose(nn.Module):
    """What ConvTranspose1d, 2d and 3d share: torch's weight (in, out // groups, ...) and bias (out,)."""

    in_channels: int
    out_channels: int
    kernel_size: Any
    stride: Any = 1
    padding: Any = 0
    output_padding: Any = 0
    groups: int = 1
    use_bias: bool = True
    dilation: Any = 1
    dtype: Any = None

    def __post_init__(self):
        for name in ("kernel_size", "stride", "padding", "output_padding", "dilation"):
            vars(self)[name] = per_axis(getattr(self, name), self.ndim)
        super().__post_init__()

    def setup(self):
        shape = (self.in_channels, self.out_channels // self.groups, *self.kernel_size)
        init = uniform(1 / math.sqrt(math.prod(shape[1:])))
        self.weight = self.param("weight", init, shape, self.dtype)
        self.bias = self.param("bias", init, (self.out_channels,), self.dtype) if self.use_bias else None

    def __call__(self, x, output_size=None):
        extra = self.output_padding
        if output_size is not None:
            extra = extra_padding(x, output_size, self.kernel_size, self.stride, self.padding, self.dilation)
        options = (self.stride, self.padding, extra, self.groups, self.dilation)
        return conv_transpose(x, self.weight, self.bias, *options)


class ConvTranspose1d(ConvTranspose):
    """torch.nn.ConvTranspose1d."""

    ndim = 1


class ConvTranspose2d(ConvTranspose):
    """torch.nn.ConvTranspose2d."""

    ndim = 2


class ConvTranspose3d(ConvTranspose):
    """torch.nn.ConvTranspose3d."""

    ndim = 3
