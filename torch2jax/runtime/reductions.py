"""Reductions, sorting and norms with torch's results (values and indices) and torch's subgradients."""

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class ValuesIndices(NamedTuple):
    """What torch's max, min, median, mode, sort, topk, ... along an axis return."""

    values: Any
    indices: Any


def pick_along(x, indices, dim, keepdim=False):
    """The entries of `x` at `indices` (of length 1 along `dim`), and the indices; only they get the gradient."""
    values = jnp.take_along_axis(x, indices, axis=dim)
    if keepdim:
        return ValuesIndices(values, indices)
    return ValuesIndices(jnp.squeeze(values, dim), jnp.squeeze(indices, dim))


def max_along(x, dim, keepdim=False):
    """torch.max(x, dim): maximum and its first index; only that entry gets the gradient."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    return pick_along(x, jnp.argmax(x, axis=dim, keepdims=True), dim, keepdim)


def min_along(x, dim, keepdim=False):
    """torch.min(x, dim): minimum and its first index; only that entry gets the gradient."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    return pick_along(x, jnp.argmin(x, axis=dim, keepdims=True), dim, keepdim)


def kthvalue(x, k, dim=-1, keepdim=False):
    """torch.kthvalue: the k-th smallest entry, counted from 1."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    order = jnp.argsort(x, axis=dim, stable=True)
    return pick_along(x, jax.lax.slice_in_dim(order, k - 1, k, axis=dim % x.ndim), dim, keepdim)


def median_along(x, dim=-1, keepdim=False):
    """torch.median(x, dim): the lower of the two middle entries; NaN if there is one."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    order = jnp.argsort(x, axis=dim, stable=True)
    middle = (x.shape[dim] - 1) // 2
    index = jax.lax.slice_in_dim(order, middle, middle + 1, axis=dim % x.ndim)
    if jnp.issubdtype(x.dtype, jnp.floating):
        missing = jnp.isnan(x)
        first = jnp.argmax(missing, axis=dim, keepdims=True)
        index = jnp.where(missing.any(axis=dim, keepdims=True), first, index)
    return pick_along(x, index, dim, keepdim)


def _median_of_nothing(dtype):
    """What torch's medians of no entries are: NaN, or the lowest integer."""
    return jnp.full((), jnp.nan if jnp.issubdtype(dtype, jnp.inexact) else jnp.iinfo(dtype).min, dtype)


def median(x):
    """torch.median(x): the lower of the two middle entries of all; NaN if there is none."""
    if x.size == 0:
        return _median_of_nothing(x.dtype)
    return median_along(x.reshape(-1), 0).values


def nanmedian_along(x, dim=-1, keepdim=False):
    """torch.nanmedian(x, dim): the lower median of the entries that are not NaN."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    order = jnp.argsort(x, axis=dim, stable=True)
    count = jnp.sum(~jnp.isnan(x), axis=dim, keepdims=True)
    return pick_along(x, jnp.take_along_axis(order, jnp.maximum(count - 1, 0) // 2, axis=dim), dim, keepdim)


def nanmedian(x):
    """torch.nanmedian(x): the lower median of all entries that are not NaN; NaN if there is none."""
    if x.size == 0:
        return _median_of_nothing(x.dtype)
    return nanmedian_along(x.reshape(-1), 0).values


def mode_along(x, dim=-1, keepdim=False):
    """torch.mode: the most frequent entry (the smallest of several) and its last index."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    rows = jnp.moveaxis(x, dim, -1)
    order = jnp.argsort(rows, axis=-1, stable=True)
    ordered = jnp.take_along_axis(rows, order, axis=-1)
    position = jnp.arange(rows.shape[-1])
    starts = jnp.concatenate([jnp.full_like(ordered[..., :1], True, bool), ordered[..., 1:] != ordered[..., :-1]], -1)
    run = position - jax.lax.cummax(jnp.where(starts, position, 0), axis=x.ndim - 1)
    last = jnp.argmax(run, axis=-1, keepdims=True)
    index = jnp.moveaxis(jnp.take_along_axis(order, last, axis=-1), -1, dim)
    return pick_along(x, index, dim, keepdim)


def sort(x, dim=-1, descending=False, stable=False):
    """torch.sort: sorted entries and their indices (equal entries keep their order)."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    indices = jnp.argsort(x, axis=dim, descending=descending, stable=True)
    return ValuesIndices(jnp.take_along_axis(x, indices, axis=dim), indices)


def topk(x, k, dim=-1, largest=True, sorted=True):
    """torch.topk along any axis: the `k` largest (or smallest) entries in order, and their indices."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    rows = jnp.moveaxis(x, dim, -1)
    if not largest:
        rows = -rows if jnp.issubdtype(x.dtype, jnp.floating) else ~rows
    indices = jnp.moveaxis(jax.lax.top_k(rows, k)[1], -1, dim).astype(int)
    return ValuesIndices(jnp.take_along_axis(x, indices, axis=dim), indices)


