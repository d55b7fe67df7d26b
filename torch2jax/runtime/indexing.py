"""Indexing, scattering, splitting and reshaping with torch's argument conventions."""

import math

import jax
import jax.numpy as jnp


def axis_index(x, dim, index):
    """An index tuple that applies `index` along `dim` and takes all of the other axes."""
    return (slice(None),) * (dim % x.ndim) + (index,) if x.ndim else ()


def as_index(index):
    """What may be a list, as an index: of positions or truth values it is an array, of slices and arrays a tuple, as in torch."""
    if not isinstance(index, list):
        return index
    if any(isinstance(item, (slice, list, tuple, type(None), jax.Array)) and jnp.shape(item) != () for item in index):
        return tuple(index)
    return jnp.array(index) if index else jnp.array(index, dtype=int)


def gather(x, dim, index):
    """torch.gather: `index` may be smaller than `x` in the other axes, whose leading part is read."""
    if x.ndim < 2 and index.ndim < 2:
        return x.reshape(-1)[index]
    if index.size == 0:
        return jnp.zeros(index.shape, x.dtype)
    leading = tuple(slice(None) if axis == dim % x.ndim else slice(size) for axis, size in enumerate(index.shape))
    return jnp.take_along_axis(x[leading], index, axis=dim)


def scatter_index(dim, index):
    """The positions `[..., index, ...]` that scatter writes to, for every element of `index`."""
    positions = list(jnp.indices(index.shape, sparse=True))
    positions[dim % index.ndim] = index
    return tuple(positions)


def scatter_source(index, src):
    """The part of `src` that belongs to the elements of `index`."""
    return src[tuple(slice(size) for size in index.shape)] if jnp.ndim(src) else src


def add_at(x, where, values):
    """`x[where] += values` at positions that may repeat; the sum of booleans is whether one of them holds."""
    target = jnp.asarray(x).at[where]
    return target.max(values) if x.dtype == bool else target.add(values)


def scatter(x, dim, index, src, reduce=None):
    """torch.scatter: write `src` (array or number) at `index` along `dim`; reduce is None, "add" or "multiply"."""
    if index.size == 0:
        return x
    rows, index = jnp.atleast_1d(x), jnp.atleast_1d(index)
    where, src = scatter_index(dim, index), scatter_source(index, jnp.asarray(src, x.dtype))
    if reduce == "add":
        return add_at(rows, where, src).reshape(x.shape)
    target = rows.at[where]
    return (target.multiply(src) if reduce == "multiply" else target.set(src)).reshape(x.shape)


def scatter_add(x, dim, index, src):
    """torch.scatter_add: repeated positions accumulate."""
    return scatter(x, dim, index, src, reduce="add")


def scatter_reduce(x, dim, index, src, reduce, include_self=True):
    """torch.scatter_reduce with "sum", "prod", "mean", "amax" or "amin"; ties share the gradient of amax and amin."""
    if index.size == 0:
        return x
    if x.dtype == bool:
        reduce = {"sum": "amax", "prod": "amin"}.get(reduce, reduce)
    if x.ndim == 0 or index.ndim == 0:
        x, shape, index, src = jnp.atleast_1d(x), x.shape, jnp.atleast_1d(index), jnp.atleast_1d(src)
        return scatter_reduce(x, dim, index, src, reduce, include_self).reshape(shape)
    where, src = scatter_index(dim, index), scatter_source(index, src)
    touched = jnp.zeros(x.shape, bool).at[where].set(True)
    replaced = touched & (not include_self)
    if reduce == "prod":
        return scatter_product(jnp.where(replaced, 1, x), where, src)
    if reduce in ("sum", "mean"):
        total = jnp.where(replaced, 0, x).at[where].add(src)
        if reduce == "sum":
            return total
        count = jnp.where(replaced, 0, jnp.ones(x.shape, x.dtype)).at[where].add(1)
        return total / count if jnp.issubdtype(x.dtype, jnp.inexact) else total // count
    kept = jnp.where(replaced, src.min() if reduce == "amax" else src.max(), x)
    target = jax.lax.stop_gradient(kept).at[where]
    best = target.max(jax.lax.stop_gradient(src)) if reduce == "amax" else target.min(jax.lax.stop_gradient(src))
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return best
    own, from_src = x == best, (src == best[where]).astype(x.dtype)
    winners = own.astype(x.dtype).at[where].add(from_src)
    change = (
        jnp.where(own & ~replaced, x - best, 0).at[where].add(from_src * (src - best[where]))
    )  # 0; carries the gradient
    return best + change / winners


