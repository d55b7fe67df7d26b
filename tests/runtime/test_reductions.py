"""Reductions, sorting and norms agree with torch, gradients at ties and zeros included."""

import numpy as np
import pytest
import torch

from torch2jax.runtime import reductions as r

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 4, 5)).astype(np.float32)
DISTINCT = RNG.permutation(60).reshape(3, 4, 5).astype(np.float32)
TIES = RNG.integers(0, 3, (3, 4, 5)).astype(np.float32)
ZEROS = np.zeros((3, 4), np.float32)
NANS = np.where(RNG.random((3, 4, 5)) < 0.1, np.nan, DISTINCT).astype(np.float32)
INTS = RNG.integers(-5, 5, (3, 6)).astype(np.int32)
A, B = RNG.normal(size=(2, 4, 3)).astype(np.float32), RNG.normal(size=(2, 5, 3)).astype(np.float32)
SAME = np.concatenate([A[:, :2], B[:, :2]], 1)

CASES = {
    "max": (lambda x: r.max_along(x, 1), lambda x: torch.max(x, 1), TIES),
    "max keepdim": (lambda x: r.max_along(x, -1, keepdim=True), lambda x: x.max(-1, keepdim=True), TIES),
    "min": (lambda x: r.min_along(x, 0), lambda x: torch.min(x, 0), TIES),
    "max nan": (lambda x: r.max_along(x, 1), lambda x: torch.max(x, 1), NANS),
    "max int": (lambda x: r.max_along(x, 1), lambda x: torch.max(x, 1), INTS),
    "kthvalue": (lambda x: r.kthvalue(x, 2, 1), lambda x: torch.kthvalue(x, 2, 1), DISTINCT),
    "median dim": (lambda x: r.median_along(x, 1), lambda x: torch.median(x, 1), DISTINCT),
    "median dim nan": (lambda x: r.median_along(x, 1).values, lambda x: torch.median(x, 1).values, NANS),
    "median": (r.median, torch.median, DISTINCT),
    "median int": (lambda x: r.median_along(x, 1).values, lambda x: torch.median(x, 1).values, INTS),
    "nanmedian": (r.nanmedian, torch.nanmedian, NANS),
    "nanmedian dim": (lambda x: r.nanmedian_along(x, 1, True), lambda x: x.nanmedian(1, True), NANS),
    "cummax nan": (lambda x: r.cummax(x, 1).indices, lambda x: torch.cummax(x, 1).indices, NANS),
    "cummin nan": (lambda x: r.cummin(x, 1).indices, lambda x: torch.cummin(x, 1).indices, NANS),
    "logcumsumexp": (lambda x: r.logcumsumexp(x, -2), lambda x: torch.logcumsumexp(x, -2), X),
    "mode": (lambda x: r.mode_along(x, 1), lambda x: torch.mode(x, 1), TIES),
    "mode first axis": (lambda x: r.mode_along(x, 0, True), lambda x: torch.mode(x, 0, True), TIES),
    "sort": (lambda x: r.sort(x, 1), lambda x: torch.sort(x, 1), DISTINCT),
    "sort descending": (
        lambda x: r.sort(x, 0, descending=True),
        lambda x: torch.sort(x, dim=0, descending=True, stable=True),
        TIES,
    ),
    "sort nan": (lambda x: r.sort(x).values, lambda x: torch.sort(x).values, NANS),
    "topk": (lambda x: r.topk(x, 2, 1), lambda x: torch.topk(x, 2, 1), DISTINCT),
    "topk smallest": (lambda x: r.topk(x, 3, largest=False), lambda x: torch.topk(x, 3, largest=False), DISTINCT),
    "topk int": (lambda x: r.topk(x, 3, largest=False)[0], lambda x: torch.topk(x, 3, largest=False)[0], INTS),
    "cummax": (lambda x: r.cummax(x, 1), lambda x: torch.cummax(x, 1), TIES),
    "cummin": (lambda x: r.cummin(x, -1), lambda x: torch.cummin(x, -1), TIES),
    "abs": (r.absolute, torch.abs, TIES - 1),
    "clamp": (lambda x: r.clamp(x, 0, 1), lambda x: torch.clamp(x, 0, 1), TIES),
    "clamp crossing": (lambda x: r.clamp(x, 2, 1), lambda x: torch.clamp(x, 2, 1), TIES),
    "std": (r.std, torch.std, X),
    "std dim": (lambda x: r.std(x, (0, 2), keepdim=True), lambda x: torch.std(x, (0, 2), keepdim=True), X),
    "std constant": (lambda x: r.std(x, 1), lambda x: torch.std(x, 1), ZEROS),
    "std biased": (lambda x: r.std(x, 1, correction=0), lambda x: torch.std(x, 1, correction=0), X),
    "std_mean": (lambda x: r.std_mean(x, 1), lambda x: torch.std_mean(x, 1), X),
    "var_mean": (lambda x: r.var_mean(x, 1), lambda x: torch.var_mean(x, 1), X),
    "cdist": (r.cdist, torch.cdist, A, B),
    "cdist same": (r.cdist, torch.cdist, A, SAME),
    "cdist p1": (lambda x, y: r.cdist(x, y, 1.0), lambda x, y: torch.cdist(x, y, 1.0), A, SAME),
    "cdist p3": (lambda x, y: r.cdist(x, y, 3.0), lambda x, y: torch.cdist(x, y, 3.0), A, B),
    "pairwise_distance": (r.pairwise_distance, torch.nn.functional.pairwise_distance, A, SAME),
}


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_torch(case, agree):
    agree(*CASES[case])


