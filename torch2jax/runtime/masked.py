"""The functions of torch.masked: reductions and normalisations that leave out the entries where a mask is False."""

import math

import jax
import jax.numpy as jnp

from torch2jax.runtime.reductions import nanmedian_along, norm


def masked(x, mask, fill):
    """`x` with `fill` where the mask (None: True everywhere) is False."""
    return x if mask is None else jnp.where(mask, x, jnp.asarray(fill, x.dtype))


def lowest(x):
    """What every number of the dtype of `x` is at least."""
    return -math.inf if jnp.issubdtype(x.dtype, jnp.inexact) else jnp.iinfo(x.dtype).min


def highest(x):
    """What every number of the dtype of `x` is at most."""
    return math.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).max


def masked_axes(x, dim):
    """`dim` as NumPy takes it; no axis at all means all axes, as in torch.masked."""
    if dim is None or x.ndim == 0:
        return None
    return (tuple(dim) or None) if isinstance(dim, (tuple, list)) else dim


def counted(x, dim, keepdim, mask):
    """How many entries the mask leaves."""
    present = jnp.ones(x.shape, bool) if mask is None else jnp.broadcast_to(mask.astype(bool), x.shape)
    return present.sum(masked_axes(x, dim), dtype=int, keepdims=keepdim)


def along_one(function, x):
    """`function` of `x`, where a single number counts as an axis of length 1."""
    return function(x) if x.ndim else function(x.reshape(1)).reshape(())


def masked_sum(x, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.sum."""
    return masked(x, mask, 0).sum(masked_axes(x, dim), dtype=dtype, keepdims=keepdim)


def masked_prod(x, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.prod."""
    return masked(x, mask, 1).prod(masked_axes(x, dim), dtype=dtype, keepdims=keepdim)


def masked_cumsum(x, dim, dtype=None, mask=None):
    """torch.masked.cumsum: the dtype stays."""
    dtype = x.dtype if dtype is None else dtype
    return along_one(lambda x: jnp.cumsum(x, dim, dtype=dtype), masked(x, mask, 0))


def masked_cumprod(x, dim, dtype=None, mask=None):
    """torch.masked.cumprod: the dtype stays."""
    dtype = x.dtype if dtype is None else dtype
    return along_one(lambda x: jnp.cumprod(x, dim, dtype=dtype), masked(x, mask, 1))


def masked_amax(x, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.amax."""
    return masked(x, mask, lowest(x)).max(masked_axes(x, dim), keepdims=keepdim).astype(dtype or x.dtype)


def masked_amin(x, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.amin."""
    return masked(x, mask, highest(x)).min(masked_axes(x, dim), keepdims=keepdim).astype(dtype or x.dtype)


def masked_argmax(x, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.argmax: the indices have the dtype of the values."""
    found = jnp.argmax(masked(x, mask, lowest(x)), masked_axes(x, dim), keepdims=keepdim)
    return found.astype(dtype or x.dtype)


def masked_argmin(x, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.argmin: the indices have the dtype of the values."""
    found = jnp.argmin(masked(x, mask, highest(x)), masked_axes(x, dim), keepdims=keepdim)
    return found.astype(dtype or x.dtype)


def masked_mean(x, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.mean: NaN where the mask leaves nothing."""
    return masked_sum(x, dim, keepdim, dtype, mask) / counted(x, dim, keepdim, mask)


def masked_median(x, dim=-1, keepdim=False, dtype=None, mask=None):
    """torch.masked.median: the lower of the two middle entries that are left, NaN without any."""
    values = x if jnp.issubdtype(x.dtype, jnp.floating) else x.astype(jnp.float32)
    values = masked(values, mask, math.nan)
    if x.ndim == 0:
        return values.astype(x.dtype)
    found = nanmedian_along(values, dim, keepdim).values
    return found if values is x or values.dtype == x.dtype else found.astype(dtype or x.dtype)


def masked_norm(x, ord=2.0, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.norm: the entrywise norm of what is left."""
    x = x if dtype is None else x.astype(dtype)
    return norm(masked(x, mask, math.inf if ord == -math.inf else 0), ord, masked_axes(x, dim), keepdim)


def masked_var(x, dim=None, unbiased=None, correction=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.var: divides by the number of entries that are left minus `correction`."""
    if correction is None:
        correction = 0 if unbiased is False else 1
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        x = x.astype(dtype or jnp.float32)
    x = x if dtype is None else x.astype(dtype)
    count = counted(x, dim, True, mask)
    centered = x - masked_sum(x, dim, True, None, mask) / count
    total = masked_sum(centered * centered.conj(), dim, keepdim, None, mask)
    return total / jnp.maximum(count.reshape(total.shape) - correction, 0)


def masked_std(x, dim=None, unbiased=None, correction=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.std: divides by the number of entries that are left minus `correction`."""
    return jnp.sqrt(masked_var(x, dim, unbiased, correction, keepdim, dtype, mask))


def masked_softmax(x, dim, dtype=None, mask=None):
    """torch.masked.softmax: weight 0 where the mask is False, NaN where it leaves nothing."""
    values = masked(x, mask, lowest(x)).astype(dtype or x.dtype)
    return along_one(lambda x: jax.nn.softmax(x, axis=dim), values)


def masked_log_softmax(x, dim, dtype=None, mask=None):
    """torch.masked.log_softmax."""
    values = masked(x, mask, lowest(x)).astype(dtype or x.dtype)
    return along_one(lambda x: jax.nn.log_softmax(x, axis=dim), values)


def masked_softmin(x, dim, dtype=None, mask=None):
    """torch.masked.softmin."""
    values = masked(x, mask, highest(x)).astype(dtype or x.dtype)
    return along_one(lambda x: jax.nn.softmax(-x, axis=dim), values)


def masked_normalize(x, ord, dim, eps=1e-12, dtype=None, mask=None):
    """torch.masked.normalize: 0 where the mask is False; `eps` is a lower bound of the norm."""
    return masked(x, mask, 0) / jnp.maximum(masked_norm(x, ord, dim, True, dtype, mask), eps)


def masked_logsumexp(x, dim=None, keepdim=False, dtype=None, mask=None):
    """torch.masked.logsumexp."""
    values = masked(x, mask, lowest(x))
    return jax.nn.logsumexp(values, masked_axes(x, dim), keepdims=keepdim).astype(dtype or x.dtype)


def masked_logaddexp(x, other, dtype=None, input_mask=None, other_mask=None):
    """torch.masked.logaddexp: a masked entry adds nothing."""
    x, other = masked(x, input_mask, -math.inf), masked(other, other_mask, -math.inf)
    return jnp.logaddexp(x, other).astype(dtype or x.dtype)
