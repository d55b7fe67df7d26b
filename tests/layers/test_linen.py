"""The Linen column of the layer tables does what torch's layers do: values, gradients, statistics, initial distributions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from flax import linen as nn

from tests.layers.layer_calls import (
    Outcome,
    as_text,
    assert_same,
    assert_same_distribution,
    convert_call,
    cotangent,
    evaluate,
    flat_outputs,
    read_arguments,
    run_torch,
    torch_layer,
)
from tests.layers.test_layers import RANDOM, ROWS, TRAINED, Row, _by_name, _cases, _sync_twin
from torch2jax.ops.lowering import Lowered, Refusal
from torch2jax.runtime.linen_checkpoints import entries_of, load_state_dict, state_dict
from torch2jax.runtime.linen_modules import Bound, bind

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
MISSING = {  # layers that Linen's column lacks yet: a program that has one is reported
    "torch.nn.AdaptiveLogSoftmaxWithLoss",
    "torch.nn.FractionalMaxPool2d",
    "torch.nn.FractionalMaxPool3d",
}
OWN = [row for row in ROWS if "linen" in row.spec.targets]


def _build(row: Row, make: str, seed: int = 0) -> Any:
    column = row.spec.targets["linen"]
    lowered = convert_call(column.make, row.spec.signature, make)
    assert isinstance(lowered, Lowered), f"{row.spec.name}({make}): {lowered}"
    layer = evaluate(as_text(lowered), "linen", nn=nn)
    return bind(layer, jax.random.key(seed)) if isinstance(layer, nn.Module) else layer


def _is_function(row: Row) -> bool:
    return row.spec.targets["linen"].call == "function"


def carry(module: torch.nn.Module, layer: Any) -> None:
    """Give a layer the parameters and buffers of torch's."""
    if type(layer) is Bound:
        load_state_dict(layer, {name: value.numpy().copy() for name, value in module.state_dict().items()})


def run_linen(layer: Any, inputs: list[Any], named: dict[str, Any]) -> Outcome:
    """Call and differentiate a layer; gradients of parameters by torch's names. The layer changes as by one call."""
    is_module = type(layer) is Bound
    arrays = jax.tree.map(lambda x: jnp.asarray(x) if isinstance(x, np.ndarray) else x, (inputs, named))
    leaves, structure = jax.tree.flatten(arrays)
    is_float = [isinstance(x, jax.Array) and jnp.issubdtype(x.dtype, jnp.floating) for x in leaves]
    before = layer.store.arrays if is_module else {}

    def total(params: Any, floats: list[Any]) -> Any:
        if is_module:
            layer.store.arrays = {**before, "variables": {**before["variables"], "params": params}}
        given = iter(floats)
        args, kwargs = structure.unflatten([next(given) if f else x for x, f in zip(leaves, is_float, strict=True)])
        outputs = flat_outputs(layer(*args, **kwargs))
        parts = [
            (y * cotangent(np.zeros(y.shape, np.float32))).sum()
            for y in outputs
            if jnp.issubdtype(y.dtype, jnp.floating)
        ]
        return sum(parts, jnp.zeros(())), (outputs, layer.store.arrays if is_module else {})

    floats = [x for x, f in zip(leaves, is_float, strict=True) if f]
    differentiate = jax.value_and_grad(total, argnums=(0, 1), has_aux=True)
    params = before["variables"].get("params", {}) if is_module else {}
    (_, (outputs, after)), (gradients, of_inputs) = differentiate(params, floats)
    parameters: dict[str, np.ndarray] = {}
    if is_module:
        layer.store.arrays = {**after, "variables": {**after["variables"], "params": gradients}}
        entries = [entry for entry in entries_of(layer) if entry.kind == "params"]
        parameters = {entry.name: np.asarray(layer.get(entry.place)) for entry in entries}
        layer.store.arrays = {**after, "variables": {**after["variables"], "params": params}}
    return Outcome([np.asarray(y) for y in outputs], parameters, [np.asarray(g) for g in of_inputs])


@_by_name(OWN)
def test_layer_computes_what_torch_computes(row: Row) -> None:
    if "state" in row.spec.effects:
        pytest.skip("has state: see the test of statistics")
    torch.manual_seed(0)
    assert row.check is not None
    for make, given in _cases(row):
        module, layer = torch_layer(row.spec.name, make), _build(row, make)
        carry(module, layer)
        if "rng-optional" in row.spec.effects or "rng" in row.spec.effects:
            module.eval()
            layer.eval()
        inputs, named = read_arguments(given)
        expected = run_torch(module, inputs, named, row.check.get("fixed", ()))
        if _is_function(row):
            expected = Outcome(expected.outputs, {}, expected.input_gradients)
        assert_same(expected, run_linen(layer, inputs, named), f"{row.spec.name}({make}) of {given}")


