"""Functions on arrays that torch has and NumPy has not, or that differ in order, scaling or gradient."""

import itertools
import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from torch2jax.runtime.indexing import scatter_reduce


def unique_consecutive(x, return_inverse=False, return_counts=False, dim=None):
    """torch.unique_consecutive: repeated neighbours are dropped; sizes depend on values, so not under jax.jit."""
    rows = x.reshape(-1) if dim is None else jnp.moveaxis(x, dim, 0)
    width = math.prod(rows.shape[1:])
    changed = np.asarray((rows[1:] != rows[:-1]).reshape(max(len(rows) - 1, 0), width).any(-1))
    starts = np.flatnonzero(np.concatenate([np.ones(min(len(rows), 1), bool), changed]))
    values = rows[starts] if dim is None else jnp.moveaxis(rows[starts], 0, dim)
    results = [values]
    if return_inverse:
        inverse = np.concatenate([np.zeros(min(len(rows), 1), int), np.cumsum(changed)])
        results.append(jnp.asarray(inverse.reshape(x.shape) if dim is None else inverse, int))
    if return_counts:
        results.append(jnp.asarray(np.diff(np.append(starts, len(rows))), int))
    return results[0] if len(results) == 1 else tuple(results)


def of_its_dtype(function, x, *others):
    """Tensor.eq_, logical_and_ and their like: what `function` says of a tensor, which keeps its dtype."""
    return function(x, *others).astype(x.dtype)


def combinations(x, r=2, with_replacement=False):
    """torch.combinations: all choices of `r` entries, one per row."""
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(len(x)), r)), int).reshape(-1, r)
    return x[rows]


