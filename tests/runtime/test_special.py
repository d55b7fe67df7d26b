"""Special functions, windows and decompositions where rows draw no such arguments: all ranges, failures, empty axes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from torch2jax.runtime.decompositions import cholesky_ex, full_svd, lu_factor_ex
from torch2jax.runtime.special import airy_ai, bessel_j, bessel_k, bessel_y, digamma, polygamma
from torch2jax.runtime.windows import cosine_sum_window, kaiser_window

X = np.concatenate([np.linspace(-20, 20, 81), [1e-6, 1.9999, 2.0001, 100.0]]).astype(np.float32)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("bessel_j0", lambda x: bessel_j(x, 0)),
        ("bessel_j1", lambda x: bessel_j(x, 1)),
        ("bessel_y0", lambda x: bessel_y(x, 0)),
        ("bessel_y1", lambda x: bessel_y(x, 1)),
        ("modified_bessel_k0", lambda x: bessel_k(x, 0)),
        ("scaled_modified_bessel_k1", lambda x: bessel_k(x, 1, scaled=True)),
        ("airy_ai", airy_ai),
    ],
)
def test_bessel_functions_on_both_sides_of_their_series(name, function) -> None:
    expected = getattr(torch.special, name)(torch.tensor(X)).numpy()
    np.testing.assert_allclose(function(X), expected, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_polygamma_of_negative_numbers(n: int) -> None:
    x = np.array([-8.8, -2.5001, -0.3, 0.4, 3.0], np.float32)
    tensor = torch.tensor(x, requires_grad=True)
    expected = torch.polygamma(n, tensor)
    expected.sum().backward()
    function = digamma if n == 0 else lambda x: polygamma(n, x)
    np.testing.assert_allclose(function(x), expected.detach(), rtol=1e-4)
    np.testing.assert_allclose(jax.grad(lambda x: function(x).sum())(x), tensor.grad, rtol=1e-4)


def test_failures_are_numbered() -> None:
    singular = np.diag([1.0, 2.0, 0.0, 3.0]).astype(np.float32)
    expected = torch.linalg.lu_factor_ex(torch.tensor(singular)).info
    assert int(lu_factor_ex(jnp.asarray(singular)).info) == int(expected) == 3
    indefinite = np.diag([1.0, 2.0, 3.0, -1.0]).astype(np.float32)
    expected = torch.linalg.cholesky_ex(torch.tensor(indefinite)).info
    assert int(cholesky_ex(jnp.asarray(indefinite)).info) == int(expected) == 4


def test_full_svd_has_the_gradient_of_the_reduced_one() -> None:
    x = np.random.default_rng(0).normal(size=(3, 5)).astype(np.float32)
    tensor = torch.tensor(x, requires_grad=True)
    (torch.linalg.svd(tensor).Vh[:3] ** 4).sum().backward()
    got = jax.grad(lambda x: (full_svd(x).Vh[:3] ** 4).sum())(x)
    np.testing.assert_allclose(got, tensor.grad, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("length", [0, 1, 5])
def test_short_windows(length: int) -> None:
    windows = torch.signal.windows
    np.testing.assert_allclose(cosine_sum_window(length, (0.5, 0.5)), windows.hann(length), atol=1e-6)
    np.testing.assert_allclose(kaiser_window(length, sym=False), windows.kaiser(length, sym=False), atol=1e-6)
