"""The layers that claim exactly torch's values have no difference at all."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.layers import test_layers
from tests.layers.layer_calls import read_arguments, run_jax, run_torch, torch_layer
from torch2jax.ops.exactness import is_exact_layer

_EXACT = [row for row in test_layers.ROWS if is_exact_layer(row.spec.name)]


@pytest.mark.parametrize("row", _EXACT, ids=[row.spec.name.removeprefix("torch.nn.") for row in _EXACT])
def test_exact_layer(row: test_layers.Row) -> None:
    torch.manual_seed(0)
    for make, given in test_layers._cases(row):
        module = torch_layer(row.spec.name, make)
        layer = test_layers._with_weights(row, test_layers._build(row, make)[0], module)
        inputs, named = read_arguments(given)
        expected = run_torch(module, inputs, named, (row.check or {}).get("fixed", ()))
        got = run_jax(test_layers._call(row), layer, inputs, named)
        for one, other in zip(got.outputs, expected.outputs, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=f"{row.spec.name}({make}) of {given}")


def test_the_list_decides_both_ways() -> None:
    assert {"torch.nn.ReLU", "torch.nn.MaxPool2d"} <= {row.spec.name for row in _EXACT}
    assert not is_exact_layer("torch.nn.Linear") and not is_exact_layer("torch.nn.GELU")
