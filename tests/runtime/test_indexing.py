"""Indexing, scattering and splitting agree with torch."""

import jax.numpy as jnp
import numpy as np
import pytest
import torch

from torch2jax.runtime import indexing as i

RNG = np.random.default_rng(0)
X = RNG.normal(size=(4, 5)).astype(np.float32)
CUBE = RNG.normal(size=(2, 6, 3)).astype(np.float32)
TIES = RNG.integers(0, 3, (4, 5)).astype(np.float32)
SRC = RNG.normal(size=(4, 5)).astype(np.float32)
SRC_TIES = RNG.integers(0, 3, (4, 5)).astype(np.float32)
SMALL = RNG.integers(0, 4, (3, 2))
ROWS = np.array([2, 0, 2])
UNIQUE = np.stack([RNG.permutation(5)[:3] for _ in range(4)])
MASK = RNG.random((4, 5)) < 0.5

CASES = {
    "gather": (lambda x, k: i.gather(x, 0, k), lambda x, k: x.gather(0, k), X, SMALL),
    "gather last": (lambda x, k: i.gather(x, -1, k), lambda x, k: x.gather(-1, k), X, SMALL),
    "scatter": (lambda x, k, s: i.scatter(x, 1, k, s), lambda x, k, s: x.scatter(1, k, s), X, UNIQUE, SRC[:, :3]),
    "scatter number": (lambda x, k: i.scatter(x, 1, k, 7.0), lambda x, k: x.scatter(1, k, 7.0), X, SMALL),
    "scatter add": (
        lambda x, k, s: i.scatter(x, 0, k, s, reduce="add"),
        lambda x, k, s: x.scatter_add(0, k, s),
        X,
        SMALL,
        SRC[:3, :2],
    ),
    "scatter_add": (
        lambda x, k, s: i.scatter_add(x, 1, k, s),
        lambda x, k, s: x.scatter_add(1, k, s),
        X,
        SMALL,
        SRC[:3, :2],
    ),
    "index_add": (
        lambda x, s: i.index_add(x, 0, ROWS, s, alpha=2),
        lambda x, s: x.index_add(0, torch.tensor(ROWS), s, alpha=2),
        X,
        SRC[:3],
    ),
    "index_copy": (
        lambda x, s: i.index_copy(x, 1, np.array([3, 1]), s),
        lambda x, s: x.index_copy(1, torch.tensor([3, 1]), s),
        X,
        SRC[:, :2],
    ),
    "index_fill": (
        lambda x: i.index_fill(x, -1, np.array([0, 4]), 3.0),
        lambda x: x.index_fill(-1, torch.tensor([0, 4]), 3.0),
        X,
    ),
    "index_put": (
        lambda x, v: i.index_put(x, (ROWS, np.array([1, 2, 1])), v, accumulate=True),
        lambda x, v: x.index_put((torch.tensor(ROWS), torch.tensor([1, 2, 1])), v, accumulate=True),
        X,
        SRC[0, :3],
    ),
    "masked_scatter": (
        lambda x, s: i.masked_scatter(x, MASK, s),
        lambda x, s: x.masked_scatter(torch.tensor(MASK), s),
        X,
        SRC,
    ),
    "take": (lambda x: i.take(x, SMALL), lambda x: x.take(torch.tensor(SMALL)), X),
    "put": (
        lambda x, v: i.put(x, np.array([3, 19, 3]), v, accumulate=True),
        lambda x, v: x.put(torch.tensor([3, 19, 3]), v, accumulate=True),
        X,
        SRC[0, :3],
    ),
    "split": (lambda x: i.split(x, 4, 1), lambda x: x.split(4, 1), CUBE),
    "split lengths": (lambda x: i.split(x, [1, 2, 3], 1), lambda x: x.split([1, 2, 3], 1), CUBE),
    "chunk": (lambda x: i.chunk(x, 4, 1), lambda x: x.chunk(4, 1), CUBE),
    "chunk many": (lambda x: i.chunk(x, 5, -1), lambda x: x.chunk(5, -1), CUBE),
    "windows": (lambda x: i.unfold_windows(x, 1, 3, 2), lambda x: x.unfold(1, 3, 2), CUBE),
    "windows first": (lambda x: i.unfold_windows(x, 0, 2, 1), lambda x: x.unfold(0, 2, 1), CUBE),
    "squeeze": (lambda x: i.squeeze(x, 0), lambda x: x.squeeze(0), CUBE),
    "squeeze one": (lambda x: i.squeeze(x, (0, -1)), lambda x: x.squeeze((0, -1)), CUBE[:1]),
    "expand": (lambda x: i.expand(x, 3, -1, 5), lambda x: x.expand(3, -1, 5), X[:, :1]),
    "expand tuple": (lambda x: i.expand(x, (2, 4, 5)), lambda x: x.expand((2, 4, 5)), X),
    "flatten": (lambda x: i.flatten(x, 1), lambda x: x.flatten(1), CUBE),
    "flatten front": (lambda x: i.flatten(x, 0, 1), lambda x: x.flatten(0, 1), CUBE),
    "flatten number": (i.flatten, torch.flatten, np.array(1.0, np.float32)),
    "unflatten": (lambda x: i.unflatten(x, 1, (2, -1)), lambda x: x.unflatten(1, (2, -1)), CUBE),
    "narrow": (lambda x: i.narrow(x, 1, 2, 3), lambda x: x.narrow(1, 2, 3), CUBE),
    "narrow end": (lambda x: i.narrow(x, 1, -2, 2), lambda x: x.narrow(1, -2, 2), CUBE),
    "cat": (
        lambda x, y: i.cat([np.zeros(0, np.float32), x, y], 1),
        lambda x, y: torch.cat([torch.zeros(0), x, y], 1),
        X,
        SRC,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_torch(case, agree):
    agree(*CASES[case])


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["sum", "mean", "amax", "amin", "prod"])
def test_scatter_reduce(reduce, include_self, agree):
    agree(
        lambda x, k, s: i.scatter_reduce(x, 0, k, s, reduce, include_self),
        lambda x, k, s: x.scatter_reduce(0, k, s, reduce, include_self=include_self),
        TIES,
        SMALL,
        SRC_TIES[:3, :2],
    )


def test_scatter_reads_the_leading_part_of_a_larger_source(agree):
    agree(
        lambda x, s: i.scatter(x, 1, UNIQUE, s),
        lambda x, s: x.scatter(1, torch.tensor(UNIQUE), s),
        X,
        SRC,
        gradient=False,
    )


def test_masked_select_is_eager():
    mask = np.array([True, False, True, True, False])
    expected = torch.tensor(X).masked_select(torch.tensor(mask)).numpy()
    np.testing.assert_array_equal(i.masked_select(X, mask), expected)


NUMBER = np.float32(2.5)
FIRST = np.array([0])
SCALARS = {
    "gather": (lambda x: i.gather(x, 0, FIRST), lambda x: x.gather(0, torch.tensor(FIRST))),
    "scatter": (lambda x: i.scatter(x, 0, FIRST, 7.0), lambda x: x.scatter(0, torch.tensor(FIRST), 7.0)),
    "index_add": (
        lambda x: i.index_add(x, 0, FIRST, x, alpha=2),
        lambda x: x.index_add(0, torch.tensor(FIRST), x, alpha=2),
    ),
    "index_copy": (
        lambda x: i.index_copy(x, 0, FIRST, 2 * x),
        lambda x: x.index_copy(0, torch.tensor(FIRST), 2 * x),
    ),
    "index_fill": (lambda x: i.index_fill(x, 0, FIRST, 7.0), lambda x: x.index_fill(0, torch.tensor(FIRST), 7.0)),
    "unfold": (lambda x: i.unfold_windows(x, 0, 1, 1), lambda x: x.unfold(0, 1, 1)),
}


@pytest.mark.parametrize("case", SCALARS)
def test_tensors_without_dimensions_are_vectors_of_one_entry(case, agree):
    ours, theirs = SCALARS[case]
    agree(ours, theirs, NUMBER)


@pytest.mark.parametrize("include_self", [True, False])
def test_gradient_of_products_with_zeros(include_self, agree):
    x = np.array([[2, 0, 3], [1, 2, 0]], np.float32)
    src = np.array([[0, 2, 3], [0, 0, 5], [4, 1, 2]], np.float32)
    index = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0]])
    agree(
        lambda x, s: i.scatter_reduce(x, 0, index, s, "prod", include_self),
        lambda x, s: x.scatter_reduce(0, torch.tensor(index), s, "prod", include_self=include_self),
        x,
        src,
    )


@pytest.mark.parametrize("reduce", ["sum", "prod", "amax", "amin"])
def test_booleans_are_joined(reduce):
    index, src = np.array([0, 0, 1]), np.array([False, True, False])
    x = np.array([True, False, True])
    ours = i.scatter_reduce(jnp.asarray(x), 0, jnp.asarray(index), jnp.asarray(src), reduce)
    theirs = torch.tensor(x).scatter_reduce(0, torch.tensor(index), torch.tensor(src), reduce)
    assert ours.dtype == bool
    np.testing.assert_array_equal(ours, theirs)


def test_numbers_are_written_in_the_dtype_of_the_tensor():
    ours = i.scatter(jnp.array([-3, 4]), 0, jnp.array([0]), 2.5, reduce="add")
    np.testing.assert_array_equal(ours, torch.tensor([-3, 4]).scatter(0, torch.tensor([0]), 2.5, reduce="add"))


def test_positions_of_an_empty_array_are_all_filled():
    np.testing.assert_array_equal(i.nonzero_static(jnp.zeros((5, 0)), 2), torch.zeros(5, 0).nonzero_static(size=2))
