"""Layers of torch.nn without parameters, as modules of Linen: for programs that ask modules of what class they are."""

from typing import Any

import jax
import jax.numpy as jnp
from flax import linen as nn

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


class CELU(nn.Module):
    """torch.nn.CELU."""

    alpha: float = 1.0

    def __call__(self, x):
        return jax.nn.celu(x, self.alpha)


class ELU(nn.Module):
    """torch.nn.ELU."""

    alpha: float = 1.0

    def __call__(self, x):
        return jax.nn.elu(x, self.alpha)


class GELU(nn.Module):
    """torch.nn.GELU."""

    approximate: str = "none"

    def __call__(self, x):
        return jax.nn.gelu(x, approximate=self.approximate == "tanh")


class GLU(nn.Module):
    """torch.nn.GLU."""

    dim: int = -1

    def __call__(self, x):
        return jax.nn.glu(x, self.dim)


class Hardshrink(nn.Module):
    """torch.nn.Hardshrink."""

    lambd: float = 0.5

    def __call__(self, x):
        return hardshrink(x, self.lambd)


class Hardsigmoid(nn.Module):
    """torch.nn.Hardsigmoid."""

    def __call__(self, x):
        return hardsigmoid(x)


class Hardswish(nn.Module):
    """torch.nn.Hardswish."""

    def __call__(self, x):
        return hardswish(x)


class Hardtanh(nn.Module):
    """torch.nn.Hardtanh."""

    min_val: float = -1.0
    max_val: float = 1.0

    def __call__(self, x):
        return hardtanh(x, self.min_val, self.max_val)


class ReLU6(Hardtanh):
    """torch.nn.ReLU6."""

    min_val: float = 0.0
    max_val: float = 6.0


class LeakyReLU(nn.Module):
    """torch.nn.LeakyReLU."""

    negative_slope: float = 0.01

    def __call__(self, x):
        return leaky_relu(x, self.negative_slope)


class LogSigmoid(nn.Module):
    """torch.nn.LogSigmoid."""

    def __call__(self, x):
        return jax.nn.log_sigmoid(x)


class LogSoftmax(nn.Module):
    """torch.nn.LogSoftmax."""

    dim: int | None = None

    def __call__(self, x):
        return over_implicit_dim(jax.nn.log_softmax, x) if self.dim is None else jax.nn.log_softmax(x, self.dim)


class Mish(nn.Module):
    """torch.nn.Mish."""

    def __call__(self, x):
        return jax.nn.mish(x)


class ReLU(nn.Module):
    """torch.nn.ReLU."""

    def __call__(self, x):
        return jax.nn.relu(x)


class SELU(nn.Module):
    """torch.nn.SELU."""

    def __call__(self, x):
        return jax.nn.selu(x)


class SiLU(nn.Module):
    """torch.nn.SiLU."""

    def __call__(self, x):
        return jax.nn.silu(x)


class Sigmoid(nn.Module):
    """torch.nn.Sigmoid."""

    def __call__(self, x):
        return jax.nn.sigmoid(x)


class Softmax(nn.Module):
    """torch.nn.Softmax."""

    dim: int | None = None

    def __call__(self, x):
        return over_implicit_dim(jax.nn.softmax, x) if self.dim is None else jax.nn.softmax(x, self.dim)


class Softmax2d(nn.Module):
    """torch.nn.Softmax2d."""

    def __call__(self, x):
        return jax.nn.softmax(x, -3)


class Softplus(nn.Module):
    """torch.nn.Softplus."""

    beta: float = 1.0
    threshold: float = 20.0

    def __call__(self, x):
        return softplus(x, self.beta, self.threshold)


class Softshrink(nn.Module):
    """torch.nn.Softshrink."""

    lambd: float = 0.5

    def __call__(self, x):
        return softshrink(x, self.lambd)


class Softsign(nn.Module):
    """torch.nn.Softsign."""

    def __call__(self, x):
        return jax.nn.soft_sign(x)


class Tanh(nn.Module):
    """torch.nn.Tanh."""

    def __call__(self, x):
        return jnp.tanh(x)


