"""Layers of torch.nn without parameters, as classes of their own: for programs that ask modules of what class they are."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.activations import (
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    over_implicit_dim,
    softplus,
    softshrink,
)
from torch2jax.runtime.indexing import flatten
from torch2jax.runtime.layers_extra import pad_axes, tanhshrink
from torch2jax.runtime.pooling import (
    adaptive_avg_pool,
    adaptive_max_pool,
    adaptive_max_pool_with_indices,
    avg_pool,
    max_pool,
    max_pool_with_indices,
)
from torch2jax.runtime.resampling import pixel_shuffle, pixel_unshuffle
from torch2jax.runtime.shapes import fixed, per_axis


class CELU(eqx.Module):
    """torch.nn.CELU."""

    alpha: float = eqx.field(static=True, default=1.0)

    def __call__(self, x, *, key=None):
        return jax.nn.celu(x, self.alpha)


class ELU(eqx.Module):
    """torch.nn.ELU."""

    alpha: float = eqx.field(static=True, default=1.0)

    def __call__(self, x, *, key=None):
        return jax.nn.elu(x, self.alpha)


class GELU(eqx.Module):
    """torch.nn.GELU."""

    approximate: str = eqx.field(static=True, default="none")

    def __call__(self, x, *, key=None):
        return jax.nn.gelu(x, approximate=self.approximate == "tanh")


class GLU(eqx.Module):
    """torch.nn.GLU."""

    dim: int = eqx.field(static=True, default=-1)

    def __call__(self, x, *, key=None):
        return jax.nn.glu(x, self.dim)


class Hardshrink(eqx.Module):
    """torch.nn.Hardshrink."""

    lambd: float = eqx.field(static=True, default=0.5)

    def __call__(self, x, *, key=None):
        return hardshrink(x, self.lambd)


class Hardsigmoid(eqx.Module):
    """torch.nn.Hardsigmoid."""

    def __call__(self, x, *, key=None):
        return hardsigmoid(x)


class Hardswish(eqx.Module):
    """torch.nn.Hardswish."""

    def __call__(self, x, *, key=None):
        return hardswish(x)


class Hardtanh(eqx.Module):
    """torch.nn.Hardtanh."""

    min_val: float = eqx.field(static=True, default=-1.0)
    max_val: float = eqx.field(static=True, default=1.0)

    def __call__(self, x, *, key=None):
        return hardtanh(x, self.min_val, self.max_val)


class ReLU6(Hardtanh):
    """torch.nn.ReLU6."""

    def __init__(self):
        super().__init__(0.0, 6.0)


class LeakyReLU(eqx.Module):
    """torch.nn.LeakyReLU."""

    negative_slope: float = eqx.field(static=True, default=0.01)

    def __call__(self, x, *, key=None):
        return leaky_relu(x, self.negative_slope)


class LogSigmoid(eqx.Module):
    """torch.nn.LogSigmoid."""

    def __call__(self, x, *, key=None):
        return jax.nn.log_sigmoid(x)


class LogSoftmax(eqx.Module):
    """torch.nn.LogSoftmax."""

    dim: int | None = eqx.field(static=True, default=None)

    def __call__(self, x, *, key=None):
        return over_implicit_dim(jax.nn.log_softmax, x) if self.dim is None else jax.nn.log_softmax(x, self.dim)


class Mish(eqx.Module):
    """torch.nn.Mish."""

    def __call__(self, x, *, key=None):
        return jax.nn.mish(x)


class ReLU(eqx.Module):
    """torch.nn.ReLU."""

    def __call__(self, x, *, key=None):
        return jax.nn.relu(x)


class SELU(eqx.Module):
    """torch.nn.SELU."""

    def __call__(self, x, *, key=None):
        return jax.nn.selu(x)


class SiLU(eqx.Module):
    """torch.nn.SiLU."""

    def __call__(self, x, *, key=None):
        return jax.nn.silu(x)


class Sigmoid(eqx.Module):
    """torch.nn.Sigmoid."""

    def __call__(self, x, *, key=None):
        return jax.nn.sigmoid(x)


class Softmax(eqx.Module):
    """torch.nn.Softmax."""

    dim: int | None = eqx.field(static=True, default=None)

    def __call__(self, x, *, key=None):
        return over_implicit_dim(jax.nn.softmax, x) if self.dim is None else jax.nn.softmax(x, self.dim)


class Softmax2d(eqx.Module):
    """torch.nn.Softmax2d."""

    def __call__(self, x, *, key=None):
        return jax.nn.softmax(x, -3)


class Softplus(eqx.Module):
    """torch.nn.Softplus."""

    beta: float = eqx.field(static=True, default=1.0)
    threshold: float = eqx.field(static=True, default=20.0)

    def __call__(self, x, *, key=None):
        return softplus(x, self.beta, self.threshold)


class Softshrink(eqx.Module):
    """torch.nn.Softshrink."""

    lambd: float = eqx.field(static=True, default=0.5)

    def __call__(self, x, *, key=None):
        return softshrink(x, self.lambd)


class Softsign(eqx.Module):
    """torch.nn.Softsign."""

    def __call__(self, x, *, key=None):
        return jax.nn.soft_sign(x)


class Tanh(eqx.Module):
    """torch.nn.Tanh."""

    def __call__(self, x, *, key=None):
        return jnp.tanh(x)


class Tanhshrink(eqx.Module):
    """torch.nn.Tanhshrink."""

    def __call__(self, x, *, key=None):
        return tanhshrink(x)


class Flatten(eqx.Module):
    """torch.nn.Flatten."""

    start_dim: int = eqx.field(static=True, default=1)
    end_dim: int = eqx.field(static=True, default=-1)

    def __call__(self, x, *, key=None):
        return flatten(x, self.start_dim, self.end_dim)


class PixelShuffle(eqx.Module):
    """torch.nn.PixelShuffle."""

    upscale_factor: int = eqx.field(static=True)

    def __call__(self, x, *, key=None):
        return pixel_shuffle(x, self.upscale_factor)


class PixelUnshuffle(eqx.Module):
    """torch.nn.PixelUnshuffle."""

    downscale_factor: int = eqx.field(static=True)

    def __call__(self, x, *, key=None):
        return pixel_unshuffle(x, self.downscale_factor)


class MaxPool(eqx.Module):
    """What MaxPool1d, MaxPool2d and MaxPool3d share."""

    kernel_size: Any = eqx.field(static=True)
    stride: Any = eqx.field(static=True)
    padding: Any = eqx.field(static=True)
    dilation: Any = eqx.field(static=True)
    return_indices: bool = eqx.field(static=True)
    ceil_mode: bool = eqx.field(static=True)

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        self.kernel_size, self.stride = fixed(kernel_size), fixed(kernel_size if stride is None else stride)
        self.padding, self.dilation = fixed(padding), fixed(dilation)
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def __call__(self, x, *, key=None):
        options = (self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.ndim)
        return max_pool_with_indices(x, *options) if self.return_indices else max_pool(x, *options)


class MaxPool1d(MaxPool):
    """torch.nn.MaxPool1d."""

    ndim = 1


class MaxPool2d(MaxPool):
    """torch.nn.MaxPool2d."""

    ndim = 2


class MaxPool3d(MaxPool):
    """torch.nn.MaxPool3d."""

    ndim = 3


class AvgPool(eqx.Module):
    """What AvgPool1d, AvgPool2d and AvgPool3d share."""

    kernel_size: Any = eqx.field(static=True)
    stride: Any = eqx.field(static=True)
    padding: Any = eqx.field(static=True)
    ceil_mode: bool = eqx.field(static=True)
    count_include_pad: bool = eqx.field(static=True)
    divisor_override: int | None = eqx.field(static=True)

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        self.kernel_size, self.stride = fixed(kernel_size), fixed(kernel_size if stride is None else stride)
        self.padding, self.ceil_mode = fixed(padding), ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def __call__(self, x, *, key=None):
        options = (self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)
        return avg_pool(x, *options, self.divisor_override, self.ndim)


class AvgPool1d(AvgPool):
    """torch.nn.AvgPool1d, whose sizes are tuples."""

    ndim = 1

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        stride = kernel_size if stride is None else stride
        sizes = [per_axis(size, 1) for size in (kernel_size, stride, padding)]
        super().__init__(*sizes, ceil_mode, count_include_pad)


class AvgPool2d(AvgPool):
    """torch.nn.AvgPool2d."""

    ndim = 2


class AvgPool3d(AvgPool):
    """torch.nn.AvgPool3d."""

    ndim = 3


class AdaptiveAvgPool(eqx.Module):
    """What AdaptiveAvgPool1d, 2d and 3d share."""

    output_size: Any = eqx.field(static=True)

    def __init__(self, output_size):
        self.output_size = fixed(output_size)

    def __call__(self, x, *, key=None):
        return adaptive_avg_pool(x, self.output_size, self.ndim)


class AdaptiveAvgPool1d(AdaptiveAvgPool):
    """torch.nn.AdaptiveAvgPool1d."""

    ndim = 1


class AdaptiveAvgPool2d(AdaptiveAvgPool):
    """torch.nn.AdaptiveAvgPool2d."""

    ndim = 2


class AdaptiveAvgPool3d(AdaptiveAvgPool):
    """torch.nn.AdaptiveAvgPool3d."""

    ndim = 3


class AdaptiveMaxPool(eqx.Module):
    """What AdaptiveMaxPool1d, 2d and 3d share."""

    output_size: Any = eqx.field(static=True)
    return_indices: bool = eqx.field(static=True)

    def __init__(self, output_size, return_indices=False):
        self.output_size, self.return_indices = fixed(output_size), return_indices

    def __call__(self, x, *, key=None):
        pool = adaptive_max_pool_with_indices if self.return_indices else adaptive_max_pool
        return pool(x, self.output_size, self.ndim)


class AdaptiveMaxPool1d(AdaptiveMaxPool):
    """torch.nn.AdaptiveMaxPool1d."""

    ndim = 1


class AdaptiveMaxPool2d(AdaptiveMaxPool):
    """torch.nn.AdaptiveMaxPool2d."""

    ndim = 2


class AdaptiveMaxPool3d(AdaptiveMaxPool):
    """torch.nn.AdaptiveMaxPool3d."""

    ndim = 3


class ReflectionPad(eqx.Module):
    """What ReflectionPad1d, 2d and 3d share."""

    padding: Any = eqx.field(static=True)

    def __init__(self, padding):
        self.padding = per_axis(padding, 2 * self.ndim)

    def __call__(self, x, *, key=None):
        return pad_axes(x, self.padding, "reflect")


class ReflectionPad1d(ReflectionPad):
    """torch.nn.ReflectionPad1d."""

    ndim = 1


class ReflectionPad2d(ReflectionPad):
    """torch.nn.ReflectionPad2d."""

    ndim = 2


class ReflectionPad3d(ReflectionPad):
    """torch.nn.ReflectionPad3d."""

    ndim = 3


class ReplicationPad(eqx.Module):
    """What ReplicationPad1d, 2d and 3d share."""

    padding: Any = eqx.field(static=True)

    def __init__(self, padding):
        self.padding = per_axis(padding, 2 * self.ndim)

    def __call__(self, x, *, key=None):
        return pad_axes(x, self.padding, "replicate")


class ReplicationPad1d(ReplicationPad):
    """torch.nn.ReplicationPad1d."""

    ndim = 1


class ReplicationPad2d(ReplicationPad):
    """torch.nn.ReplicationPad2d."""

    ndim = 2


class ReplicationPad3d(ReplicationPad):
    """torch.nn.ReplicationPad3d."""

    ndim = 3


class ConstantPad(eqx.Module):
    """What ConstantPad1d, 2d and 3d share."""

    padding: Any = eqx.field(static=True)
    value: float = eqx.field(static=True)

    def __init__(self, padding, value):
        self.padding, self.value = per_axis(padding, 2 * self.ndim), value

    def __call__(self, x, *, key=None):
        return pad_axes(x, self.padding, value=self.value)


class ConstantPad1d(ConstantPad):
    """torch.nn.ConstantPad1d."""

    ndim = 1


class ConstantPad2d(ConstantPad):
    """torch.nn.ConstantPad2d."""

    ndim = 2


class ConstantPad3d(ConstantPad):
    """torch.nn.ConstantPad3d."""

    ndim = 3


class ZeroPad1d(ConstantPad1d):
    """torch.nn.ZeroPad1d."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad2d(ConstantPad2d):
    """torch.nn.ZeroPad2d."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad3d(ConstantPad3d):
    """torch.nn.ZeroPad3d."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)
