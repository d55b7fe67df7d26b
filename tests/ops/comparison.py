"""Compares what torch and converted code return: values, dtypes, shapes, containers."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import torch

from tests.arrays import narrowed, to_wide_numpy


def assert_same(got: object, expected: object, rtol: float = 1e-4, atol: float = 2e-5) -> None:
    """`got` (JAX) is what `expected` (torch) says."""
    match expected:
        case torch.Tensor():
            assert isinstance(got, (jax.Array, np.ndarray)), f"{type(got).__name__} instead of an array"
            assert tuple(got.shape) == tuple(expected.shape), f"shape {got.shape} instead of {tuple(expected.shape)}"
            assert narrowed(got.dtype) == narrowed(expected.dtype), f"dtype {got.dtype} instead of {expected.dtype}"
            reference = to_wide_numpy(expected)
            np.testing.assert_allclose(np.asarray(got).astype(reference.dtype), reference, rtol, atol)
        case torch.Size():
            assert tuple(got) == tuple(expected) and isinstance(got, tuple), (got, expected)  # type: ignore[arg-type]
        case tuple() | list():
            assert isinstance(got, (tuple, list, jax.Array)), f"{type(got).__name__} instead of a sequence"
            assert len(got) == len(expected), f"{len(got)} results instead of {len(expected)}"
            if hasattr(expected, "values") and hasattr(expected, "indices"):
                assert got._fields == ("values", "indices"), "a named tuple"  # type: ignore[union-attr]
            for one, other in zip(got, expected, strict=True):
                assert_same(one, other, rtol, atol)
        case torch.dtype():
            assert narrowed(jnp.dtype(got)) == narrowed(expected), (got, expected)
        case np.ndarray():
            np.testing.assert_allclose(np.asarray(got), expected, rtol, atol)
        case bool():
            assert bool(got) == expected and np.ndim(got) == 0, (got, expected)  # type: ignore[arg-type]
        case int() | float() | complex():
            assert isinstance(got, type(expected)), f"{type(got).__name__} instead of {type(expected).__name__}"
            np.testing.assert_allclose(got, expected, rtol, atol)
        case torch.nn.attention.SDPBackend():
            assert got == expected.name, (got, expected)
        case str() if expected == torch.__version__:
            assert got == expected.split("+")[0], (got, expected)  # behind the sign stands for what torch was built
        case _:
            assert got == expected, (got, expected)


def float_arrays(result: object) -> list:
    """The floating arrays or tensors of a result, in order."""
    if isinstance(result, torch.Tensor):
        return [result] if result.is_floating_point() else []
    if isinstance(result, jax.Array):
        return [result] if jnp.issubdtype(result.dtype, jnp.floating) else []
    if isinstance(result, (tuple, list)):
        return [item for part in result for item in float_arrays(part)]
    return []


def weights(shape: tuple[int, ...]) -> np.ndarray:
    """Fixed weights for the sum whose gradient is compared."""
    return (np.arange(np.prod(shape, dtype=int)) % 5 + 1.0).reshape(shape).astype(np.float32)