def scatter_product(x, where, src):
    """Multiply `x` at positions that may repeat; the gradient of a factor is the product of the others."""
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return x.at[where].multiply(src)
    fixed, factors = jax.lax.stop_gradient(x), jax.lax.stop_gradient(src)
    no_own, no_factor = fixed == 0, factors == 0
    zeros = no_own.astype(int).at[where].add(no_factor.astype(int))
    rest = jnp.where(no_own, 1, fixed).at[where].multiply(jnp.where(no_factor, 1, factors))  # without the zeros
    own = jnp.where(zeros == no_own.astype(int), rest / jnp.where(no_own, 1, fixed), 0)
    others = jnp.where(zeros[where] == no_factor.astype(int), rest[where] / jnp.where(no_factor, 1, factors), 0)
    product = jnp.where(zeros == 0, rest, 0) + own * (x - fixed)  # adds 0; carries the gradient
    return product.at[where].add(others * (src - factors))


def index_add(x, dim, index, source, alpha=1):
    """torch.index_add: add `alpha * source` to the slices `index` of axis `dim`; repeated slices accumulate."""
    source = source if alpha == 1 else alpha * source
    return add_at(x, axis_index(x, dim, index), source if x.ndim else source.reshape(()))


def index_copy(x, dim, index, source):
    """torch.index_copy: replace the slices `index` of axis `dim`."""
    return jnp.asarray(x).at[axis_index(x, dim, index)].set(source if x.ndim else source.reshape(()))


def index_fill(x, dim, index, value):
    """torch.index_fill: fill the slices `index` of axis `dim`."""
    return jnp.asarray(x).at[axis_index(x, dim, index)].set(value)


def index_put(x, indices, values, accumulate=False):
    """torch.index_put: `x[indices] = values`; with `accumulate` repeated positions add up."""
    return add_at(x, tuple(indices), values) if accumulate else jnp.asarray(x).at[tuple(indices)].set(values)


def masked_scatter(x, mask, source):
    """torch.masked_scatter: the True positions take the elements of `source` one after another."""
    x, mask = jnp.broadcast_arrays(x, mask)
    order = jnp.maximum(jnp.cumsum(mask.reshape(-1)) - 1, 0).reshape(x.shape)
    return jnp.where(mask, source.reshape(-1)[order], x)


def masked_select(x, mask):
    """torch.masked_select: the elements where the broadcast mask holds, a vector whose length depends on the values."""
    x, mask = jnp.broadcast_arrays(x, mask)
    return x[mask]


def nonzero_static(x, size, fill_value=-1):
    """torch.nonzero_static: `size` rows with the positions of the entries that are not zero, the rest `fill_value`."""
    if x.size == 0:
        return jnp.full((size, x.ndim), fill_value, int)
    return jnp.argwhere(x, size=size, fill_value=fill_value)


def take(x, index):
    """torch.take: indices into the flattened array."""
    return x.reshape(-1)[index]


def put(x, index, source, accumulate=False):
    """torch.Tensor.put: write at indices of the flattened array."""
    flat, index, source = jnp.reshape(x, -1), index.reshape(-1), jnp.reshape(source, -1)
    return (add_at(flat, index, source) if accumulate else flat.at[index].set(source)).reshape(x.shape)


