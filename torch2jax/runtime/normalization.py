"""Normalisation layers and functions of torch, with torch's running statistics."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.reductions import norm


def along_channels(vector, ndim):
    """A vector of channels (or None) shaped for arrays whose axis 1 holds the channels."""
    return vector if vector is None or ndim < 2 else vector.reshape((1, -1) + (1,) * (ndim - 2))


def standardize(x, axes, eps):
    """Subtract the mean over `axes` and divide by the (biased) standard deviation."""
    centered = x - x.mean(axes, keepdims=True)
    return centered * jax.lax.rsqrt(x.var(axes, keepdims=True) + eps)


def scale_and_shift(x, weight, bias):
    """x * weight + bias, either of which may be None."""
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def batch_norm(x, running_mean, running_var, weight=None, bias=None, training=False, eps=1e-5):
    """torch.nn.functional.batch_norm: batch statistics in training, else the running ones (see `update_running`)."""
    if training or running_mean is None:
        y = standardize(x, (0, *range(2, x.ndim)), eps)
    else:
        y = x - along_channels(running_mean, x.ndim)
        y = y * jax.lax.rsqrt(along_channels(running_var, x.ndim) + eps)
    return scale_and_shift(y, along_channels(weight, x.ndim), along_channels(bias, x.ndim))


def update_running(x, running_mean, running_var, momentum=0.1):
    """The running statistics after the batch `x`: `momentum` weighs the batch, whose variance is unbiased."""
    axes = (0, *range(2, x.ndim))
    count = x.size // x.shape[1]
    if count == 1:
        raise ValueError(f"expected more than 1 value per channel when training, got input size {x.shape}")
    x = jax.lax.stop_gradient(x)
    mean = (1 - momentum) * running_mean + momentum * x.mean(axes)
    var = (1 - momentum) * running_var + momentum * x.var(axes, ddof=1)
    return mean.astype(running_mean.dtype), var.astype(running_var.dtype)


class BatchNorm(eqx.nn.StatefulLayer):
    """torch.nn.BatchNorm1d, 2d and 3d (channels on axis 1), called `y, state = layer(x, state)`."""

    weight: jax.Array | None
    bias: jax.Array | None
    running_mean: eqx.nn.StateIndex | None
    running_var: eqx.nn.StateIndex | None
    num_batches_tracked: eqx.nn.StateIndex | None
    num_features: int
    eps: float
    momentum: float | None
    inference: bool

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True):
        self.weight = jnp.ones(num_features) if affine else None
        self.bias = jnp.zeros(num_features) if affine else None
        self.running_mean = eqx.nn.StateIndex(jnp.zeros(num_features)) if track_running_stats else None
        self.running_var = eqx.nn.StateIndex(jnp.ones(num_features)) if track_running_stats else None
        self.num_batches_tracked = eqx.nn.StateIndex(jnp.zeros((), int)) if track_running_stats else None
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.inference = False

    def __call__(self, x, state, *, key=None):
        if self.running_mean is None:
            return batch_norm(x, None, None, self.weight, self.bias, True, eps=self.eps), state
        mean, var = state.get(self.running_mean), state.get(self.running_var)
        y = batch_norm(x, mean, var, self.weight, self.bias, not self.inference, eps=self.eps)
        if not self.inference:
            count = state.get(self.num_batches_tracked) + 1
            momentum = 1 / count if self.momentum is None else self.momentum
            mean, var = update_running(x, mean, var, momentum)
            state = state.set(self.running_mean, mean).set(self.running_var, var)
            state = state.set(self.num_batches_tracked, count)
        return y, state


class BatchNorm1d(BatchNorm):
    """torch.nn.BatchNorm1d, in programs that tell it from the others."""


class BatchNorm2d(BatchNorm):
    """torch.nn.BatchNorm2d, in programs that tell it from the others."""


class BatchNorm3d(BatchNorm):
    """torch.nn.BatchNorm3d, in programs that tell it from the others."""


def batch_of(x, spatial):
    """An array with a batch axis, which one example with channels and `spatial` axes lacks."""
    return x[None] if x.ndim == spatial + 1 else x


def instance_norm(x, weight=None, bias=None, eps=1e-5):
    """torch.nn.functional.instance_norm: each channel of each example over its spatial axes."""
    y = standardize(x, tuple(range(2, x.ndim)), eps)
    return scale_and_shift(y, along_channels(weight, x.ndim), along_channels(bias, x.ndim))


class InstanceNorm(eqx.Module):
    """torch.nn.InstanceNorm1d, 2d and 3d without running statistics; channels on axis 1, after the batch if there is one."""

    weight: jax.Array | None
    bias: jax.Array | None
    eps: float = eqx.field(static=True)

    def __init__(self, num_features, eps=1e-5, affine=False):
        self.weight = jnp.ones(num_features) if affine else None
        self.bias = jnp.zeros(num_features) if affine else None
        self.eps = eps

    def __call__(self, x, *, key=None):
        return instance_norm(batch_of(x, self.spatial), self.weight, self.bias, self.eps).reshape(x.shape)


class InstanceNorm1d(InstanceNorm):
    """torch.nn.InstanceNorm1d."""

    spatial = 1


class InstanceNorm2d(InstanceNorm):
    """torch.nn.InstanceNorm2d."""

    spatial = 2


class InstanceNorm3d(InstanceNorm):
    """torch.nn.InstanceNorm3d."""

    spatial = 3


def update_running_of_instances(x, running_mean, running_var, momentum=0.1):
    """The running statistics after the batch `x`: `momentum` weighs the mean statistics of its examples, with unbiased variances."""
    axes = tuple(range(2, x.ndim))
    if math.prod(x.shape[2:]) == 1:
        raise ValueError(f"expected more than 1 spatial element when training, got input size {x.shape}")
    x = jax.lax.stop_gradient(x)
    mean = (1 - momentum) * running_mean + momentum * x.mean((0, *axes))
    var = (1 - momentum) * running_var + momentum * x.var(axes, ddof=1).mean(0)
    return mean.astype(running_mean.dtype), var.astype(running_var.dtype)


class StatefulInstanceNorm(eqx.nn.StatefulLayer):
    """What torch.nn.InstanceNorm1d, 2d and 3d are where some keep running statistics, called `y, state = layer(x, state)`."""

    weight: jax.Array | None
    bias: jax.Array | None
    running_mean: eqx.nn.StateIndex | None
    running_var: eqx.nn.StateIndex | None
    num_batches_tracked: eqx.nn.StateIndex | None  # torch never counts them here
    num_features: int
    eps: float
    momentum: float | None
    inference: bool

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False):
        self.weight = jnp.ones(num_features) if affine else None
        self.bias = jnp.zeros(num_features) if affine else None
        self.running_mean = eqx.nn.StateIndex(jnp.zeros(num_features)) if track_running_stats else None
        self.running_var = eqx.nn.StateIndex(jnp.ones(num_features)) if track_running_stats else None
        self.num_batches_tracked = eqx.nn.StateIndex(jnp.zeros((), int)) if track_running_stats else None
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.inference = False

    def __call__(self, x, state, *, key=None):
        batch = batch_of(x, self.spatial)
        if self.running_mean is None:
            return instance_norm(batch, self.weight, self.bias, self.eps).reshape(x.shape), state
        mean, var = state.get(self.running_mean), state.get(self.running_var)
        if self.inference:
            return batch_norm(batch, mean, var, self.weight, self.bias, eps=self.eps).reshape(x.shape), state
        mean, var = update_running_of_instances(batch, mean, var, self.momentum or 0.0)
        state = state.set(self.running_mean, mean).set(self.running_var, var)
        return instance_norm(batch, self.weight, self.bias, self.eps).reshape(x.shape), state


class StatefulInstanceNorm1d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm1d where some norms keep running statistics."""

    spatial = 1


