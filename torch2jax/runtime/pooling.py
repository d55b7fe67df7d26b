"""Pooling with torch's window arithmetic: symmetric padding, ceil_mode, overlapping adaptive cells."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from torch2jax.runtime.shapes import per_axis


def pooled_size(size, kernel, stride, padding, dilation, ceil_mode):
    """How many windows torch's pooling makes of an axis; none starts in the right padding."""
    span = size + 2 * padding - dilation * (kernel - 1) - 1
    windows = (-(-span // stride) if ceil_mode else span // stride) + 1
    return windows - 1 if ceil_mode and (windows - 1) * stride >= size + padding else windows


def pooling_windows(x, kernel_size, stride, padding, dilation, ceil_mode, ndim):
    """The output sizes, and the arguments of `jax.lax.reduce_window` over the last `ndim` axes."""
    kernel, padding, dilation = per_axis(kernel_size, ndim), per_axis(padding, ndim), per_axis(dilation, ndim)
    stride = kernel if stride is None or stride in ((), []) else per_axis(stride, ndim)
    sizes, pads = [], []
    for size, k, s, p, d in zip(x.shape[-ndim:], kernel, stride, padding, dilation):
        windows = pooled_size(size, k, s, p, d, ceil_mode)
        sizes.append(windows)
        pads.append((p, max(0, (windows - 1) * s + d * (k - 1) + 1 - size - p)))
    one = (1,) * (x.ndim - ndim)
    window = {
        "window_dimensions": one + kernel,
        "window_strides": one + stride,
        "padding": [(0, 0)] * (x.ndim - ndim) + pads,
        "window_dilation": one + dilation,
    }
    return sizes, window


def crop_windows(y, sizes):
    """The first `sizes` windows of the last axes."""
    return y[(..., *(slice(size) for size in sizes))]


def whole_windows(x, kernel_size, stride, padding, ndim):
    """The size of a window, and the arguments of `jax.lax.reduce_window` over the last `ndim` axes."""
    kernel, padding = per_axis(kernel_size, ndim), per_axis(padding, ndim)
    one = (1,) * (x.ndim - ndim)
    strides = per_axis(stride, ndim) if stride else kernel
    pads = [(0, 0)] * len(one) + [(p, p) for p in padding]
    return math.prod(kernel), (one + kernel, one + strides, pads)


def max_pool_whole(x, kernel_size, stride=None, padding=0, ndim=2):
    """torch.nn.functional.max_pool1d, 2d, 3d (by `ndim`) over whole windows, any leading axes."""
    _, windows = whole_windows(x, kernel_size, stride, padding, ndim)
    lowest = -jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min
    return jax.lax.reduce_window(x, lowest, jax.lax.max, *windows)


def avg_pool_whole(x, kernel_size, stride=None, padding=0, ndim=2):
    """torch.nn.functional.avg_pool1d, 2d, 3d (by `ndim`) over whole windows, any leading axes; padding counts."""
    size, windows = whole_windows(x, kernel_size, stride, padding, ndim)
    return jax.lax.reduce_window(x, 0.0, jax.lax.add, *windows) / size


def max_pool(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, ndim=2):
    """torch.nn.functional.max_pool1d, 2d, 3d (by `ndim`), any leading axes; the first maximum gets the gradient."""
    if max(per_axis(dilation, ndim)) > 1:  # reduce_window has no gradient with dilation
        return max_pool_with_indices(x, kernel_size, stride, padding, dilation, ceil_mode, ndim)[0]
    sizes, window = pooling_windows(x, kernel_size, stride, padding, dilation, ceil_mode, ndim)
    lowest = -jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min
    return crop_windows(jax.lax.reduce_window(x, lowest, jax.lax.max, **window), sizes)


def max_pool_with_indices(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, ndim=2):
    """torch's max pooling with return_indices=True: `(values, indices)`, indices into the flattened plane."""
    sizes, window = pooling_windows(x, kernel_size, stride, padding, dilation, ceil_mode, ndim)
    plane = x.shape[-ndim:]
    position = jnp.broadcast_to(jnp.arange(math.prod(plane), dtype=jnp.int32).reshape(plane), x.shape)

    def larger(a, b):
        first = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] <= b[1]))
        return jnp.where(first, a[0], b[0]), jnp.where(first, a[1], b[1])

    lowest = (jnp.array(-jnp.inf, x.dtype), jnp.array(jnp.iinfo(jnp.int32).max, jnp.int32))
    _, indices = jax.lax.reduce_window((jax.lax.stop_gradient(x), position), lowest, larger, **window)
    indices = crop_windows(indices, sizes)
    flat = x.reshape(*x.shape[:-ndim], -1)
    values = jnp.take_along_axis(flat, indices.reshape(*x.shape[:-ndim], -1), axis=-1)
    return values.reshape(indices.shape), indices.astype(int)


