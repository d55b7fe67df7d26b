"""Normalisation layers of torch.nn as modules of Flax Linen, with torch's parameters and running statistics."""

from typing import Any

import jax.numpy as jnp
from flax import linen as nn

from torch2jax.runtime.linen_modules import arguments, is_training
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


class BatchNorm(nn.Module):
    """torch.nn.BatchNorm1d, 2d and 3d (channels on axis 1)."""

    num_features: int
    eps: float = 1e-5
    momentum: float | None = 0.1
    affine: bool = True
    track_running_stats: bool = True

    def setup(self):
        shape = (self.num_features,)
        self.weight = self.param("weight", nn.initializers.ones, shape) if self.affine else None
        self.bias = self.param("bias", nn.initializers.zeros, shape) if self.affine else None
        first = {"running_mean": jnp.zeros, "running_var": jnp.ones, "num_batches_tracked": no_batches}
        tracked = first if self.track_running_stats else {}
        self.stats = {name: self.variable("batch_stats", name, make, shape) for name, make in tracked.items()}

    def __call__(self, x):
        if not self.stats:
            return batch_norm(x, None, None, self.weight, self.bias, True, eps=self.eps)
        mean, var = self.running_mean, self.running_var
        y = batch_norm(x, mean, var, self.weight, self.bias, is_training(self), eps=self.eps)
        if is_training(self):
            count = self.num_batches_tracked + 1
            momentum = 1 / count if self.momentum is None else self.momentum
            self.stats["running_mean"].value, self.stats["running_var"].value = update_running(x, mean, var, momentum)
            self.stats["num_batches_tracked"].value = count
        return y

    @property
    def running_mean(self):
        """The mean of all batches so far."""
        return self.get_variable("batch_stats", "running_mean")

    @property
    def running_var(self):
        """The variance of all batches so far."""
        return self.get_variable("batch_stats", "running_var")

    @property
    def num_batches_tracked(self):
        """How many batches these have seen."""
        return self.get_variable("batch_stats", "num_batches_tracked")


class BatchNorm1d(BatchNorm):
    """torch.nn.BatchNorm1d, in programs that tell it from the others."""


class BatchNorm2d(BatchNorm):
    """torch.nn.BatchNorm2d, in programs that tell it from the others."""


class BatchNorm3d(BatchNorm):
    """torch.nn.BatchNorm3d, in programs that tell it from the others."""


class InstanceNorm(nn.Module):
    """torch.nn.InstanceNorm1d, 2d and 3d without running statistics; channels on axis 1, after the batch if there is one."""

    num_features: int
    eps: float = 1e-5
    affine: bool = False

    def setup(self):
        shape = (self.num_features,)
        self.weight = self.param("weight", nn.initializers.ones, shape) if self.affine else None
        self.bias = self.param("bias", nn.initializers.zeros, shape) if self.affine else None

    def __call__(self, x):
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


class StatefulInstanceNorm(nn.Module):
    """What torch.nn.InstanceNorm1d, 2d and 3d are where some keep running statistics."""

    num_features: int
    eps: float = 1e-5
    momentum: float | None = 0.1
    affine: bool = False
    track_running_stats: bool = False

    def setup(self):
        shape = (self.num_features,)
        self.weight = self.param("weight", nn.initializers.ones, shape) if self.affine else None
        self.bias = self.param("bias", nn.initializers.zeros, shape) if self.affine else None
        first = {"running_mean": jnp.zeros, "running_var": jnp.ones, "num_batches_tracked": no_batches}
        tracked = first if self.track_running_stats else {}
        self.stats = {name: self.variable("batch_stats", name, make, shape) for name, make in tracked.items()}

    def __call__(self, x):
        batch = batch_of(x, self.spatial)
        if not self.stats:
            return instance_norm(batch, self.weight, self.bias, self.eps).reshape(x.shape)
        mean, var = self.running_mean, self.running_var
        if not is_training(self):
            return batch_norm(batch, mean, var, self.weight, self.bias, eps=self.eps).reshape(x.shape)
        new = update_running_of_instances(batch, mean, var, self.momentum or 0.0)
        self.stats["running_mean"].value, self.stats["running_var"].value = new
        return instance_norm(batch, self.weight, self.bias, self.eps).reshape(x.shape)

    @property
    def running_mean(self):
        """The mean statistics of all examples so far."""
        return self.get_variable("batch_stats", "running_mean")

    @property
    def running_var(self):
        """The variance of all examples so far."""
        return self.get_variable("batch_stats", "running_var")

    @property
    def num_batches_tracked(self):
        """How many batches these have seen, which torch does not count here."""
        return self.get_variable("batch_stats", "num_batches_tracked")


class StatefulInstanceNorm1d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm1d where some norms keep running statistics."""

    spatial = 1


class StatefulInstanceNorm2d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm2d where some norms keep running statistics."""

    spatial = 2


class StatefulInstanceNorm3d(StatefulInstanceNorm):
    """torch.nn.InstanceNorm3d where some norms keep running statistics."""

    spatial = 3


class LayerNorm(nn.Module):
    """torch.nn.LayerNorm."""

    normalized_shape: Any
    eps: float = 1e-5
    elementwise_affine: bool = True
    use_bias: bool = True
    dtype: Any = None

    def setup(self):
        self.normalized_shape = shape = axes_of(arguments(self, "normalized_shape"))
        dtype = self.dtype or float
        affine = self.elementwise_affine
        self.weight = self.param("weight", nn.initializers.ones, shape, dtype) if affine else None
        self.bias = self.param("bias", nn.initializers.zeros, shape, dtype) if affine and self.use_bias else None

    def __call__(self, x):
        return layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(nn.Module):
    """torch.nn.RMSNorm."""

    normalized_shape: Any
    eps: float | None = None
    elementwise_affine: bool = True
    dtype: Any = None

    def setup(self):
        self.normalized_shape = shape = axes_of(arguments(self, "normalized_shape"))
        dtype = self.dtype or float
        self.weight = self.param("weight", nn.initializers.ones, shape, dtype) if self.elementwise_affine else None

    def __call__(self, x):
        return rms_norm(x, self.normalized_shape, self.weight, self.eps)


class GroupNorm(nn.Module):
    """torch.nn.GroupNorm: channels on axis 1."""

    num_groups: int
    num_channels: int
    eps: float = 1e-5
    affine: bool = True
    dtype: Any = None

    def setup(self):
        shape, dtype = (self.num_channels,), self.dtype or float
        self.weight = self.param("weight", nn.initializers.ones, shape, dtype) if self.affine else None
        self.bias = self.param("bias", nn.initializers.zeros, shape, dtype) if self.affine else None

    def __call__(self, x):
        return group_norm(x, self.num_groups, self.weight, self.bias, self.eps)


def no_batches(shape):
    """The count of batches that statistics begin with: a number, whatever the shape of the statistics."""
    return jnp.zeros((), int)


def axes_of(shape):
    """The shape of what is normalized as a tuple."""
    return (shape,) if isinstance(shape, int) else tuple(shape)
