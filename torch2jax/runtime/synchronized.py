"""Batch normalisation with statistics of the rows of all devices, for Equinox."""

import equinox as eqx
import jax

from torch2jax.runtime.normalization import BatchNorm, along_channels, scale_and_shift
from torch2jax.runtime.parallel import is_initialized


def standardize_on_devices(x, eps):
    """A batch standardized by the statistics of the rows of all devices, and these as running statistics take them up."""
    axes = (0, *range(2, x.ndim))
    count = x.size // x.shape[1] * jax.lax.axis_size("data")
    mean = jax.lax.pmean(x.mean(axes), "data")
    centered = x - along_channels(mean, x.ndim)
    var = jax.lax.pmean((centered**2).mean(axes), "data")
    y = centered * jax.lax.rsqrt(along_channels(var, x.ndim) + eps)
    return y, *jax.lax.stop_gradient((mean, var * count / max(count - 1, 1)))


class SyncBatchNorm(eqx.nn.StatefulLayer):
    """torch.nn.SyncBatchNorm: in training, the statistics are those of all devices, where these work together."""

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
        layer = BatchNorm(num_features, eps, momentum, affine, track_running_stats)
        for name, value in vars(layer).items():
            setattr(self, name, value)

    def __call__(self, x, state, *, key=None):
        if self.inference or not is_initialized():
            return BatchNorm.__call__(self, x, state)
        y, *new = standardize_on_devices(x, self.eps)
        y = scale_and_shift(y, along_channels(self.weight, x.ndim), along_channels(self.bias, x.ndim))
        if self.running_mean is not None:
            batches = state.get(self.num_batches_tracked) + 1
            momentum = 1 / batches if self.momentum is None else self.momentum
            for place, value in zip((self.running_mean, self.running_var), new):
                old = state.get(place)
                state = state.set(place, ((1 - momentum) * old + momentum * value).astype(old.dtype))
            state = state.set(self.num_batches_tracked, batches)
        return y, state


def sync_batch_norm(module):
    """torch.nn.SyncBatchNorm.convert_sync_batchnorm: the module with synchronized statistics in all BatchNorm layers."""

    def convert(layer):
        if not isinstance(layer, BatchNorm):
            return layer
        converted = object.__new__(SyncBatchNorm)
        for name, value in vars(layer).items():
            object.__setattr__(converted, name, value)
        return converted

    return jax.tree.map(convert, module, is_leaf=lambda layer: isinstance(layer, BatchNorm))