def gradient(x, spacing=1, dim=None, edge_order=1):
    """torch.gradient: a tuple with the differences along each axis, of second order at the ends if `edge_order` is 2."""
    axes = range(x.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    spacing = 1 if spacing is None else spacing
    steps = spacing if isinstance(spacing, (tuple, list)) else [spacing] * len(axes)
    return tuple(gradient_along(x, step, axis, edge_order) for step, axis in zip(steps, axes))


def gradient_along(x, step, axis, edge_order):
    """Differences along one axis; `step` is a number or the coordinates."""
    x = jnp.moveaxis(x, axis, 0)
    place = jnp.arange(len(x)) * step if jnp.ndim(step) == 0 else step
    gaps = jnp.diff(place).reshape(-1, *[1] * (x.ndim - 1))
    slopes = jnp.diff(x, axis=0) / gaps
    left, right = gaps[:-1], gaps[1:]
    inner = (slopes[:-1] * right + slopes[1:] * left) / (left + right)
    first, last = slopes[:1], slopes[-1:]
    if edge_order == 2:
        first = first + (first - slopes[1:2]) * gaps[:1] / (gaps[:1] + gaps[1:2])
        last = last + (last - slopes[-2:-1]) * gaps[-1:] / (gaps[-1:] + gaps[-2:-1])
    return jnp.moveaxis(jnp.concatenate([first, inner, last]), 0, axis)


def diagonal_scatter(x, src, offset=0, dim1=0, dim2=1):
    """torch.diagonal_scatter: a copy with another diagonal."""
    moved = jnp.moveaxis(x, (dim1, dim2), (-2, -1))
    position = jnp.arange(src.shape[-1])
    filled = moved.at[..., position + max(-offset, 0), position + max(offset, 0)].set(src)
    return jnp.moveaxis(filled, (-2, -1), (dim1, dim2))


def slice_scatter(x, src, dim=0, start=None, end=None, step=1):
    """torch.slice_scatter: a copy with another slice along `dim`."""
    place = [slice(None)] * x.ndim
    place[dim] = slice(start, end, step)
    return x.at[tuple(place)].set(src)


class Frexp(NamedTuple):
    """What torch.frexp returns."""

    mantissa: Any
    exponent: Any


def frexp(x):
    """torch.frexp: the mantissa is differentiable."""
    mantissa, exponent = jnp.frexp(jax.lax.stop_gradient(x))
    scale = jnp.where(jnp.isfinite(x), jnp.exp2(-exponent.astype(x.dtype)), 0)
    change = jnp.where(jnp.isfinite(x), x - jax.lax.stop_gradient(x), 0) * scale
    return Frexp(mantissa + change, exponent)


def inclusive_range(start, end=None, step=1, dtype=jnp.float32):
    """torch.range: the end belongs to it."""
    start, end = (0, start) if end is None else (start, end)
    return (start + step * jnp.arange(math.floor((end - start) / step) + 1)).astype(dtype)


def linspace(start, end, steps, dtype=jnp.float32):
    """torch.linspace to the last bit, from both ends to the middle; integers are rounded towards zero."""
    if not jnp.issubdtype(dtype, jnp.integer) and (dtype != jnp.float32 or isinstance(start + end, jax.core.Tracer)):
        return jnp.linspace(start, end, steps, dtype=dtype)
    kind = int if jnp.issubdtype(dtype, jnp.integer) else np.float32
    start, end, place = kind(start), kind(end), np.arange(steps)
    if steps == 1:
        return jnp.full(1, start, dtype)
    step = (end - start) / kind(max(steps - 1, 1))
    below, above = start + np.float64(step) * place, end - np.float64(step) * (steps - 1 - place)
    return jnp.asarray(np.where(place < steps // 2, below, above), dtype)


def cumulative_trapezoid(y, x=None, dx=1.0, dim=-1):
    """torch.cumulative_trapezoid."""
    y = jnp.moveaxis(y, dim, -1)
    width = dx if x is None else jnp.diff(x if x.ndim == 1 else jnp.moveaxis(x, dim, -1))
    return jnp.moveaxis(jnp.cumsum(width * (y[..., 1:] + y[..., :-1]) / 2, -1), -1, dim)


class Histogram(NamedTuple):
    """What torch.histogram and torch.histogramdd return."""

    hist: Any
    bin_edges: Any


def histogram(x, bins, range=None, weight=None, density=False):
    """torch.histogram: counts in the dtype of the values; values outside of the bins do not count."""
    x, weight = x.reshape(-1), None if weight is None else weight.reshape(-1)
    range = (0, 1) if x.size == 0 and range is None else range
    counts, edges = jnp.histogram(x, bins, range, weight, density)
    return Histogram(counts.astype(x.dtype), edges.astype(x.dtype))


def histogramdd(x, bins, range=None, weight=None, density=False):
    """torch.histogramdd: the last axis of `x` holds the coordinates; `range` is flat."""
    weight = None if weight is None else weight.reshape(-1)
    range = (0, 1) * x.shape[-1] if x.size == 0 and range is None else range
    ranges = None if range is None else list(zip(range[::2], range[1::2]))
    x = x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
    counts, edges = jnp.histogramdd(x, bins, ranges, weight, density)
    return Histogram(counts.astype(x.dtype), tuple(edge.astype(x.dtype) for edge in edges))


def histc(x, bins=100, min=0, max=0):
    """torch.histc: equal bounds mean the range of the values."""
    x = x.reshape(-1)
    if min == max and x.size == 0:
        return jnp.zeros(bins, x.dtype)
    if min == max:
        low, high = x.min(), x.max()
        min, max = jnp.where(low == high, low - 1, low), jnp.where(low == high, high + 1, high)
    return jnp.histogram(x, bins, (min, max))[0].astype(x.dtype)


def bincount(x, weights, minlength=0):
    """torch.bincount: sums of integer weights are floats of 64 bits."""
    weights = weights if jnp.issubdtype(weights.dtype, jnp.floating) else weights.astype(float)
    return jnp.bincount(x, weights, minlength)


def index_reduce(x, dim, index, source, reduce, include_self=True):
    """torch.index_reduce: slices of `source` are combined with those of `x` that the index names."""
    if x.ndim == 0:
        return scatter_reduce(x, dim, index, source, reduce, include_self)
    shape = [1] * x.ndim
    shape[dim] = -1
    return scatter_reduce(x, dim, jnp.broadcast_to(index.reshape(shape), source.shape), source, reduce, include_self)


def is_signed(x):
    """torch.is_signed: every dtype but bool and the unsigned integers."""
    return not (x.dtype == bool or jnp.issubdtype(x.dtype, jnp.unsignedinteger))


def sum_to_size(x, *sizes):
    """torch.Tensor.sum_to_size: the sum over all axes that broadcasting would add or stretch."""
    sizes = sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
    if x.shape == tuple(sizes) != ():
        return x
    x = x.sum(tuple(range(x.ndim - len(sizes))))
    axes = tuple(axis for axis, (have, want) in enumerate(zip(x.shape, sizes)) if want == 1 and have != 1)
    return x.sum(axes, keepdims=True)


def of_sizes(make):
    """`torch.zeros` and the like as values: lengths one by one, or all in one tuple."""

    def made(*size, dtype=jnp.float32, device=None, requires_grad=False):
        is_whole = len(size) == 1 and not hasattr(size[0], "__index__")
        return make(tuple(size[0]) if is_whole else size, dtype or jnp.float32)

    return made


def device_of(x):
    """The device of an array; None, JAX's word for its own choice, for one that is traced and has none yet."""
    return None if isinstance(x, jax.core.Tracer) else x.device


def device_number(x):
    """`x.get_device()`: the number of the device of an array, -1 for the CPU."""
    device = device_of(x) or jax.devices()[0]
    return -1 if device.platform == "cpu" else device.id


def split_at(x, indices, axis=0):
    """torch.tensor_split into parts, or at indices: beyond the end, where jnp.array_split stops, parts are empty."""
    if isinstance(indices, int):
        return tuple(jnp.array_split(x, indices, axis))
    before = (slice(None),) * (axis % x.ndim)
    return tuple(x[*before, slice(start, end)] for start, end in zip((0, *indices), (*indices, None), strict=True))


def variable(data, requires_grad=False, volatile=False):
    """torch.autograd.Variable, which has been the tensor itself since torch 0.4."""
    return data