def split(x, split_size, dim=0):
    """torch.split: pieces of the given length, or of the given list of lengths."""
    if isinstance(split_size, int):
        cuts = list(range(split_size, x.shape[dim], split_size))
    else:
        cuts = [sum(split_size[: i + 1]) for i in range(len(split_size) - 1)]
    return tuple(jnp.split(x, cuts, axis=dim))


def chunk(x, chunks, dim=0):
    """torch.chunk: at most `chunks` pieces, all but the last of the same length."""
    return split(x, max(1, -(-x.shape[dim] // chunks)), dim)


def unfold_windows(x, dimension, size, step):
    """torch.Tensor.unfold: windows of one axis, as a new last axis."""
    if x.ndim == 0:
        return jnp.broadcast_to(x, (size,))
    dimension %= x.ndim
    starts = jnp.arange(0, x.shape[dimension] - size + 1, step)
    windows = jnp.take(x, starts[:, None] + jnp.arange(size), axis=dimension)
    return jnp.moveaxis(windows, dimension + 1, -1)


def squeeze(x, dim):
    """torch.squeeze(x, dim): remove those of the given axes that have length 1."""
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    return jnp.squeeze(x, tuple(d for d in dims if x.ndim and x.shape[d] == 1))


def expand(x, *sizes):
    """torch.Tensor.expand: broadcast; -1 keeps the size of an axis."""
    sizes = sizes if len(sizes) != 1 or isinstance(sizes[0], int) else tuple(sizes[0])
    shape = (1,) * (len(sizes) - x.ndim) + x.shape
    return jnp.broadcast_to(x, tuple(old if new == -1 else new for old, new in zip(shape, sizes)))


def flatten(x, start_dim=0, end_dim=-1):
    """torch.flatten: merge the axes from `start_dim` to `end_dim`."""
    if x.ndim == 0:
        return x.reshape(1)
    start, end = start_dim % x.ndim, end_dim % x.ndim + 1
    return x.reshape(*x.shape[:start], math.prod(x.shape[start:end]), *x.shape[end:])


def unflatten(x, dim, sizes):
    """torch.unflatten: split one axis into `sizes`, one of which may be -1."""
    dim %= x.ndim
    if -1 in sizes:
        rest = x.shape[dim] // -math.prod(sizes)
        sizes = tuple(rest if size == -1 else size for size in sizes)
    return x.reshape(*x.shape[:dim], *sizes, *x.shape[dim + 1 :])


def narrow(x, dim, start, length):
    """torch.narrow: `length` entries of axis `dim` from `start`, which may be traced."""
    start = jnp.where(start < 0, start + x.shape[dim], start)
    return jax.lax.dynamic_slice_in_dim(x, start, length, axis=dim)


def cat(tensors, dim=0):
    """torch.cat: skips empty one-dimensional arrays, whatever the rank of the others; their dtypes count."""
    filled = [x for x in tensors if x.shape != (0,)]
    if not filled:
        return jnp.concatenate(tensors)
    return jnp.concatenate(filled, axis=dim).astype(jnp.result_type(*tensors))


def drop_leading(x, ndim):
    """`x` without the leading axes (of length 1) that it has beyond `ndim`, as torch stores it into a part of `ndim` axes."""
    x = jnp.asarray(x)
    return x.squeeze(tuple(range(x.ndim - ndim)))


def set_where(x, mask, value):
    """`x[mask] = value` for a number, `x[mask] = value[mask]` for an array: the mask spans the first axes of `x`."""
    return jnp.where(jnp.reshape(mask, mask.shape + (1,) * (x.ndim - mask.ndim)), jnp.asarray(value, x.dtype), x)


def fill_at(x, index, value):
    """`x[index] = value` for a number, compiled too, where the index is a mask of the first axes of `x` or an array of positions."""
    return set_where(x, index, value) if index.dtype == jnp.bool else x.at[index].set(value)


def set_masked(x, mask, values):
    """`x[mask] = values`, compiled too: the values go to the True positions in order, one alone to all of them."""
    return set_where(x, mask, placed(values, mask, x)) if jnp.size(values) else x


def set_masked_at(x, index, values):
    """`x[i, :, mask] = values`: one mask beside numbers and slices, the values in order where it holds, one alone everywhere."""
    place = next(number for number, item in enumerate(index) if getattr(item, "dtype", int) == jnp.bool)
    mask, axis = index[place], sum(isinstance(item, slice) for item in index[:place])
    whole = (*index[:place], *[slice(None)] * mask.ndim, *index[place + 1 :])
    if any(jnp.ndim(item) for item in index if item is not mask and not isinstance(item, slice)):
        raise NotImplementedError("a mask beside arrays of indices")
    part, values, masked = x[whole], jnp.asarray(values), tuple(range(mask.ndim))
    axes, behind = tuple(range(axis, axis + mask.ndim)), part.ndim - axis - mask.ndim
    values = drop_leading(values, min(values.ndim, axis + 1 + behind))
    if values.ndim > behind:
        values = jnp.moveaxis(values, values.ndim - behind - 1, 0)
        values = values.reshape(values.shape[:1] + (1,) * (axis + behind + 1 - values.ndim) + values.shape[1:])
    part = set_masked(jnp.moveaxis(part, axes, masked), mask, values)
    return x.at[whole].set(jnp.moveaxis(part, masked, axes))


def placed(values, mask, x):
    """An array to combine with `x` that has `values` in order at the True positions of a mask of its first axes, or the one
    value that there is everywhere. Elsewhere stand values of other positions."""
    values, inner = jnp.asarray(values), x.shape[mask.ndim :]
    if values.ndim > len(inner) and values.shape[0] == 1:
        values = values[0]
    if values.ndim <= len(inner):
        return values
    if values.shape[0] == 0:
        return jnp.ones(x.shape, values.dtype)
    order = jnp.maximum(jnp.cumsum(mask.reshape(-1)) - 1, 0).reshape(mask.shape)
    return jnp.broadcast_to(values, (values.shape[0], *inner))[order]


def masked_fill(x, mask, value):
    """torch.masked_fill: `x` with a number where the mask holds; the type stays."""
    return jnp.where(mask, jnp.asarray(value, x.dtype), x)


def from_coordinates(indices, values, shape=None, dtype=None):
    """torch.sparse_coo_tensor as a dense array: the values at one place are added."""
    indices, values = jnp.asarray(indices, int), jnp.asarray(values, dtype)
    if shape is None:
        shape = (*(int(count) + 1 for count in indices.max(axis=1)), *values.shape[1:])
    return jnp.zeros(shape, values.dtype).at[tuple(indices)].add(values)


def from_compressed(ends, places, values, shape=None, dtype=None, by_column=False):
    """torch.sparse_csr_tensor as a dense array, `by_column` sparse_csc_tensor, and with blocks as values sparse_bsr and bsc."""
    ends, places, values = jnp.asarray(ends), jnp.asarray(places), jnp.asarray(values, dtype)
    if ends.ndim != 1:
        raise NotImplementedError("a batch of compressed sparse tensors")
    height, width = values.shape[1:] or (1, 1)
    lines = jnp.repeat(jnp.arange(len(ends) - 1), jnp.diff(ends), total_repeat_length=len(places))
    rows, columns = (places, lines) if by_column else (lines, places)
    if shape is None:
        across = int(places.max()) + 1
        counts = (across, len(ends) - 1) if by_column else (len(ends) - 1, across)
        shape = (counts[0] * height, counts[1] * width)
    rows = rows[:, None, None] * height + jnp.arange(height)[:, None]
    columns = columns[:, None, None] * width + jnp.arange(width)
    return jnp.zeros(shape, values.dtype).at[rows, columns].add(values.reshape(-1, height, width))