@pytest.mark.parametrize("p", ["fro", 0, 0.5, 1, 2, 3, 2.5, float("inf"), -float("inf"), -1])
@pytest.mark.parametrize("dim", [None, 1, (0, 2)])
def test_norm_agrees(p, dim, agree):
    if dim is None:
        agree(lambda x: r.norm(x, p), lambda x: torch.norm(x, p), X, tolerance=2e-5)
    else:
        agree(lambda x: r.norm(x, p, dim), lambda x: torch.norm(x, p, dim), X, tolerance=2e-5)


@pytest.mark.parametrize("p", [0, 1, 2, 3, float("inf")])
def test_norm_of_zeros_has_gradient_zero(p, agree):
    agree(lambda x: r.norm(x, p, 1), lambda x: torch.norm(x, p, 1), ZEROS)


@pytest.mark.parametrize("dim", [0, -1])
@pytest.mark.parametrize(
    ("of_jax", "of_torch"),
    [
        (r.max_along, torch.max),
        (r.min_along, torch.min),
        (r.median_along, torch.median),
        (r.nanmedian_along, torch.nanmedian),
        (r.mode_along, torch.mode),
        (r.sort, torch.sort),
        (r.cummax, torch.cummax),
        (r.cummin, torch.cummin),
        (r.logcumsumexp, torch.logcumsumexp),
        (lambda x, dim: r.kthvalue(x, 1, dim), lambda x, dim: torch.kthvalue(x, 1, dim)),
        (lambda x, dim: r.topk(x, 1, dim), lambda x, dim: torch.topk(x, 1, dim)),
        (lambda x, dim: r.norm(x, 3, dim), lambda x, dim: torch.norm(x, 3, dim)),
    ],
)
def test_axis_of_an_array_without_axes(of_jax, of_torch, dim, agree):
    agree(lambda x: of_jax(x, dim), lambda x: of_torch(x, dim), np.float32(-1.5))


def test_clamp_keeps_nan(agree):
    agree(lambda x: r.clamp(x, min=3), lambda x: torch.clamp(x, min=3), NANS, gradient=False)


def test_eager_results_are_named():
    result = r.max_along(np.asarray(X), 1)
    assert result.values.shape == result.indices.shape == (3, 5)
