"""Calls whose results a row cannot compare by itself: defined up to signs, or overloaded by the type of an argument."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import torch

from torch2jax.runtime.decompositions import svd
from torch2jax.runtime.elementwise import aminmax, divide_truncated, maximum_or_along, power, searchsorted
from torch2jax.runtime.functional import one_hot

X = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)


def test_svd_is_reduced_and_does_not_transpose_v() -> None:
    u, s, v = svd(jnp.asarray(X))
    reference = torch.svd(torch.tensor(X))
    assert [part.shape for part in (u, s, v)] == [tuple(part.shape) for part in reference]
    np.testing.assert_allclose(u @ jnp.diag(s) @ v.T, X, atol=1e-5)


def test_aminmax_names_its_results() -> None:
    got, expected = aminmax(jnp.asarray(X), dim=1), torch.aminmax(torch.tensor(X), dim=1)
    np.testing.assert_allclose(got.min, expected.min)
    np.testing.assert_allclose(got.max, expected.max)


def test_one_hot_counts_the_classes() -> None:
    indices = np.array([0, 2, 1])
    np.testing.assert_array_equal(one_hot(jnp.asarray(indices)), torch.nn.functional.one_hot(torch.tensor(indices)))


def test_max_of_two_arrays_or_along_an_axis() -> None:
    x, y = jnp.asarray(X), jnp.zeros_like(X)
    np.testing.assert_array_equal(maximum_or_along(x, y), jnp.maximum(x, y))
    np.testing.assert_array_equal(maximum_or_along(x, 1).indices, torch.tensor(X).max(1).indices)


def test_integer_powers_and_quotients() -> None:
    base, exponent = np.array([2, -1, 1, -3, -1]), np.array([-1, -3, -2, 3, -2])
    expected = torch.pow(torch.tensor(base), torch.tensor(exponent))
    np.testing.assert_array_equal(power(jnp.asarray(base), jnp.asarray(exponent)), expected)
    quotient = torch.div(torch.tensor(base * 7), torch.tensor(exponent), rounding_mode="trunc")
    np.testing.assert_array_equal(divide_truncated(jnp.asarray(base * 7), jnp.asarray(exponent)), quotient)


def test_searchsorted_searches_each_row_in_its_own_row() -> None:
    rows, values = np.sort(X, axis=1), X[:, :2]
    expected = torch.searchsorted(torch.tensor(rows), torch.tensor(values))
    np.testing.assert_array_equal(searchsorted(jnp.asarray(rows), jnp.asarray(values)), expected)
