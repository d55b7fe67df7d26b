"""Every initialiser's row gives values of torch's distribution."""

from __future__ import annotations

import ast
import math
from typing import Any

import jax
import numpy as np
import pytest
import torch

from tests.layers.layer_calls import as_text, assert_same_distribution, convert_call, evaluate
from torch2jax.ops.lowering import Lowered
from torch2jax.ops.schema import FunctionSpec, function_spec
from torch2jax.ops.tables import mappings_folder, read_rows

ROWS = [(function_spec(row, origin), row.get("check")) for row, origin in read_rows(mappings_folder() / "init.yaml")]
CALLS = [(spec, make) for spec, check in ROWS for make in (check or {}).get("make", ())]
FILLS = [(spec, make) for spec, make in CALLS if "mutates" in spec.effects]


def _name(value: Any) -> str:
    return value.name.rpartition(".")[2] if isinstance(value, FunctionSpec) else value


def _shape(make: str) -> tuple[int, ...]:
    call = ast.parse(f"f({make})", mode="eval").body
    assert isinstance(call, ast.Call) and isinstance(call.args[0], ast.Call)
    return tuple(ast.literal_eval(argument) for argument in call.args[0].args)


def _converted(spec: FunctionSpec, make: str) -> str:
    """The emitted value for a tensor called `weight`."""
    start = make.index(")") + 1
    lowered = convert_call(spec.alternatives, spec.signature, "weight" + make[start:])
    assert isinstance(lowered, Lowered), lowered
    return as_text(lowered)


@pytest.mark.parametrize(("spec", "make"), FILLS, ids=_name)
def test_values_have_the_distribution_of_torch(spec: FunctionSpec, make: str) -> None:
    shape, text = _shape(make), _converted(spec, make)
    assert ("rng" in spec.effects) == ("key" in text)
    torch.manual_seed(0)
    theirs, ours = [], []
    for seed in range(3):
        weight = torch.full(shape, 7.0)
        initialise = getattr(torch.nn.init, spec.name.rpartition(".")[2])
        start = make.index(")") + 1
        eval(f"initialise(weight{make[start:]})", {"initialise": initialise, "weight": weight, "math": math})
        theirs.append(weight.numpy())
        ours.append(np.asarray(evaluate(text, key=jax.random.key(seed), weight=jax.numpy.full(shape, 7.0))))
        assert ours[-1].dtype == np.float32
    if "rng" in spec.effects:
        assert_same_distribution(np.stack(theirs), np.stack(ours), f"{spec.name}({make})")
    else:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (4, 2, 3)])
def test_orthogonal_rows_or_columns_are_orthogonal(shape: tuple[int, ...]) -> None:
    spec = next(spec for spec, _ in ROWS if spec.name.endswith("orthogonal_"))
    text = _converted(spec, f"array{shape}, gain=2.0")
    x = np.asarray(evaluate(text, key=jax.random.key(0), weight=np.zeros(shape))).reshape(shape[0], -1)
    product = x @ x.T if x.shape[0] <= x.shape[1] else x.T @ x
    np.testing.assert_allclose(product, 4 * np.eye(len(product)), atol=1e-5)


@pytest.mark.parametrize("sparsity", [0.25, 0.8])
def test_sparse_columns_have_torchs_number_of_zeros(sparsity: float) -> None:
    spec = next(spec for spec, _ in ROWS if spec.name.endswith("sparse_"))
    text = _converted(spec, f"array(10, 7), {sparsity}")
    x = np.asarray(evaluate(text, key=jax.random.key(0), weight=np.zeros((10, 7))))
    theirs = torch.nn.init.sparse_(torch.zeros(10, 7), sparsity).numpy()
    np.testing.assert_array_equal((x == 0).sum(0), (theirs == 0).sum(0))


@pytest.mark.parametrize(("spec", "make"), [call for call in CALLS if call not in FILLS], ids=_name)
def test_functions_return_what_torch_returns(spec: FunctionSpec, make: str) -> None:
    lowered = convert_call(spec.alternatives, spec.signature, make)
    assert isinstance(lowered, Lowered)
    function = getattr(torch.nn.init, spec.name.rpartition(".")[2])
    expected = eval(f"f({make})", {"f": function, "array": torch.zeros})
    assert evaluate(as_text(lowered), array=lambda *shape: jax.numpy.zeros(shape)) == pytest.approx(expected)


def test_every_initialiser_has_a_row_that_checks_itself() -> None:
    known = {spec.name for spec, _ in ROWS}
    public = {name for name in vars(torch.nn.init) if name.endswith("_") and not name.startswith("_")}
    assert {f"torch.nn.init.{name}" for name in public} - known == set()
    assert all(check and check["make"] for _, check in ROWS)
