"""Layers of torch.nn without parameters, as modules of Flax NNX: for programs that ask modules of what class they are."""

import jax
import jax.numpy as jnp
from flax import nnx

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


class CELU(nnx.Module):
    """torch.nn.CELU."""

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def __call__(self, x):
        return jax.nn.celu(x, self.alpha)


class ELU(nnx.Module):
    """torch.nn.ELU."""

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def __call__(self, x):
        return jax.nn.elu(x, self.alpha)


class GELU(nnx.Module):
    """torch.nn.GELU."""

    def __init__(self, approximate="none"):
        self.approximate = approximate

    def __call__(self, x):
        return jax.nn.gelu(x, approximate=self.approximate == "tanh")


class GLU(nnx.Module):
    """torch.nn.GLU."""

    def __init__(self, dim=-1):
        self.dim = dim

    def __call__(self, x):
        return jax.nn.glu(x, self.dim)


class Hardshrink(nnx.Module):
    """torch.nn.Hardshrink."""

    def __init__(self, lambd=0.5):
        self.lambd = lambd

    def __call__(self, x):
        return hardshrink(x, self.lambd)


class Hardsigmoid(nnx.Module):
    """torch.nn.Hardsigmoid."""

    def __call__(self, x):
        return hardsigmoid(x)


class Hardswish(nnx.Module):
    """torch.nn.Hardswish."""

    def __call__(self, x):
        return hardswish(x)


class Hardtanh(nnx.Module):
    """torch.nn.Hardtanh."""

    def __init__(self, min_val=-1.0, max_val=1.0):
        self.min_val, self.max_val = min_val, max_val

    def __call__(self, x):
        return hardtanh(x, self.min_val, self.max_val)


class ReLU6(Hardtanh):
    """torch.nn.ReLU6."""

    def __init__(self):
        super().__init__(0.0, 6.0)


class LeakyReLU(nnx.Module):
    """torch.nn.LeakyReLU."""

    def __init__(self, negative_slope=0.01):
        self.negative_slope = negative_slope

    def __call__(self, x):
        return leaky_relu(x, self.negative_slope)


class LogSigmoid(nnx.Module):
    """torch.nn.LogSigmoid."""

    def __call__(self, x):
        return jax.nn.log_sigmoid(x)


class LogSoftmax(nnx.Module):
    """torch.nn.LogSoftmax."""

    def __init__(self, dim=None):
        self.dim = dim

    def __call__(self, x):
        return over_implicit_dim(jax.nn.log_softmax, x) if self.dim is None else jax.nn.log_softmax(x, self.dim)


class Mish(nnx.Module):
    """torch.nn.Mish."""

    def __call__(self, x):
        return jax.nn.mish(x)


class ReLU(nnx.Module):
    """torch.nn.ReLU."""

    def __call__(self, x):
        return jax.nn.relu(x)


class SELU(nnx.Module):
    """torch.nn.SELU."""

    def __call__(self, x):
        return jax.nn.selu(x)


class SiLU(nnx.Module):
    """torch.nn.SiLU."""

    def __call__(self, x):
        return jax.nn.silu(x)


class Sigmoid(nnx.Module):
    """torch.nn.Sigmoid."""

    def __call__(self, x):
        return jax.nn.sigmoid(x)


class Softmax(nnx.Module):
    """torch.nn.Softmax."""

    def __init__(self, dim=None):
        self.dim = dim

    def __call__(self, x):
        return over_implicit_dim(jax.nn.softmax, x) if self.dim is None else jax.nn.softmax(x, self.dim)


class Softmax2d(nnx.Module):
    """torch.nn.Softmax2d."""

    def __call__(self, x):
        return jax.nn.softmax(x, -3)


class Softplus(nnx.Module):
    """torch.nn.Softplus."""

    def __init__(self, beta=1.0, threshold=20.0):
        self.beta, self.threshold = beta, threshold

    def __call__(self, x):
        return softplus(x, self.beta, self.threshold)


class Softshrink(nnx.Module):
    """torch.nn.Softshrink."""

    def __init__(self, lambd=0.5):
        self.lambd = lambd

    def __call__(self, x):
        return softshrink(x, self.lambd)


class Softsign(nnx.Module):
    """torch.nn.Softsign."""

    def __call__(self, x):
        return jax.nn.soft_sign(x)


class Tanh(nnx.Module):
    """torch.nn.Tanh."""

    def __call__(self, x):
        return jnp.tanh(x)


class Tanhshrink(nnx.Module):
    """torch.nn.Tanhshrink."""

    def __call__(self, x):
        return tanhshrink(x)


class Flatten(nnx.Module):
    """torch.nn.Flatten."""

    def __init__(self, start_dim=1, end_dim=-1):
        self.start_dim, self.end_dim = start_dim, end_dim

    def __call__(self, x):
        return flatten(x, self.start_dim, self.end_dim)


class PixelShuffle(nnx.Module):
    """torch.nn.PixelShuffle."""

    def __init__(self, upscale_factor):
        self.upscale_factor = upscale_factor

    def __call__(self, x):
        return pixel_shuffle(x, self.upscale_factor)


class PixelUnshuffle(nnx.Module):
    """torch.nn.PixelUnshuffle."""

    def __init__(self, downscale_factor):
        self.downscale_factor = downscale_factor

    def __call__(self, x):
        return pixel_unshuffle(x, self.downscale_factor)


class MaxPool(nnx.Module):
    """What MaxPool1d, MaxPool2d and MaxPool3d share."""

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        self.kernel_size, self.stride = fixed(kernel_size), fixed(kernel_size if stride is None else stride)
        self.padding, self.dilation = fixed(padding), fixed(dilation)
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

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


class AvgPool(nnx.Module):
    """What AvgPool1d, AvgPool2d and AvgPool3d share."""

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        self.kernel_size, self.stride = fixed(kernel_size), fixed(kernel_size if stride is None else stride)
        self.padding, self.ceil_mode = fixed(padding), ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def __call__(self, x):
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


class AdaptiveAvgPool(nnx.Module):
    """What AdaptiveAvgPool1d, 2d and 3d share."""

    def __init__(self, output_size):
        self.output_size = fixed(output_size)

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


class AdaptiveMaxPool(nnx.Module):
    """What AdaptiveMaxPool1d, 2d and 3d share."""

    def __init__(self, output_size, return_indices=False):
        self.output_size, self.return_indices = fixed(output_size), return_indices

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


class ReflectionPad(nnx.Module):
    """What ReflectionPad1d, 2d and 3d share."""

    def __init__(self, padding):
        self.padding = per_axis(padding, 2 * self.ndim)

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


class ReplicationPad(nnx.Module):
    """What ReplicationPad1d, 2d and 3d share."""

    def __init__(self, padding):
        self.padding = per_axis(padding, 2 * self.ndim)

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


class ConstantPad(nnx.Module):
    """What ConstantPad1d, 2d and 3d share."""

    def __init__(self, padding, value):
        self.padding, self.value = per_axis(padding, 2 * self.ndim), value

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
