"""Less frequent functions of torch.nn.functional."""

import jax
import jax.numpy as jnp

from torch2jax.runtime.activations import alpha_dropout
from torch2jax.runtime.losses import cross_entropy, reduce_loss
from torch2jax.runtime.reductions import clamp, norm, pairwise_distance
from torch2jax.runtime.resampling import grid_sample


def embedding_bag(
    x, weight, offsets=None, mode="mean", per_sample_weights=None, include_last_offset=False, padding_idx=None
):
    """torch.nn.functional.embedding_bag: sum, mean or maximum of the rows of each bag; empty bags are 0."""
    if offsets is None:
        bags, count = jnp.repeat(jnp.arange(x.shape[0]), x.shape[1]), x.shape[0]
    else:
        bags = jnp.searchsorted(offsets, jnp.arange(x.shape[0]), side="right") - 1
        count = offsets.shape[0] - include_last_offset
    x = x.reshape(-1)
    counted = jnp.ones(x.shape, bool) if padding_idx is None else x != padding_idx % weight.shape[0]
    rows = weight[x] if per_sample_weights is None else weight[x] * per_sample_weights.reshape(-1, 1)
    sizes = jax.ops.segment_sum(counted.astype(int), bags, count)[:, None]
    if mode == "max":
        rows = jnp.where(counted[:, None], rows, -jnp.inf)
        return jnp.where(sizes > 0, jax.ops.segment_max(rows, bags, count), 0)
    total = jax.ops.segment_sum(jnp.where(counted[:, None], rows, 0), bags, count)
    return total / jnp.maximum(sizes, 1) if mode == "mean" else total


def feature_alpha_dropout(x, p=0.5, *, key, inference=False):
    """torch.nn.functional.feature_alpha_dropout: alpha dropout of whole channels."""
    return alpha_dropout(x, p, key=key, inference=inference, shape=(*x.shape[:2], *[1] * (x.ndim - 2)))


def fake_quantize(x, scale, zero_point, low, high, axis=None):
    """torch.fake_quantize_per_tensor_affine and per_channel_affine: rounded to steps, with the gradient of the identity
    where the step is between `low` and `high`."""
    if axis is not None:
        shape = [-1 if number == axis % x.ndim else 1 for number in range(x.ndim)]
        scale, zero_point = scale.reshape(shape), zero_point.reshape(shape)
    zero_point = jnp.asarray(zero_point, x.dtype)
    steps = jax.lax.stop_gradient(jnp.round(zero_point + x * (1 / scale)))
    value = (jnp.clip(steps, low, high) - zero_point) * scale
    passed = jnp.where((steps >= low) & (steps <= high), x, 0)
    return jax.lax.stop_gradient(value) + passed - jax.lax.stop_gradient(passed)


def pdist(x, p=2.0):
    """torch.nn.functional.pdist: the distances of all pairs of rows."""
    first, second = jnp.triu_indices(len(x), 1)
    return norm(x[first] - x[second], p, -1)


def triplet_margin_with_distance_loss(
    anchor, positive, negative, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    """torch.nn.functional.triplet_margin_with_distance_loss."""
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = jnp.minimum(far, distance(positive, negative))
    return reduce_loss(clamp(near - far + margin, 0), reduction)


def grid_sampler(x, grid, interpolation_mode, padding_mode, align_corners):
    """torch.grid_sampler: `grid_sample` whose modes are numbers."""
    mode = ("bilinear", "nearest", "bicubic")[interpolation_mode]
    return grid_sample(x, grid, mode, ("zeros", "border", "reflection")[padding_mode], align_corners)


def linear_cross_entropy(
    x,
    linear_weight,
    targets,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
):
    """torch.nn.functional.linear_cross_entropy: `linear_weight` is (classes, ..., features)."""
    logits = jnp.tensordot(x, linear_weight, (-1, -1))
    logits = logits if linear_bias is None else logits + linear_bias
    ignore_index = -100 if ignore_index is None else ignore_index
    return cross_entropy(logits, targets, weight, ignore_index, label_smoothing, reduction)
