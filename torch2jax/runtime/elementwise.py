"""Elementwise functions of torch where NumPy's have other values or other gradients, and overloads known at run time only."""

import math
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from torch2jax.runtime.reductions import max_along, min_along


def power(x, y):
    """torch.pow: the gradient of x ** 0 is 0 everywhere, and integers to negative powers stay integers."""
    if not isinstance(y, jax.Array):
        return x**y
    if jnp.issubdtype(dtype := jnp.result_type(x, y), jnp.integer):
        inverse = jnp.where(jnp.abs(x) == 1, jnp.where((x < 0) & (y % 2 != 0), -1, 1), 0)
        return jnp.where(y < 0, inverse, x ** jnp.maximum(y, 0)).astype(dtype)
    if jnp.iscomplexobj(x) or jnp.iscomplexobj(y):
        return jnp.where(y == 0, jnp.ones_like(x * y), x ** jnp.where(y == 0, 1, y))
    base = jnp.where((x > 0) & jnp.isfinite(x), x, 1).astype(dtype)
    return jnp.where(y == 0, 1 + y * jnp.log(base), x ** jnp.where(y == 0, 1, y))


def xlogy(x, y):
    """torch.xlogy: where x is 0 and y not positive, x gets the gradient 0."""
    outside = (x == 0) & (y <= 0)
    return jnp.where(outside, 0 * x, jax.scipy.special.xlogy(x, jnp.where(outside, 1, y)))


def copysign(x, y):
    """torch.copysign: gradient 0 where x is 0."""
    signed = jnp.copysign(x, y)
    return jnp.where(x == 0, jax.lax.stop_gradient(signed), signed)


def angle(x):
    """torch.angle: of real numbers 0 or pi, with gradient 0."""
    if jnp.iscomplexobj(x):
        return jnp.where(x == 0, jax.lax.stop_gradient(jnp.angle(x)), jnp.angle(jnp.where(x == 0, 1, x)))
    return jax.lax.stop_gradient(jnp.where(x == 0, 0, jnp.angle(x)))


def sign(x):
    """torch.sign and torch.sgn: 0 for NaN, and complex numbers have a gradient."""
    if not jnp.iscomplexobj(x):
        return x if x.dtype == bool else jnp.where(jnp.isnan(x), 0, jnp.sign(x))
    known = jnp.where(x == 0, 1, x)
    return jnp.where(x == 0, 0, known / jnp.abs(known))


def heaviside(x, values):
    """torch.heaviside: 0 for NaN."""
    return jnp.where(x == 0, values, x > 0)


def nextafter(x, other):
    """torch.nextafter: the gradient goes to `x`, where it is not `other` already."""
    step = jax.custom_jvp(jnp.nextafter)
    step.defjvps(lambda tangent, _, x, other: jnp.where(x != other, tangent, 0), None)
    return step(*jnp.broadcast_arrays(x, other))


def float_power(x, exponent):
    """torch.float_power: in double precision, if that is enabled."""
    dtype = jnp.promote_types(jnp.result_type(x, exponent), jnp.result_type(float))
    return jnp.asarray(x, dtype) ** jnp.asarray(exponent, dtype)


def result_type(x, y):
    """torch.result_type: arrays without dimensions do not widen others of their category."""
    scalar, other = (x, y) if jnp.ndim(x) == 0 else (y, x)
    if isinstance(scalar, jax.Array) and isinstance(other, jax.Array) and scalar.ndim == 0 < other.ndim:
        for category in (jnp.integer, jnp.floating, jnp.complexfloating):
            if jnp.issubdtype(scalar.dtype, category) and jnp.issubdtype(other.dtype, category):
                return other.dtype
    return jnp.result_type(x, y)


def can_cast(source, target):
    """torch.can_cast: never from complex numbers to real ones, from those to whole ones, or from these to bool."""
    kinds = (jnp.bool_, jnp.integer, jnp.floating, jnp.complexfloating)
    ranks = [
        next(rank for rank, kind in enumerate(kinds) if jnp.issubdtype(jnp.dtype(item), kind))
        for item in (source, target)
    ]
    return ranks[0] <= ranks[1]