class Tanhshrink(nn.Module):
    """torch.nn.Tanhshrink."""

    def __call__(self, x):
        return tanhshrink(x)


class Flatten(nn.Module):
    """torch.nn.Flatten."""

    start_dim: int = 1
    end_dim: int = -1

    def __call__(self, x):
        return flatten(x, self.start_dim, self.end_dim)


class PixelShuffle(nn.Module):
    """torch.nn.PixelShuffle."""

    upscale_factor: int

    def __call__(self, x):
        return pixel_shuffle(x, self.upscale_factor)


class PixelUnshuffle(nn.Module):
    """torch.nn.PixelUnshuffle."""

    downscale_factor: int

    def __call__(self, x):
        return pixel_unshuffle(x, self.downscale_factor)


class MaxPool(nn.Module):
    """What MaxPool1d, MaxPool2d and MaxPool3d share."""

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    dilation: Any = 1
    return_indices: bool = False
    ceil_mode: bool = False

    def __post_init__(self):
        for name in ("kernel_size", "stride", "padding", "dilation"):
            vars(self)[name] = fixed(getattr(self, name))
        vars(self)["stride"] = self.kernel_size if self.stride is None else self.stride
        super().__post_init__()

    def __call__(self, x):
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


class AvgPool(nn.Module):
    """What AvgPool1d, AvgPool2d and AvgPool3d share."""

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor_override: int | None = None

    def __post_init__(self):
        for name in ("kernel_size", "stride", "padding"):
            vars(self)[name] = fixed(getattr(self, name))
        vars(self)["stride"] = self.kernel_size if self.stride is None else self.stride
        super().__post_init__()

    def __call__(self, x):
        options = (self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)
        return avg_pool(x, *options, self.divisor_override, self.ndim)


class AvgPool1d(AvgPool):
    """torch.nn.AvgPool1d, whose sizes are tuples."""

    ndim = 1

    def __post_init__(self):
        sizes = (self.kernel_size, self.kernel_size if self.stride is None else self.stride, self.padding)
        vars(self).update(zip(("kernel_size", "stride", "padding"), (per_axis(size, 1) for size in sizes)))
        super().__post_init__()


class AvgPool2d(AvgPool):
    """torch.nn.AvgPool2d."""

    ndim = 2


class AvgPool3d(AvgPool):
    """torch.nn.AvgPool3d."""

    ndim = 3


class AdaptiveAvgPool(nn.Module):
    """What AdaptiveAvgPool1d, 2d and 3d share."""

    output_size: Any

    def __post_init__(self):
        vars(self)["output_size"] = fixed(self.output_size)
        super().__post_init__()

    def __call__(self, x):
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


class AdaptiveMaxPool(nn.Module):
    """What AdaptiveMaxPool1d, 2d and 3d share."""

    output_size: Any
    return_indices: bool = False

    def __post_init__(self):
        vars(self)["output_size"] = fixed(self.output_size)
        super().__post_init__()

    def __call__(self, x):
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


class ReflectionPad(nn.Module):
    """What ReflectionPad1d, 2d and 3d share."""

    padding: Any

    def __post_init__(self):
        vars(self)["padding"] = per_axis(self.padding, 2 * self.ndim)
        super().__post_init__()

    def __call__(self, x):
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


class ReplicationPad(nn.Module):
    """What ReplicationPad1d, 2d and 3d share."""

    padding: Any

    def __post_init__(self):
        vars(self)["padding"] = per_axis(self.padding, 2 * self.ndim)
        super().__post_init__()

    def __call__(self, x):
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


class ConstantPad(nn.Module):
    """What ConstantPad1d, 2d and 3d share."""

    padding: Any
    value: float

    def __post_init__(self):
        vars(self)["padding"] = per_axis(self.padding, 2 * self.ndim)
        super().__post_init__()

    def __call__(self, x):
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

    value: float = 0.0


class ZeroPad2d(ConstantPad2d):
    """torch.nn.ZeroPad2d."""

    value: float = 0.0


class ZeroPad3d(ConstantPad3d):
    """torch.nn.ZeroPad3d."""

    value: float = 0.0