@_by_name([row for row in OWN if "state" in row.spec.effects])
def test_statistics_follow_torch_over_three_steps_and_in_evaluation(row: Row) -> None:
    torch.manual_seed(0)
    for make, given in _cases(row):
        module = torch_layer(row.spec.name, make) if "Sync" not in row.spec.name else _sync_twin(make, given)
        layer = _build(row, make)
        carry(module, layer)
        (x,), _ = read_arguments(given)
        for step in range(3):
            what, batch = f"{row.spec.name}({make}) step {step}", (x * (1 + step) + 0.5 * step).astype(np.float32)
            assert_same(run_torch(module, [batch], {}), run_linen(layer, [batch], {}), what)
            found = state_dict(layer)
            for name, value in module.state_dict().items():
                np.testing.assert_allclose(found[name], value.numpy(), rtol=1e-5, atol=1e-6, err_msg=f"{what}: {name}")
        module.eval()
        layer.eval()
        assert_same(run_torch(module, [x], {}), run_linen(layer, [x], {}), f"{row.spec.name}({make}) in evaluation")


@_by_name([row for row in OWN if row.check and "refused" in row.check])
def test_arguments_without_counterpart_are_refused(row: Row) -> None:
    assert row.check is not None
    for make in row.check["refused"]:
        if row.spec.name != "torch.nn.Dropout":  # here dropping everything has its gradient, which is 0
            found = convert_call(row.spec.targets["linen"].make, row.spec.signature, make)
            assert isinstance(found, Refusal), f"{row.spec.name}({make}) became {as_text(found)}"


@_by_name([row for row in TRAINED if row in OWN and row.spec.targets["linen"].call != "function"])
def test_initial_parameters_have_the_distribution_of_torch(row: Row) -> None:
    assert row.check is not None
    make = row.check.get("init", row.check["make"][0])
    if not dict(torch_layer(row.spec.name, make).named_parameters()):
        pytest.skip("has no parameters")
    torch.manual_seed(1)
    ours: dict[str, list[np.ndarray]] = {}
    theirs: dict[str, list[np.ndarray]] = {}
    for seed in range(30):
        for name, parameter in torch_layer(row.spec.name, make).named_parameters():
            theirs.setdefault(name, []).append(parameter.detach().numpy())
        for name, value in state_dict(_build(row, make, seed)).items():
            ours.setdefault(name, []).append(value)
    for name, samples in theirs.items():
        assert_same_distribution(np.stack(samples), np.stack(ours[name]), f"{row.spec.name}({make}): {name}")


@_by_name([row for row in TRAINED if row in OWN])
def test_state_dicts_have_torchs_names_in_order(row: Row) -> None:
    assert row.check is not None
    for make in row.check["make"]:
        layer = _build(row, make)
        if type(layer) is Bound:
            assert list(state_dict(layer)) == list(torch_layer(row.spec.name, make).state_dict())


@_by_name([row for row in RANDOM if row in OWN])
def test_dropped_entries_have_the_distribution_of_torch(row: Row) -> None:
    assert row.check is not None
    for make in row.check["make"]:
        torch.manual_seed(2)
        (x,), _ = read_arguments(row.check["drops"])
        x = np.ones_like(x)
        layer = _build(row, make)
        ours = np.asarray(layer(jnp.asarray(x)))
        theirs = torch_layer(row.spec.name, make)(torch.from_numpy(x)).numpy()
        np.testing.assert_allclose(np.unique(ours), np.unique(theirs), rtol=1e-4, err_msg=f"{row.spec.name}({make})")
        assert abs(ours.mean() - theirs.mean()) < 0.1, f"{row.spec.name}({make})"
        channels, torch_channels = (np.round(y.mean(tuple(range(2, y.ndim))), 4) for y in (ours, theirs))
        assert (np.unique(channels).size <= 2) == (np.unique(torch_channels).size <= 2), f"{row.spec.name}({make})"
        if np.unique(ours).size > 1:
            assert (np.asarray(layer(jnp.asarray(x))) != ours).any(), "each call draws anew"


def test_layers_without_a_column_are_known() -> None:
    assert {row.spec.name for row in ROWS if row not in OWN} == MISSING


def test_spelling_of_a_linear_layer() -> None:
    row = next(row for row in ROWS if row.spec.name == "torch.nn.Linear")
    lowered = convert_call(row.spec.targets["linen"].make, row.spec.signature, "n * 2, h, bias=False")
    assert isinstance(lowered, Lowered)
    assert as_text(lowered) == "Linear(n * 2, h, use_bias=False)"
