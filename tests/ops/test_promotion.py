"""The dtypes that rules and rewriting expect of arithmetic are those of torch."""

from __future__ import annotations

import itertools

import pytest
import torch

from torch2jax.ops.rules import narrowed, promote
from torch2jax.values import Kind, Value, constant

NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64")
PAIRS = list(itertools.product(NAMES, NAMES))


def tensor(name: str, rank: int) -> torch.Tensor:
    return torch.ones((1,) * rank, dtype=getattr(torch, name))


@pytest.mark.parametrize("ranks", [(1, 1), (0, 0), (0, 2), (1, 0)])
def test_tensors_promote_as_in_torch(ranks: tuple[int, int]) -> None:
    for left, right in PAIRS:
        expected = torch.result_type(tensor(left, ranks[0]), tensor(right, ranks[1]))
        if expected is torch.complex32:  # which JAX does not have
            continue
        found = promote([Value(Kind.TENSOR, ranks[0], left), Value(Kind.TENSOR, ranks[1], right)])
        assert f"torch.{found}" == str(expected), (left, right)


@pytest.mark.parametrize("number", [True, 2, 2.5])
def test_numbers_promote_as_in_torch(number: float) -> None:
    for name in NAMES:
        expected = torch.result_type(tensor(name, 1), number)
        assert f"torch.{promote([Value(Kind.TENSOR, 1, name), constant(number)])}" == str(expected), name


def test_only_wider_tensors_without_dimensions_are_cast() -> None:
    half, scale, other = (
        Value(Kind.TENSOR, rank, name) for rank, name in ((2, "float16"), (0, "float32"), (1, "float32"))
    )
    assert narrowed([half, scale]) == {1: "float16"}
    assert narrowed([scale, half]) == {0: "float16"}
    assert narrowed([half, other]) == {}
    assert narrowed([half.but(rank=None), scale]) == {1: "float16"}
    assert narrowed([other.but(rank=None), scale.but(dtype="float64")]) == {}
    assert narrowed([Value(Kind.TENSOR, 1, "int64"), scale]) == {}
    assert narrowed([half, constant(2.5)]) == {}
