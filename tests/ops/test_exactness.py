"""The rows that claim exactly torch's values have no difference at all, where other rows may differ by rounding."""

import jax
import numpy as np
import pytest
import torch

from tests.ops import test_rows
from torch2jax.ops.exactness import is_exact
from torch2jax.ops.schema import function_spec

_EXACT = [row for row in test_rows.ROWS if is_exact(function_spec(*row.values))]


@pytest.mark.parametrize(("row", "origin"), _EXACT)
def test_exact_row(row: dict, origin: str) -> None:
    if "rng" in row.get("effects", ()):
        return
    test_rows.test_row({**row, "check": {**(row.get("check") or {}), "rtol": 0, "grad": False}}, origin)


def test_the_lists_decide_both_ways() -> None:
    exact = {row.id for row in _EXACT}
    assert {"torch.cat", "torch.where", "torch.mul", "torch.amax"} <= exact
    assert not {"torch.exp", "torch.sum", "torch.matmul", "torch.addcmul", "torch.sqrt", "torch.div"} & exact


def test_the_largest_entries_of_both_libraries() -> None:
    """What `values, indices = x.topk(k)` becomes, with infinities and what is not a number."""
    x = np.array([[1, np.nan, 3, np.inf], [-np.inf, 2, np.nan, -1]], np.float32)
    for got, expected in zip(jax.lax.top_k(x, 4), torch.topk(torch.from_numpy(x), 4), strict=True):
        np.testing.assert_array_equal(got, expected.numpy())