def max_unpool(x, indices, kernel_size, stride=None, padding=0, output_size=None, ndim=2):
    """torch.nn.functional.max_unpool1d, 2d, 3d (by `ndim`): values back at their indices, zeros elsewhere."""
    kernel, padding = per_axis(kernel_size, ndim), per_axis(padding, ndim)
    stride = kernel if stride is None else per_axis(stride, ndim)
    if output_size is None:
        output_size = [(n - 1) * s - 2 * p + k for n, k, s, p in zip(x.shape[-ndim:], kernel, stride, padding)]
    leading, size = x.shape[:-ndim], tuple(output_size)[-ndim:]
    empty = jnp.zeros(math.prod(size), x.dtype)

    def filled(values, index):  # of repeated indices one value stays, but all get the gradient
        fixed = jax.lax.stop_gradient(values)
        return empty.at[index].set(fixed) + empty.at[index].add(values - fixed)

    place = jax.vmap(filled)
    rows = math.prod(leading)
    return place(x.reshape(rows, -1), indices.reshape(rows, -1)).reshape(*leading, *size)


def avg_pool(
    x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, ndim=2
):
    """torch.nn.functional.avg_pool1d, 2d, 3d (by `ndim`): padding counts, what ceil_mode adds beyond it does not."""
    sizes, window = pooling_windows(x, kernel_size, stride, padding, 1, ceil_mode, ndim)
    total = crop_windows(jax.lax.reduce_window(x, 0.0, jax.lax.add, **window), sizes)
    if divisor_override:
        return total / divisor_override
    count = np.ones((), np.int64)
    starts = zip(
        x.shape[-ndim:],
        sizes,
        window["window_dimensions"][-ndim:],
        window["window_strides"][-ndim:],
        window["padding"][-ndim:],
    )
    for size, windows, k, s, (p, _) in starts:
        start = np.arange(windows) * s - p
        end = np.minimum(start + k, size + p)
        if not count_include_pad:
            start, end = np.maximum(start, 0), np.minimum(end, size)
        count = count[..., None] * (end - start)
    return total / count.astype(x.dtype)


def lp_pool(x, norm_type, kernel_size, stride=None, ceil_mode=False, ndim=2):
    """torch.nn.functional.lp_pool1d, 2d, 3d (by `ndim`): the p-norm of each window."""
    mean = avg_pool(x**norm_type, kernel_size, stride, ceil_mode=ceil_mode, ndim=ndim)
    total = jnp.sign(mean) * jax.nn.relu(jnp.abs(mean)) * math.prod(per_axis(kernel_size, ndim))
    return total ** (1 / norm_type)


def adaptive_cells(size, cells):
    """Start and end of torch's adaptive pooling cells, which may overlap."""
    return np.arange(cells) * size // cells, -(-(np.arange(1, cells + 1) * size) // cells)


def adaptive_avg_pool(x, output_size, ndim=2):
    """torch.nn.functional.adaptive_avg_pool1d, 2d, 3d (by `ndim`); None keeps the size of an axis."""
    for axis, cells in zip(range(-ndim, 0), per_axis(output_size, ndim)):
        if cells == 1:
            x = x.mean(axis, keepdims=True)
        elif cells is not None and cells != x.shape[axis]:
            start, end = adaptive_cells(x.shape[axis], cells)
            position = np.arange(x.shape[axis])
            inside = (position >= start[:, None]) & (position < end[:, None])
            weights = jnp.asarray(inside / (end - start)[:, None], x.dtype)
            x = jnp.moveaxis(jnp.moveaxis(x, axis, -1) @ weights.T, -1, axis)
    return x