def cummax(x, dim):
    """torch.cummax: running maximum and the latest index that has it."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    dim %= x.ndim
    position = jax.lax.broadcasted_iota(jnp.int32, x.shape, dim)
    ranked = x.astype(jnp.uint8) if x.dtype == bool else x
    latest = (ranked == jax.lax.cummax(ranked, dim)) | (x != x)
    indices = jax.lax.cummax(jnp.where(latest, position, 0), dim).astype(int)
    return ValuesIndices(jnp.take_along_axis(x, indices, axis=dim), indices)


def cummin(x, dim):
    """torch.cummin: running minimum and the latest index that has it."""
    if x.ndim == 0:
        return ValuesIndices(x, jnp.zeros((), int))
    dim %= x.ndim
    position = jax.lax.broadcasted_iota(jnp.int32, x.shape, dim)
    ranked = x.astype(jnp.uint8) if x.dtype == bool else x
    latest = (ranked == jax.lax.cummin(ranked, dim)) | (x != x)
    indices = jax.lax.cummax(jnp.where(latest, position, 0), dim).astype(int)
    return ValuesIndices(jnp.take_along_axis(x, indices, axis=dim), indices)


def logcumsumexp(x, dim):
    """torch.logcumsumexp."""
    return x if x.ndim == 0 else jax.lax.cumlogsumexp(x, axis=dim % x.ndim)


def absolute(x):
    """torch.abs: as jnp.abs, with gradient 0 at 0."""
    return jnp.abs(x) if jnp.iscomplexobj(x) else x * jax.lax.stop_gradient(jnp.sign(x))


def safe_sqrt(x):
    """Square root whose gradient at 0 is 0, as in torch's norm, std and cdist."""
    return jnp.where(x == 0, 0, jnp.sqrt(jnp.where(x == 0, 1, x)))


def norm(x, p="fro", dim=None, keepdim=False):
    """torch.norm: the entrywise p-norm over `dim` (all axes by default), with gradient 0 where the norm is 0."""
    axis = None if x.ndim == 0 else tuple(dim) if isinstance(dim, list) else dim
    if p == "nuc":
        return jnp.linalg.norm(x, "nuc", axis=axis, keepdims=keepdim)
    size = absolute(x)
    if p in ("fro", None, 2):
        return safe_sqrt(jnp.sum(size * size, axis=axis, keepdims=keepdim))
    if p == 0:
        return jnp.sum(x != 0, axis=axis, keepdims=keepdim).astype(size.dtype)
    if p == 1:
        return jnp.sum(size, axis=axis, keepdims=keepdim)
    if p == math.inf:
        return jnp.max(size, axis=axis, keepdims=keepdim)
    if p == -math.inf:
        return jnp.min(size, axis=axis, keepdims=keepdim)
    powers = jnp.where(size == 0, 0.0 if p > 0 else math.inf, jnp.where(size == 0, 1, size) ** p)
    total = jnp.sum(powers, axis=axis, keepdims=keepdim)
    none = (total == 0) | jnp.isinf(total)
    return jnp.where(none, total if p > 0 else 0, jnp.where(none, 1, total) ** (1 / p))


def std(x, dim=None, correction=1, keepdim=False):
    """torch.std: divides by N - correction; gradient 0 where all entries are equal."""
    axis = None if x.ndim == 0 else tuple(dim) if isinstance(dim, list) else dim
    return safe_sqrt(jnp.var(x, axis=axis, ddof=correction, keepdims=keepdim))


def std_mean(x, dim=None, correction=1, keepdim=False):
    """torch.std_mean: `(std, mean)`."""
    axis = None if x.ndim == 0 else tuple(dim) if isinstance(dim, list) else dim
    return std(x, dim, correction, keepdim), jnp.mean(x, axis=axis, keepdims=keepdim)


def var_mean(x, dim=None, correction=1, keepdim=False):
    """torch.var_mean: `(var, mean)`, the variance divided by N - correction."""
    axis = None if x.ndim == 0 else tuple(dim) if isinstance(dim, list) else dim
    return jnp.var(x, axis=axis, ddof=correction, keepdims=keepdim), jnp.mean(x, axis=axis, keepdims=keepdim)


def clamp(x, min=None, max=None):
    """torch.clamp: the gradient passes at the bounds themselves, NaN stays, and `max` wins over `min`."""
    if min is not None:
        x = jnp.where((x < min) | (min != min), min, x)
    if max is not None:
        x = jnp.where((x > max) | (max != max), max, x)
    return x


def cdist(x1, x2, p=2.0):
    """torch.cdist: p-norm distances between all rows of `x1` and all rows of `x2`, gradient 0 where they coincide."""
    return norm(x1[..., :, None, :] - x2[..., None, :, :], p, -1)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """torch.nn.functional.pairwise_distance: `eps` is added to the difference."""
    return norm(x1 - x2 + eps, p, -1, keepdim)


def nanquantile(x, q, dim, keepdim=False, method="linear"):
    """torch.nanquantile along an axis; of a tensor without axes, too."""
    axis = None if x.ndim == 0 else dim
    return jnp.nanquantile(x, jnp.asarray(q), axis=axis, keepdims=keepdim and x.ndim > 0, method=method)
