"""Padding, resizing, grid sampling and rearranging of images as in torch.nn.functional."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from torch2jax.runtime.array_ops import linspace
from torch2jax.runtime.pooling import adaptive_avg_pool
from torch2jax.runtime.reductions import absolute
from torch2jax.runtime.shapes import per_axis


def pad(x, pad, mode="constant", value=None):
    """torch.nn.functional.pad: pairs from the last axis backwards; negative widths crop."""
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    widths = [(0, 0)] * (x.ndim - len(pairs)) + pairs[::-1]
    if mode == "constant":
        return jax.lax.pad(x, jnp.asarray(0 if value is None else value, x.dtype), [(a, b, 0) for a, b in widths])
    if mode == "replicate":
        for axis, (a, b) in enumerate(widths):
            if (a, b) != (0, 0):
                x = jnp.take(x, np.clip(np.arange(-a, x.shape[axis] + b), 0, x.shape[axis] - 1), axis=axis)
        return x
    crop = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape, widths))
    return jnp.pad(x[crop], [(max(a, 0), max(b, 0)) for a, b in widths], "reflect" if mode == "reflect" else "wrap")


def source_positions(size, out, align_corners, scale):
    """Where in an axis of length `size` the centres of `out` resized cells lie."""
    cells = np.arange(out)
    if align_corners:
        return cells * ((size - 1) / (out - 1) if out > 1 else 0.0)
    return (cells + 0.5) * (1 / scale if scale else size / out) - 0.5


def cubic_kernel(distance, a=-0.75):
    """Keys' cubic convolution kernel; torch uses a = -0.75 (-0.5 with antialiasing)."""
    d = np.abs(distance)
    near, far = ((a + 2) * d - (a + 3)) * d * d + 1, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


def cubic_weight(distance, a=-0.75):
    """`cubic_kernel` of a traced distance."""
    d = absolute(distance)
    near, far = ((a + 2) * d - (a + 3)) * d * d + 1, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return jnp.where(d <= 1, near, jnp.where(d < 2, far, 0))


def resize_weights(size, out, mode, align_corners=False, scale=None, antialias=False):
    """The matrix (out, size) that resizes an axis by linear or cubic interpolation as torch does."""
    source = source_positions(size, out, align_corners, scale)
    if antialias:
        stretch = max((size - 1) / max(out - 1, 1) if align_corners else 1 / scale if scale else size / out, 1)
        distance = (np.arange(size) - source[:, None]) / stretch
        weights = np.maximum(1 - np.abs(distance), 0) if mode == "linear" else cubic_kernel(distance, -0.5)
        return weights / weights.sum(1, keepdims=True)
    if mode == "linear":
        source = np.maximum(source, 0)
    low = np.floor(source)
    weights = np.zeros((out, size))
    for tap in (0, 1) if mode == "linear" else (-1, 0, 1, 2):
        distance = source - low - tap
        weight = 1 - np.abs(distance) if mode == "linear" else cubic_kernel(distance)
        np.add.at(weights, (np.arange(out), np.clip(low + tap, 0, size - 1).astype(int)), weight)
    return weights


def nearest_positions(size, out, exact, scale):
    """The positions that torch's "nearest" and "nearest-exact" read (computed in float32, as torch does)."""
    step = np.float32(1 / scale if scale else size / out)
    cells = np.arange(out, dtype=np.float32) + np.float32(0.5 if exact else 0)
    return np.minimum(np.floor(cells * step).astype(int), size - 1)


def interpolate(
    x,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """torch.nn.functional.interpolate of (batch, channels, ...) arrays."""
    ndim = x.ndim - 2
    scales = (None,) * ndim
    if size is None:
        scales = per_axis(scale_factor, ndim)
        size = [math.floor(n * scale) for n, scale in zip(x.shape[2:], scales)]
        scales = (None,) * ndim if recompute_scale_factor else scales
    if mode == "area":
        return adaptive_avg_pool(x, tuple(size) if isinstance(size, (tuple, list)) else size, ndim)
    for axis, out, scale in zip(range(2, x.ndim), per_axis(size, ndim), scales):
        if mode.startswith("nearest"):
            x = jnp.take(x, nearest_positions(x.shape[axis], out, mode == "nearest-exact", scale), axis=axis)
        else:
            kernel = "cubic" if mode == "bicubic" else "linear"
            weights = resize_weights(x.shape[axis], out, kernel, align_corners, scale, antialias)
            x = jnp.moveaxis(jnp.moveaxis(x, axis, -1) @ jnp.asarray(weights.T, x.dtype), -1, axis)
    return x


class Upsample(eqx.Module):
    """torch.nn.Upsample."""

    size: int | tuple[int, ...] | None = eqx.field(static=True, default=None)
    scale_factor: float | tuple[float, ...] | None = eqx.field(static=True, default=None)
    mode: str = eqx.field(static=True, default="nearest")
    align_corners: bool | None = eqx.field(static=True, default=None)
    recompute_scale_factor: bool | None = eqx.field(static=True, default=None)

    def __call__(self, x, *, key=None):
        return interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)


def grid_pixels(coordinate, size, padding_mode, align_corners):
    """Grid coordinates in [-1, 1] as pixel positions of an axis."""
    pixels = (coordinate + 1) / 2 * (size - 1) if align_corners else ((coordinate + 1) * size - 1) / 2
    return padded_pixels(pixels, size, padding_mode, align_corners)


