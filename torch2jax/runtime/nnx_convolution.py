"""Convolutions of torch.nn as modules of Flax NNX: channels on axis 1, torch's weight shapes and padding."""

import math

import jax.numpy as jnp
from flax import nnx

from torch2jax.runtime.convolution import conv, conv_transpose, extra_padding
from torch2jax.runtime.nnx_layers import uniform_param, value_of
from torch2jax.runtime.shapes import per_axis


class Conv(nnx.Module):
    """torch.nn.Conv1d, 2d and 3d, with torch's weight (out, in // groups, ...) and bias (out,)."""

    def __init__(
        self,
        num_spatial_dims,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        dtype=None,
        *,
        rngs,
    ):
        kernel = per_axis(kernel_size, num_spatial_dims)
        bound = 1 / math.sqrt(in_channels // groups * math.prod(kernel))
        self.weight = uniform_param(rngs, (out_channels, in_channels // groups, *kernel), bound, dtype)
        self.bias = uniform_param(rngs, (out_channels,), bound, dtype) if bias else nnx.data(None)
        self.in_channels, self.out_channels, self.kernel_size, self.groups = in_channels, out_channels, kernel, groups
        self.stride, self.dilation = per_axis(stride, num_spatial_dims), per_axis(dilation, num_spatial_dims)
        self.padding = padding if isinstance(padding, str) else per_axis(padding, num_spatial_dims)
        self.padding_mode = padding_mode

    def __call__(self, x):
        padding = self.padding
        if self.padding_mode != "zeros":
            x, padding = self.padded(x), 0
        return conv(x, self.weight[...], value_of(self.bias), self.stride, padding, self.dilation, self.groups)

    def padded(self, x):
        """`x` with the entries on its borders that the padding mode asks for."""
        sizes = list(zip(self.kernel_size, self.dilation))
        if self.padding == "same":
            totals = [d * (k - 1) for k, d in sizes]
            widths = [(total // 2, total - total // 2) for total in totals]
        else:
            widths = [(p, p) for p in per_axis(0 if self.padding == "valid" else self.padding, len(sizes))]
        mode = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[self.padding_mode]
        return jnp.pad(x, [(0, 0)] * (x.ndim - len(widths)) + widths, mode=mode)


class Conv1d(Conv):
    """torch.nn.Conv1d."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(1, *args, rngs=rngs, **kwargs)


class Conv2d(Conv):
    """torch.nn.Conv2d."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(2, *args, rngs=rngs, **kwargs)


class Conv3d(Conv):
    """torch.nn.Conv3d."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(3, *args, rngs=rngs, **kwargs)


class ConvTranspose(nnx.Module):
    """torch.nn.ConvTranspose1d, 2d and 3d, with torch's weight (in, out // groups, ...) and bias (out,)."""

    def __init__(
        self,
        num_spatial_dims,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        dtype=None,
        *,
        rngs,
    ):
        kernel = per_axis(kernel_size, num_spatial_dims)
        bound = 1 / math.sqrt(out_channels // groups * math.prod(kernel))
        self.weight = uniform_param(rngs, (in_channels, out_channels // groups, *kernel), bound, dtype)
        self.bias = uniform_param(rngs, (out_channels,), bound, dtype) if bias else nnx.data(None)
        self.in_channels, self.out_channels, self.kernel_size, self.groups = in_channels, out_channels, kernel, groups
        self.stride, self.padding = per_axis(stride, num_spatial_dims), per_axis(padding, num_spatial_dims)
        self.output_padding = per_axis(output_padding, num_spatial_dims)
        self.dilation = per_axis(dilation, num_spatial_dims)

    def __call__(self, x, output_size=None):
        extra = self.output_padding
        if output_size is not None:
            extra = extra_padding(x, output_size, self.kernel_size, self.stride, self.padding, self.dilation)
        weight, bias = self.weight[...], value_of(self.bias)
        return conv_transpose(x, weight, bias, self.stride, self.padding, extra, self.groups, self.dilation)


class ConvTranspose1d(ConvTranspose):
    """torch.nn.ConvTranspose1d."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(1, *args, rngs=rngs, **kwargs)


class ConvTranspose2d(ConvTranspose):
    """torch.nn.ConvTranspose2d."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(2, *args, rngs=rngs, **kwargs)


class ConvTranspose3d(ConvTranspose):
    """torch.nn.ConvTranspose3d."""

    def __init__(self, *args, rngs, **kwargs):
        super().__init__(3, *args, rngs=rngs, **kwargs)
