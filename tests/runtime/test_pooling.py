"""Pooling agrees with torch: padding, ceil_mode, divisors, ties."""

import itertools

import equinox as eqx
import jax
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torch2jax.runtime import pooling as p

RNG = np.random.default_rng(0)
PLANE = RNG.integers(-3, 3, (2, 3, 7, 8)).astype(np.float32)  # with ties
LINE, VOLUME = PLANE[:, :, 0], RNG.normal(size=(1, 2, 5, 4, 6)).astype(np.float32)
SMOOTH = RNG.normal(size=(2, 3, 7, 8)).astype(np.float32)


@pytest.mark.parametrize(
    "options",
    [
        dict(zip(("kernel_size", "stride", "padding", "dilation", "ceil_mode"), values))
        for values in [
            (2, None, 0, 1, False),
            (3, 2, 1, 1, False),
            (3, 2, 1, 1, True),
            ((3, 2), (2, 3), (1, 0), 1, True),
            (2, 3, 1, 2, True),
            (2, 2, 0, 1, True),
        ]
    ],
    ids=str,
)
def test_max_pool(options, agree):
    agree(lambda x: p.max_pool(x, **options), lambda x: F.max_pool2d(x, **options), PLANE)
    agree(
        lambda x: p.max_pool_with_indices(x, **options),
        lambda x: F.max_pool2d(x, return_indices=True, **options),
        PLANE,
    )


@pytest.mark.parametrize("ceil_mode, count_include_pad", itertools.product([True, False], repeat=2))
@pytest.mark.parametrize("window", [(2, None, 0), (3, 2, 1), ((3, 2), (2, 3), (1, 1))])
def test_avg_pool(window, ceil_mode, count_include_pad, agree):
    agree(
        lambda x: p.avg_pool(x, *window, ceil_mode, count_include_pad),
        lambda x: F.avg_pool2d(x, *window, ceil_mode, count_include_pad),
        SMOOTH,
    )


CASES = {
    "max 1d": (lambda x: p.max_pool(x, 3, 2, 1, ndim=1), lambda x: F.max_pool1d(x, 3, 2, 1), LINE),
    "max 1d unbatched": (lambda x: p.max_pool(x, 3, ndim=1), lambda x: F.max_pool1d(x, 3), LINE[0]),
    "max 3d": (lambda x: p.max_pool(x, 2, ndim=3), lambda x: F.max_pool3d(x, 2), VOLUME),
    "avg 1d": (lambda x: p.avg_pool(x, 3, 2, 1, True, ndim=1), lambda x: F.avg_pool1d(x, 3, 2, 1, True), LINE),
    "avg 3d": (lambda x: p.avg_pool(x, 2, ndim=3), lambda x: F.avg_pool3d(x, 2), VOLUME),
    "avg divisor": (lambda x: p.avg_pool(x, 2, divisor_override=3), lambda x: F.avg_pool2d(x, 2, divisor_override=3), SMOOTH),
    "lp": (lambda x: p.lp_pool(x, 2, 2), lambda x: F.lp_pool2d(x, 2, 2), np.abs(SMOOTH)),
    "adaptive avg": (lambda x: p.adaptive_avg_pool(x, (3, 5)), lambda x: F.adaptive_avg_pool2d(x, (3, 5)), SMOOTH),
    "adaptive avg 1": (lambda x: p.adaptive_avg_pool(x, 1), lambda x: F.adaptive_avg_pool2d(x, 1), SMOOTH),
    "adaptive avg none": (lambda x: p.adaptive_avg_pool(x, (None, 2)), lambda x: F.adaptive_avg_pool2d(x, (None, 2)), SMOOTH),
    "adaptive avg large": (lambda x: p.adaptive_avg_pool(x, 9), lambda x: F.adaptive_avg_pool2d(x, 9), SMOOTH),
    "adaptive avg 3d": (lambda x: p.adaptive_avg_pool(x, 2, 3), lambda x: F.adaptive_avg_pool3d(x, 2), VOLUME),
    "adaptive max": (lambda x: p.adaptive_max_pool(x, (3, 5)), lambda x: F.adaptive_max_pool2d(x, (3, 5)), PLANE),
    "adaptive max 1d": (lambda x: p.adaptive_max_pool(x, 3, 1), lambda x: F.adaptive_max_pool1d(x, 3), LINE),
    "unpool": (
        lambda x: p.max_unpool(*p.max_pool_with_indices(x, 2), 2),
        lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2),
        SMOOTH[..., :6, :],
    ),
    "unpool size": (
        lambda x: p.max_unpool(*p.max_pool_with_indices(x, 2), 2, output_size=x.shape),
        lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2, output_size=x.shape),
        SMOOTH,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_torch(case, agree):
    agree(*CASES[case])


@pytest.mark.parametrize("window", [(2, 2, 0), (3, 2, 1)])
def test_native_layers_are_the_same_without_ceil_mode(window, agree):
    agree(lambda x: jax.vmap(eqx.nn.MaxPool2d(*window))(x), lambda x: F.max_pool2d(x, *window), PLANE)
    agree(lambda x: jax.vmap(eqx.nn.AvgPool2d(*window))(x), lambda x: F.avg_pool2d(x, *window), SMOOTH)


@pytest.mark.parametrize("size", [{"output_size": (4, 5)}, {"output_ratio": (0.5, 0.7)}], ids=str)
def test_fractional_max_pool_with_given_samples(size):
    samples = RNG.random((2, 3, 2), np.float32)
    theirs = F.fractional_max_pool2d(
        torch.tensor(SMOOTH), (2, 3), return_indices=True, _random_samples=torch.tensor(samples), **size
    )
    ours = p.fractional_max_pool_with_indices(SMOOTH, (2, 3), samples=samples, **size)
    for left, right in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(left, right)


def test_fractional_max_pool_draws_its_regions():
    draw = jax.vmap(lambda key: p.fractional_max_pool(VOLUME, 2, 3, ndim=3, key=key))
    pools = draw(jax.random.split(jax.random.key(0), 8))
    assert pools.shape == (8, 1, 2, 3, 3, 3) and len(np.unique(np.asarray(pools), axis=0)) > 1
