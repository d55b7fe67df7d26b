"""Convolutions in torch's layout: (batch, channels, ...) inputs and torch's weight shapes and padding."""

import dataclasses
import math

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.shapes import per_axis


def conv(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """torch.nn.functional.conv1d, conv2d, conv3d (by the rank of `weight`), with or without a batch axis."""
    ndim = weight.ndim - 2
    if x.ndim == ndim + 1:
        return conv(x[None], weight, bias, stride, padding, dilation, groups)[0]
    dilation = per_axis(dilation, ndim)
    if padding == "same":
        totals = [d * (k - 1) for d, k in zip(dilation, weight.shape[2:])]
        padding = [(total // 2, total - total // 2) for total in totals]
    else:
        padding = [(p, p) for p in per_axis(0 if padding == "valid" else padding, ndim)]
    y = jax.lax.conv_general_dilated(
        x, weight, per_axis(stride, ndim), padding, rhs_dilation=dilation, feature_group_count=groups
    )
    return y if bias is None else y + bias.reshape((-1,) + (1,) * ndim)


def conv_transpose(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """torch.nn.functional.conv_transpose1d, 2d, 3d: `weight` is (in, out // groups, ...), padding crops the output."""
    ndim = weight.ndim - 2
    if x.ndim == ndim + 1:
        return conv_transpose(x[None], weight, bias, stride, padding, output_padding, groups, dilation)[0]
    dilation, kernel = per_axis(dilation, ndim), weight.shape[2:]
    pads = [
        (d * (k - 1) - p, d * (k - 1) - p + extra)
        for d, k, p, extra in zip(dilation, kernel, per_axis(padding, ndim), per_axis(output_padding, ndim))
    ]
    weight = jnp.flip(weight, range(2, 2 + ndim)).reshape(groups, -1, *weight.shape[1:])
    weight = weight.swapaxes(1, 2).reshape(-1, weight.shape[1], *kernel)  # (out, in // groups, ...)
    y = jax.lax.conv_general_dilated(
        x,
        weight,
        (1,) * ndim,
        pads,
        lhs_dilation=per_axis(stride, ndim),
        rhs_dilation=dilation,
        feature_group_count=groups,
    )
    return y if bias is None else y + bias.reshape((-1,) + (1,) * ndim)


def padding_of(layer):
    """`padding` of a torch.nn.Conv1d, 2d or 3d, or of one that is transposed."""
    if isinstance(layer.padding, str):
        return layer.padding.lower()
    return tuple(each if isinstance(each, int) else each[0] for each in layer.padding)


def extra_padding(x, output_size, kernel, stride, padding, dilation):
    """The output_padding that makes outputs of `output_size`, the spatial sizes with or without the other axes."""
    sizes = zip(x.shape[-len(kernel) :], kernel, stride, padding, dilation)
    smallest = [(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, k, s, p, d in sizes]
    extra = tuple(size - least for size, least in zip(output_size[-len(kernel) :], smallest))
    if any(not 0 <= e < s for e, s in zip(extra, stride)):
        raise ValueError(f"the output cannot be of size {tuple(output_size)}: the smallest one is {tuple(smallest)}")
    return extra


class ConvTranspose(eqx.Module):
    """torch.nn.ConvTranspose1d, 2d and 3d, with torch's weight (in, out // groups, ...) and bias (out,)."""

    weight: jax.Array
    bias: jax.Array | None
    in_channels: int = eqx.field(static=True)
    out_channels: int = eqx.field(static=True)
    kernel_size: tuple[int, ...] = eqx.field(static=True)
    stride: tuple[int, ...] = eqx.field(static=True)
    padding: tuple[int, ...] = eqx.field(static=True)
    output_padding: tuple[int, ...] = eqx.field(static=True)
    groups: int = eqx.field(static=True)
    dilation: tuple[int, ...] = eqx.field(static=True)

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
        key,
    ):
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size = kernel = per_axis(kernel_size, num_spatial_dims)
        limit = 1 / math.sqrt(out_channels // groups * math.prod(kernel))
        weight_key, bias_key = jax.random.split(key)
        shape = (in_channels, out_channels // groups, *kernel)
        draw = lambda key, shape: jax.random.uniform(key, shape, dtype or float, -limit, limit)
        self.weight, self.bias = draw(weight_key, shape), draw(bias_key, (out_channels,)) if bias else None
        self.stride, self.padding = per_axis(stride, num_spatial_dims), per_axis(padding, num_spatial_dims)
        self.output_padding = per_axis(output_padding, num_spatial_dims)
        self.groups, self.dilation = groups, per_axis(dilation, num_spatial_dims)

    def __call__(self, x, output_size=None, *, key=None):
        extra = self.output_padding
        if output_size is not None:
            extra = extra_padding(x, output_size, self.kernel_size, self.stride, self.padding, self.dilation)
        return conv_transpose(x, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)


class ConvTranspose1d(ConvTranspose):
    """torch.nn.ConvTranspose1d."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(1, *args, key=key, **kwargs)


class ConvTranspose2d(ConvTranspose):
    """torch.nn.ConvTranspose2d."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(2, *args, key=key, **kwargs)


class ConvTranspose3d(ConvTranspose):
    """torch.nn.ConvTranspose3d."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(3, *args, key=key, **kwargs)


def with_settings(module, **settings):
    """The module with another stride, padding or dilation, as torch sets them on a convolution that is there; what has no such
    fields, and so cannot look at them, stays as it is, and a module that is no layer holds what it is given."""
    known = {field.name for field in dataclasses.fields(module)}
    made = object.__new__(type(module))
    for name, value in vars(module).items():
        object.__setattr__(made, name, value)
    for name, value in settings.items():
        is_kept = (
            name == "padding" and getattr(module, "padding_mode", "ZEROS") != "ZEROS"
        )  # torch keeps the first widths
        if name in known and not hasattr(module, "kernel_size"):
            object.__setattr__(made, name, value)
        elif name in known and not is_kept:
            widths = per_axis(value, len(module.kernel_size))
            has_pairs = name == "padding" and isinstance(module, eqx.nn.Conv | eqx.nn.Pool)
            object.__setattr__(made, name, tuple((width, width) for width in widths) if has_pairs else widths)
    return made