def padded_pixels(pixels, size, padding_mode, align_corners):
    """Pixel positions outside of an axis reflected, or moved to its border."""
    if padding_mode == "reflection":
        low, high = (0.0, size - 1.0) if align_corners else (-0.5, size - 0.5)
        span = high - low
        rest = jnp.mod(jnp.abs(pixels - low), 2 * span) if span else jnp.zeros_like(pixels)
        pixels = jnp.where(rest > span, 2 * span - rest, rest) + low
    if padding_mode != "zeros":
        pixels = jnp.where(pixels <= 0, 0, jnp.where(pixels >= size - 1, size - 1, pixels))
    return pixels


def grid_sample(x, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """torch.nn.functional.grid_sample of (batch, channels, [depth,] height, width); the grid holds (x, y[, z])."""
    sizes = x.shape[2:]
    padding = "zeros" if mode == "bicubic" else padding_mode
    pixels = [grid_pixels(grid[..., i], size, padding, align_corners) for i, size in enumerate(reversed(sizes))][::-1]

    def read(*positions):
        inside = jnp.stack([(p >= 0) & (p < n) for p, n in zip(positions, sizes)]).all(0)
        positions = [jnp.clip(p, 0, n - 1) for p, n in zip(positions, sizes)]
        values = jax.vmap(lambda image, *at: image[(slice(None), *at)])(x, *positions)
        return jnp.where(inside[:, None], values, 0)

    if mode == "nearest":
        return read(*(jnp.round(p).astype(int) for p in pixels))
    lows = [jnp.floor(p) for p in pixels]
    total = 0
    if mode == "bicubic":
        for corner in np.ndindex(*(4,) * len(sizes)):
            places = [low + step - 1 for low, step in zip(lows, corner)]
            weight = math.prod(cubic_weight(p - place) for p, place in zip(pixels, places))
            places = [padded_pixels(p, n, padding_mode, align_corners).astype(int) for p, n in zip(places, sizes)]
            total = total + read(*places) * weight[:, None]
        return total
    for corner in np.ndindex(*(2,) * len(sizes)):
        weight = math.prod(p - low if up else 1 - (p - low) for p, low, up in zip(pixels, lows, corner))
        total = total + read(*((low + up).astype(int) for low, up in zip(lows, corner))) * weight[:, None]
    return total


def grid_axis(size, align_corners):
    """The middles of pixels in [-1, 1], rounded as torch rounds them: the identity samples at whole pixels, where gradients jump."""
    if size < 2:
        return jnp.zeros(size)
    axis = linspace(-1, 1, size)
    return axis if align_corners else axis * (size - 1) / size


def affine_grid(theta, size, align_corners=False):
    """torch.nn.functional.affine_grid: the sampling grid of affine maps (batch, 2, 3) or (batch, 3, 4)."""
    grid = jnp.meshgrid(*(grid_axis(n, align_corners) for n in size[2:]), indexing="ij")
    points = jnp.stack([*grid[::-1], jnp.ones_like(grid[0])], axis=-1).astype(theta.dtype)
    return jnp.einsum("...j,bij->b...i", points, theta)


def pixel_shuffle(x, upscale_factor):
    """torch.nn.functional.pixel_shuffle: (..., C r r, H, W) to (..., C, H r, W r)."""
    r, (c, h, w) = upscale_factor, x.shape[-3:]
    y = x.reshape(math.prod(x.shape[:-3]), c // (r * r), r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    return y.reshape(*x.shape[:-3], c // (r * r), h * r, w * r)


def pixel_unshuffle(x, downscale_factor):
    """torch.nn.functional.pixel_unshuffle: (..., C, H r, W r) to (..., C r r, H, W)."""
    r, (c, h, w) = downscale_factor, x.shape[-3:]
    y = x.reshape(math.prod(x.shape[:-3]), c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
    return y.reshape(*x.shape[:-3], c * r * r, h // r, w // r)


def channel_shuffle(x, groups):
    """torch.nn.functional.channel_shuffle: the groups become the fast axis of the channels."""
    return x.reshape(x.shape[0], groups, -1, *x.shape[2:]).swapaxes(1, 2).reshape(x.shape)


def unfold(x, kernel_size, dilation=1, padding=0, stride=1):
    """torch.nn.functional.unfold: (batch, C kh kw, positions)."""
    pads = [(p, p) for p in per_axis(padding, 2)]
    patches = jax.lax.conv_general_dilated_patches(
        x, per_axis(kernel_size, 2), per_axis(stride, 2), pads, rhs_dilation=per_axis(dilation, 2)
    )
    return patches.reshape(*patches.shape[:2], math.prod(patches.shape[2:]))


def fold(x, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """torch.nn.functional.fold: the transpose of `unfold`; overlapping entries add up."""
    channels = x.shape[1] // math.prod(per_axis(kernel_size, 2))
    image = jax.ShapeDtypeStruct((x.shape[0], channels, *per_axis(output_size, 2)), x.dtype)
    (y,) = jax.linear_transpose(lambda image: unfold(image, kernel_size, dilation, padding, stride), image)(x)
    return y
