"""The NNX column of the layer tables: what its layers compute and how they start."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import libcst as cst
import numpy as np
import pytest
import torch
from flax import nnx

from tests.layers.layer_calls import (
    as_text,
    assert_same_distribution,
    convert_call,
    evaluate,
    read_arguments,
    torch_layer,
)
from torch2jax.ops.lowering import Lowered
from torch2jax.ops.schema import LayerSpec, layer_spec
from torch2jax.ops.tables import mappings_folder, read_rows

FILES = sorted((mappings_folder() / "layers").glob("*.yaml"))
ROWS = [(layer_spec(row, origin), row) for path in FILES for row, origin in read_rows(path) if "nnx" in row]
CALLS = [(spec, make, row["check"]["inputs"][0]) for spec, row in ROWS for make in row["check"]["make"]]


def _name(value: Any) -> str:
    return value.name.removeprefix("torch.nn.") if isinstance(value, LayerSpec) else value


def _build(spec: LayerSpec, make: str, seed: int = 0) -> Any:
    lowered = convert_call(spec.targets["nnx"].make, spec.signature, make)
    assert isinstance(lowered, Lowered), lowered
    return evaluate(as_text(lowered), nnx=nnx, rngs=nnx.Rngs(seed))


@pytest.mark.parametrize(("spec", "make", "given"), CALLS, ids=_name)
def test_layer_computes_what_torch_computes(spec: LayerSpec, make: str, given: str) -> None:
    (x,), _ = read_arguments(given)
    module, layer = torch_layer(spec.name, make).eval(), _build(spec, make)
    if isinstance(layer, nnx.Module):
        layer.eval()
    if isinstance(module, torch.nn.Linear):
        layer.kernel[...] = jnp.asarray(module.weight.detach().numpy().T)
        if module.bias is not None:
            layer.bias[...] = jnp.asarray(module.bias.detach().numpy())
    expected = module(torch.tensor(x)).detach().numpy()
    np.testing.assert_allclose(layer(jnp.asarray(x)), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("make", ["7, 5", "2 + 5, 5"])
def test_linear_starts_as_that_of_torch(make: str) -> None:
    spec = next(spec for spec, _ in ROWS if spec.name == "torch.nn.Linear")
    torch.manual_seed(0)
    lowered = convert_call(spec.targets["nnx"].make, spec.signature, make)
    assert isinstance(lowered, Lowered)
    theirs = [torch.nn.Linear(7, 5) for _ in range(30)]
    ours = [_build(spec, make, seed) for seed in range(30)]
    weights = np.stack([m.weight.detach().numpy().T for m in theirs]), np.stack([np.asarray(m.kernel) for m in ours])
    biases = np.stack([m.bias.detach().numpy() for m in theirs]), np.stack([np.asarray(m.bias) for m in ours])
    assert_same_distribution(*weights, make)
    assert_same_distribution(*biases, make)


def test_spelling_of_a_linear_layer() -> None:
    spec = next(spec for spec, _ in ROWS if spec.name == "torch.nn.Linear")
    texts = [as_text(convert_call(spec.targets["nnx"].make, spec.signature, make)) for make in ("n, h", "n * 2, h")]  # type: ignore[arg-type]
    assert texts == [
        "nnx.Linear(n, h, **torch_init(n), rngs=rngs)",
        "torch_linear(n * 2, h, rngs=rngs)",
    ]
    assert all(cst.parse_expression(text) for text in texts)
