"""Normalisation layers of torch.nn as modules of Flax NNX, with torch's parameters and running statistics."""

import jax.numpy as jnp
from flax import nnx

from torch2jax.runtime.nnx_layers import value_of
from torch2jax.runtime.normalization import (
    batch_norm,
    batch_of,
    group_norm,
    instance_norm,
    layer_norm,
    rms_norm,
    update_running,
    update_running_of_instances,
)


def ones_param(shape, wanted=True, dtype=None):
    """A parameter of ones, or None."""
    return nnx.Param(jnp.ones(shape, dtype)) if wanted else nnx.data(None)


def zeros_param(shape, wanted=True, dtype=None):
    """A parameter of zeros, or None."""
    return nnx.Param(jnp.zeros(shape, dtype)) if wanted else nnx.data(None)


class BatchNorm(nnx.Module):
    """torch.nn.BatchNorm1d, 2d and 3d (channels on axis 1)."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True):
        self.weight, self.bias = ones_param(num_features, affine), zeros_param(num_features, affine)
        self.num_features, self.eps, self.momentum, self.affine = num_features, eps, momentum, affine
        kept = (jnp.zeros(num_features), jnp.ones(num_features), jnp.zeros((), int))
        kept = [nnx.BatchStat(value) if track_running_stats else nnx.data(None) for value in kept]
        self.running_mean, self.running_var, self.num_batches_tracked = kept
        self.deterministic = False

    def __call__(self, x):
        weight, bias = value_of(self.weight), value_of(self.bias)
        if self.running_mean is None:
            return batch_norm(x, None, None, weight, bias, True, eps=self.eps)
        mean, var = self.running_mean[...], self.running_var[...]
        y = batch_norm(x, mean, var, weight, bias, not self.deterministic, eps=self.eps)
        if not self.deterministic:
            count = self.num_batches_tracked[...] + 1
            momentum = 1 / count if self.momentum is None else self.momentum
            self.running_mean[...], self.running_var[...] = update_running(x, mean, var, momentum)
            self.num_batches_tracked[...] = count
        return y


class BatchNorm1d(BatchNorm):
    """torch.nn.BatchNorm1d, in programs that tell it from the others."""


class BatchNorm2d(BatchNorm):
    """torch.nn.BatchNorm2d, in programs that tell it from the others."""


class BatchNorm3d(BatchNorm):
    """torch.nn.BatchNorm3d, in programs that tell it from the others."""


class InstanceNorm(nnx.Module):
    """torch.nn.InstanceNorm1d, 2d and 3d without running statistics; channels on axis 1, after the batch if there is one."""

    def __init__(self, num_features, eps=1e-5, affine=False):
        self.weight, self.bias = ones_param(num_features, affine), zeros_param(num_features, affine)
        self.num_features, self.eps, self.affine = num_features, eps, affine

    def __call__(self, x):
        weight, bias = value_of(self.weight), value_of(self.bias)
        return instance_norm(batch_of(x, self.spatial), weight, bias, self.eps).reshape(x.shape)


class InstanceNorm1d(InstanceNorm):
    """torch.nn.InstanceNorm1d."""

    spatial = 1


class InstanceNorm2d(InstanceNorm):
    """torch.nn.InstanceNorm2d."""

    spatial = 2


class InstanceNorm3d(InstanceNorm):
    """torch.nn.InstanceNorm3d."""

    spatial = 3


class StatefulInstanceNorm(nnx.Module):
    """What torch.nn.InstanceNorm1d, 2d and 3d are where some keep running statistics."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False):
        self.weight, self.bias = ones_param(num_features, affine), zeros_param(num_features, affine)
        self.num_features, self.eps, self.momentum, self.affine = num_features, eps, momentum, affine
        kept = (jnp.zeros(num_features), jnp.ones(num_features), jnp.zeros((), int))  # torch never counts batches here
        kept = [nnx.BatchStat(value) if track_running_stats else nnx.data(None) for value in kept]
        self.running_mean, self.running_var, self.num_batches_tracked = kept
        self.deterministic = False

    def __call__(self, x):
        weight, bias, batch = value_of(self.weight), value_of(self.bias), batch_of(x, self.spatial)
        if self.running_mean is None:
            return instance_norm(batch, weight, bias, self.eps).reshape(x.shape)
        mean, var = self.running_mean[...], self.running_var[...]
        if self.deterministic:
            return batch_norm(batch, mean, var, weight, bias, eps=self.eps).reshape(x.shape)
        new = update_running_of_instances(batch, mean, var, self.momentum or 0.0)
        self.running_mean[...], self.running_var[...] = new
        return instance_norm(batch, weight, bias, self.eps).reshape(x.shape)


class StatefulInstanceNorm1d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm1d where some norms keep running statistics."""

    spatial = 1


class StatefulInstanceNorm2d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm2d where some norms keep running statistics."""

    spatial = 2


class StatefulInstanceNorm3d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm3d where some norms keep running statistics."""

    spatial = 3


class LayerNorm(nnx.Module):
    """torch.nn.LayerNorm."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, dtype=None):
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.weight = ones_param(shape, elementwise_affine, dtype)
        self.bias = zeros_param(shape, elementwise_affine and bias, dtype)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine

    def __call__(self, x):
        return layer_norm(x, self.normalized_shape, value_of(self.weight), value_of(self.bias), self.eps)


class RMSNorm(nnx.Module):
    """torch.nn.RMSNorm."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, dtype=None):
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.weight = ones_param(shape, elementwise_affine, dtype)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine

    def __call__(self, x):
        return rms_norm(x, self.normalized_shape, value_of(self.weight), self.eps)


class GroupNorm(nnx.Module):
    """torch.nn.GroupNorm: channels on axis 1."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, dtype=None):
        self.weight, self.bias = ones_param(num_channels, affine, dtype), zeros_param(num_channels, affine, dtype)
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine

    def __call__(self, x):
        return group_norm(x, self.num_groups, value_of(self.weight), value_of(self.bias), self.eps)