class StatefulInstanceNorm2d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm2d where some norms keep running statistics."""

    spatial = 2


class StatefulInstanceNorm3d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm3d where some norms keep running statistics."""

    spatial = 3


def layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5):
    """torch.nn.functional.layer_norm: over all trailing axes of `normalized_shape` together."""
    return scale_and_shift(standardize(x, tuple(range(-len(normalized_shape), 0)), eps), weight, bias)


def rms_norm(x, normalized_shape, weight=None, eps=None):
    """torch.nn.functional.rms_norm: eps=None means the machine epsilon of the dtype."""
    eps = jnp.finfo(x.dtype).eps if eps is None else eps
    mean_square = jnp.mean(x * x, axis=tuple(range(-len(normalized_shape), 0)), keepdims=True)
    return scale_and_shift(x * jax.lax.rsqrt(mean_square + eps), weight, None)


def group_norm(x, num_groups, weight=None, bias=None, eps=1e-5):
    """torch.nn.functional.group_norm: `x` is (batch, channels, ...), the channels cut into `num_groups` groups."""
    groups = x.reshape(x.shape[0], num_groups, math.prod(x.shape[1:]) // num_groups)
    y = standardize(groups, -1, eps).reshape(x.shape)
    return scale_and_shift(y, along_channels(weight, x.ndim), along_channels(bias, x.ndim))


def normalize(x, p=2.0, dim=1, eps=1e-12):
    """torch.nn.functional.normalize: `eps` is a lower bound of the norm."""
    return x / jnp.maximum(norm(x, p, dim if x.ndim else None, keepdim=True), eps)


def local_response_norm(x, size, alpha=1e-4, beta=0.75, k=1.0):
    """torch.nn.functional.local_response_norm: `alpha` times the mean square over `size` neighbouring channels."""
    square = jnp.moveaxis(x * x, 1, -1)
    window = (1,) * (x.ndim - 1) + (size,)
    pads = [(0, 0)] * (x.ndim - 1) + [(size // 2, (size - 1) // 2)]
    total = jax.lax.reduce_window(square, 0.0, jax.lax.add, window, (1,) * x.ndim, pads)
    return x / (k + alpha / size * jnp.moveaxis(total, -1, 1)) ** beta