def logit(x):
    """torch.logit: NaN outside of 0 to 1, and so is its gradient."""
    return jnp.where((x >= 0) & (x <= 1), 1, jnp.nan) * jax.scipy.special.logit(x)


def divide_truncated(x, y):
    """torch.div with rounding_mode="trunc": towards zero."""
    if jnp.issubdtype(jnp.result_type(x, y), jnp.integer):
        x, y = jnp.broadcast_arrays(x, y)
        dtype = jnp.result_type(x, y)
        return jax.lax.div(x.astype(dtype), y.astype(dtype))
    return jnp.trunc(x / y)


def arctan2(x, y):
    """torch.atan2: gradient 0 at the origin."""
    known = (x != 0) | (y != 0)
    at_origin = jax.lax.stop_gradient(jnp.arctan2(x, y))
    return jnp.where(known, jnp.arctan2(jnp.where(known, x, 1), jnp.where(known, y, 1)), at_origin)


def fmax(x, y):
    """torch.fmax: ignores NaN; the first argument gets the gradient of ties."""
    return jnp.where((x >= y) | jnp.isnan(y), x, y)


def fmin(x, y):
    """torch.fmin: ignores NaN; the first argument gets the gradient of ties."""
    return jnp.where((x <= y) | jnp.isnan(y), x, y)


def lerp(x, end, weight):
    """torch.lerp."""
    return x + weight * (end - x)


def polar(size, angle):
    """torch.polar."""
    return jax.lax.complex(size * jnp.cos(angle), size * jnp.sin(angle))


def view_as_complex(x):
    """torch.view_as_complex: the last axis holds real and imaginary part."""
    return jax.lax.complex(x[..., 0], x[..., 1])


def view_as_real(x):
    """torch.view_as_real."""
    return jnp.stack([x.real, x.imag], axis=-1)


def cartesian_prod(*tensors):
    """torch.cartesian_prod: all combinations, the last array varies fastest."""
    if len(tensors) == 1:
        return tensors[0]
    return jnp.stack(jnp.meshgrid(*tensors, indexing="ij"), axis=-1).reshape(-1, len(tensors))


def maximum_or_along(x, other, keepdim=False):
    """torch.max(x, other): the elementwise maximum of two arrays, or maximum and index along an axis."""
    return jnp.maximum(x, other) if isinstance(other, jax.Array) else max_along(x, other, keepdim)


def minimum_or_along(x, other, keepdim=False):
    """torch.min(x, other): the elementwise minimum of two arrays, or minimum and index along an axis."""
    return jnp.minimum(x, other) if isinstance(other, jax.Array) else min_along(x, other, keepdim)


def searchsorted(sorted_sequence, x, right=False, side=None, sorter=None):
    """torch.searchsorted: every row of `x` in its own row of `sorted_sequence`."""
    side = side or ("right" if right else "left")
    if sorter is not None:
        sorted_sequence = jnp.take_along_axis(sorted_sequence, sorter, axis=-1)
    if sorted_sequence.ndim == 1:
        return jnp.searchsorted(sorted_sequence, x, side=side).astype(int)
    rows = sorted_sequence.reshape(math.prod(x.shape[:-1]), sorted_sequence.shape[-1])
    found = jax.vmap(partial(jnp.searchsorted, side=side))(rows, x.reshape(len(rows), x.shape[-1]))
    return found.reshape(x.shape).astype(int)


class MinMax(NamedTuple):
    """What torch.aminmax returns."""

    min: Any
    max: Any


def aminmax(x, dim=None, keepdim=False):
    """torch.aminmax."""
    dim = None if x.ndim == 0 else dim
    return MinMax(x.min(axis=dim, keepdims=keepdim), x.max(axis=dim, keepdims=keepdim))