def adaptive_max_pool(x, output_size, ndim=2):
    """torch.nn.functional.adaptive_max_pool1d, 2d, 3d (by `ndim`); the first maximum gets the gradient."""
    for axis, cells in reversed(list(zip(range(-ndim, 0), per_axis(output_size, ndim)))):
        if cells is not None and cells != x.shape[axis]:
            start, end = adaptive_cells(x.shape[axis], cells)
            positions = np.minimum(start[:, None] + np.arange((end - start).max()), end[:, None] - 1)
            windows = jnp.take(jnp.moveaxis(x, axis, -1), positions, axis=-1)
            first = jnp.argmax(windows, axis=-1, keepdims=True)
            x = jnp.moveaxis(jnp.take_along_axis(windows, first, axis=-1)[..., 0], -1, axis)
    return x


def adaptive_max_pool_with_indices(x, output_size, ndim=2):
    """torch's adaptive max pooling with return_indices=True: `(values, indices)`, indices into the flattened plane."""
    plane, leading = x.shape[-ndim:], x.shape[:-ndim]
    cells = [size if cells is None else cells for size, cells in zip(plane, per_axis(output_size, ndim))]
    flat = np.zeros(
        (1, 1), np.int64
    )  # (cells, positions of a cell), the last position repeated where a cell is smaller
    for size, count in zip(plane, cells):
        start, end = adaptive_cells(size, count)
        position = np.minimum(start[:, None] + np.arange((end - start).max()), end[:, None] - 1)
        flat = flat[:, None, :, None] * size + position[None, :, None, :]
        flat = flat.reshape(flat.shape[0] * count, -1)
    windows = x.reshape(*leading, -1)[..., flat]
    first = jnp.argmax(windows, axis=-1)
    indices = jnp.asarray(flat)[jnp.arange(flat.shape[0]), first].reshape(*leading, *cells)
    values = jnp.take_along_axis(windows, first[..., None], axis=-1).reshape(indices.shape)
    return values, indices


def fractional_starts(samples, size, cells, kernel):
    """Where the pooling regions of an axis start, for random numbers (batch, channels): (batch, channels, cells)."""
    step = (size - kernel) / max(cells - 1, 1)
    samples = samples[..., None]
    starts = ((jnp.arange(cells) + samples) * step).astype(int) - (samples * step).astype(int)  # towards zero
    return starts.at[..., -1].set(size - kernel)


def fractional_max_pool_with_indices(
    x, kernel_size, output_size=None, output_ratio=None, samples=None, ndim=2, *, key=None
):
    """torch's fractional max pooling with return_indices=True; `samples` (batch, channels, ndim) place the regions."""
    if x.ndim == ndim + 1:
        y, indices = fractional_max_pool_with_indices(
            x[None], kernel_size, output_size, output_ratio, samples, ndim, key=key
        )
        return y[0], indices[0]
    plane, kernel = x.shape[2:], per_axis(kernel_size, ndim)
    if output_size is None:
        output_size = tuple(int(size * ratio) for size, ratio in zip(plane, per_axis(output_ratio, ndim)))
    cells = per_axis(output_size, ndim)
    samples = jax.random.uniform(key, (*x.shape[:2], ndim), x.dtype) if samples is None else samples
    order = range(ndim) if ndim == 3 else reversed(range(ndim))  # in two dimensions torch draws the columns first
    flat = jnp.zeros((*x.shape[:2], 1, 1), int)
    for place, size, count, k in zip(order, plane, cells, kernel):
        starts = fractional_starts(samples[..., place], size, count, k)
        position = starts[..., None] + jnp.arange(k)
        flat = flat[:, :, :, None, :, None] * size + position[:, :, None, :, None, :]
        flat = flat.reshape(*x.shape[:2], flat.shape[2] * count, flat.shape[4] * k)
    images = x.reshape(*x.shape[:2], 1, math.prod(plane))
    windows = jnp.take_along_axis(images, flat, axis=-1)
    first = jnp.argmax(windows, axis=-1, keepdims=True)
    values, indices = jnp.take_along_axis(windows, first, axis=-1), jnp.take_along_axis(flat, first, axis=-1)
    return values.reshape(*x.shape[:2], *cells), indices.reshape(*x.shape[:2], *cells)


def fractional_max_pool(x, kernel_size, output_size=None, output_ratio=None, samples=None, ndim=2, *, key=None):
    """torch.nn.functional.fractional_max_pool2d, 3d (by `ndim`): pooling regions drawn at random, or from `samples`."""
    return fractional_max_pool_with_indices(x, kernel_size, output_size, output_ratio, samples, ndim, key=key)[0]
