"""Padding, resizing and sampling agree with torch."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from torch2jax.runtime import resampling as r

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 4, 5, 6)).astype(np.float32)
LINE, VOLUME = X[:, :, 0], RNG.normal(size=(1, 2, 3, 4, 5)).astype(np.float32)
GRID = (1.5 * RNG.normal(size=(2, 3, 4, 2))).astype(np.float32)
GRID3 = (0.8 * RNG.normal(size=(1, 2, 3, 4, 3))).astype(np.float32)

RESIZES = [
    *({"size": size, "mode": mode} for size in ((8, 9), 3, (5, 11)) for mode in ("nearest", "nearest-exact", "bilinear", "bicubic", "area")),
    *({"scale_factor": 1.7, "mode": mode} for mode in ("nearest", "bilinear", "bicubic")),
    {"scale_factor": (0.6, 2), "mode": "bilinear", "recompute_scale_factor": True},
    {"size": (8, 3), "mode": "bilinear", "align_corners": True},
    {"size": (1, 9), "mode": "bicubic", "align_corners": True},
    {"size": (3, 2), "mode": "bilinear", "antialias": True},
    {"size": (2, 9), "mode": "bicubic", "antialias": True},
]  # fmt: skip


@pytest.mark.parametrize("options", RESIZES, ids=str)
def test_interpolate(options, agree):
    agree(lambda x: r.interpolate(x, **options), lambda x: F.interpolate(x, **options), X)


def test_interpolate_other_ranks(agree):
    agree(lambda x: r.interpolate(x, 9, mode="linear"), lambda x: F.interpolate(x, 9, mode="linear"), LINE)
    agree(lambda x: r.interpolate(x, scale_factor=2), lambda x: F.interpolate(x, scale_factor=2), VOLUME)
    agree(lambda x: r.interpolate(x, 4, mode="trilinear"), lambda x: F.interpolate(x, 4, mode="trilinear"), VOLUME)
    agree(r.Upsample(scale_factor=2, mode="bilinear"), torch.nn.Upsample(scale_factor=2, mode="bilinear"), X)


@pytest.mark.parametrize("align_corners", [True, False])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
def test_grid_sample(mode, padding_mode, align_corners, agree):
    options = {"mode": mode, "padding_mode": padding_mode, "align_corners": align_corners}
    agree(lambda *a: r.grid_sample(*a, **options), lambda *a: F.grid_sample(*a, **options), X, GRID, tolerance=1e-4)


def test_grid_sample_of_volumes(agree):
    agree(r.grid_sample, lambda *a: F.grid_sample(*a, align_corners=False), VOLUME, GRID3, tolerance=1e-4)


@pytest.mark.filterwarnings("ignore:Since version 1.3.0")
@pytest.mark.parametrize("align_corners", [True, False])
@pytest.mark.parametrize("size", [(2, 3, 4, 5), (2, 3, 1, 6), (2, 1, 3, 4, 5)])
def test_affine_grid(size, align_corners, agree):
    theta = RNG.normal(size=(2, len(size) - 2, len(size) - 1)).astype(np.float32)
    agree(lambda t: r.affine_grid(t, size, align_corners), lambda t: F.affine_grid(t, size, align_corners), theta)


@pytest.mark.parametrize("align_corners", [True, False])
@pytest.mark.parametrize("size", [7, 12, 28, 32])
def test_gradients_at_the_identity_take_the_pixels_that_torch_takes(size, align_corners, agree):
    theta, image = np.eye(2, 3, dtype=np.float32)[None], RNG.normal(size=(1, 1, size, size)).astype(np.float32)

    def sampled(library, image, theta):
        grid = library.affine_grid(theta, (1, 1, size, size), align_corners=align_corners)
        return library.grid_sample(image, grid, align_corners=align_corners)

    agree(lambda *a: sampled(r, *a), lambda *a: sampled(F, *a), image, theta, tolerance=1e-3)


CASES = {
    "pad": (lambda x: r.pad(x, (1, 2)), lambda x: F.pad(x, (1, 2)), X),
    "pad value": (lambda x: r.pad(x, (1, -2, -1, 3), value=2.0), lambda x: F.pad(x, (1, -2, -1, 3), value=2.0), X),
    "pad reflect": (lambda x: r.pad(x, (1, 2, 2, 0), "reflect"), lambda x: F.pad(x, (1, 2, 2, 0), "reflect"), X),
    "pad replicate": (lambda x: r.pad(x, (3, 2, -1, 3), "replicate"), lambda x: F.pad(x, (3, 2, -1, 3), "replicate"), X),
    "pad circular": (lambda x: r.pad(x, (1, 2, 3, 0), "circular"), lambda x: F.pad(x, (1, 2, 3, 0), "circular"), X),
    "pixel_shuffle": (lambda x: r.pixel_shuffle(x, 2), lambda x: F.pixel_shuffle(x, 2), X),
    "pixel_unshuffle": (lambda x: r.pixel_unshuffle(x, 2), lambda x: F.pixel_unshuffle(x, 2), X[:, :, :4]),
    "channel_shuffle": (lambda x: r.channel_shuffle(x, 2), lambda x: F.channel_shuffle(x, 2), X),
    "unfold": (lambda x: r.unfold(x, (2, 3), 1, (1, 0), (2, 1)), lambda x: F.unfold(x, (2, 3), 1, (1, 0), (2, 1)), X),
    "unfold dilated": (lambda x: r.unfold(x, 2, dilation=2), lambda x: F.unfold(x, 2, dilation=2), X),
    "fold": (
        lambda x: r.fold(x, (5, 6), 3, padding=1, stride=2),
        lambda x: F.fold(x, (5, 6), 3, padding=1, stride=2),
        RNG.normal(size=(2, 18, 9)).astype(np.float32),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_torch(case, agree):
    agree(*CASES[case])
