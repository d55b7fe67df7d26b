"""Every row of the layer tables does what its torch layer does: values, gradients, statistics, initial distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from tests.layers.layer_calls import (
    Outcome,
    as_text,
    assert_same,
    assert_same_distribution,
    assert_same_fields,
    convert_call,
    evaluate,
    flat_outputs,
    read_arguments,
    run_jax,
    run_torch,
    torch_layer,
)
from torch2jax.ops.lowering import Lowered, Refusal
from torch2jax.ops.rules import Facts, result_value
from torch2jax.ops.schema import LayerColumn, LayerSpec, layer_spec, names_of
from torch2jax.ops.signatures import bind, parse_signature
from torch2jax.ops.tables import mappings_folder, read_rows
from torch2jax.runtime.batching import batched
from torch2jax.runtime.checkpoints import load_state_dict, state_dict
from torch2jax.targets.equinox import EQUINOX
from torch2jax.values import UNKNOWN, Kind, Value

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # what torch says about slow paths and odd defaults


@dataclass(frozen=True, slots=True)
class Row:
    """A layer's row as it stands in the table."""

    spec: LayerSpec
    check: dict[str, Any] | None

    @property
    def column(self) -> LayerColumn:
        return self.spec.targets["equinox"]


def _rows() -> list[Row]:
    files = sorted((mappings_folder() / "layers").glob("*.yaml"))
    return [Row(layer_spec(row, origin), row.get("check")) for path in files for row, origin in read_rows(path)]


ROWS = [row for row in _rows() if row.spec.unsupported is None and not (row.check or {}).get("by")]
TRAINED = [row for row in ROWS if row.column.call != "function" and "rng" not in row.spec.effects]
RANDOM = [row for row in ROWS if row.check and row.check.get("drops")]


def _by_name(rows: list[Row]) -> Any:
    return pytest.mark.parametrize("row", rows, ids=[row.spec.name.removeprefix("torch.nn.") for row in rows])


def _cases(row: Row) -> list[tuple[str, str]]:
    """Every constructor call with the first input, and the first call with the other inputs."""
    assert row.check is not None, f"{row.spec.origin}: {row.spec.name} has no check"
    makes, inputs = row.check["make"], row.check["inputs"]
    pairs = [(make, inputs[0]) for make in makes] + [(makes[0], given) for given in inputs[1:]]
    return pairs + [(make, given) for make, given in row.check.get("also", ())]


def _emitted(row: Row, make: str) -> str:
    lowered = convert_call(row.column.make, row.spec.signature, make)
    assert isinstance(lowered, Lowered), f"{row.spec.name}({make}): {lowered}"
    return as_text(lowered)


def _build(row: Row, make: str, seed: int = 0) -> tuple[Any, Any]:
    """The translated layer, and its state if it has one."""
    text, key = _emitted(row, make), jax.random.key(seed)
    if "state" in row.spec.effects:
        return eqx.nn.make_with_state(lambda: evaluate(text, key=key))()
    return evaluate(text, key=key), None


def _call(row: Row) -> Any:
    """How the translation calls the layer on torch's batch."""
    if row.column.call == "mapped":
        return lambda layer, x: batched(layer)(x)
    if "rng" in row.spec.effects:
        return lambda layer, *args, **kwargs: layer(*args, **kwargs, key=jax.random.key(1))
    return lambda layer, *args, **kwargs: layer(*args, **kwargs)


def _assert_mapped(row: Row, layer: Any, inputs: list[Any], expected: Outcome, what: str) -> None:
    """An example of rank `core` is what the layer takes."""
    if row.column.core is not None and inputs[0].ndim == row.column.core + 1:
        y = jax.vmap(layer)(jnp.asarray(inputs[0]))
        np.testing.assert_allclose(y, expected.outputs[0], rtol=2e-4, atol=2e-5, err_msg=f"{what}: mapped")


def _with_weights(row: Row, layer: Any, module: torch.nn.Module) -> Any:
    arrays = {name: value.numpy().copy() for name, value in module.state_dict().items()}
    stateless = row.column.call == "function" or not arrays
    return layer if stateless else load_state_dict(layer, arrays)


@_by_name(ROWS)
def test_layer_computes_what_torch_computes(row: Row) -> None:
    if "state" in row.spec.effects:
        pytest.skip("has state: see the test of statistics")
    torch.manual_seed(0)
    assert row.check is not None
    for make, given in _cases(row):
        what = f"{row.spec.name}({make}) of {given}"
        module = torch_layer(row.spec.name, make)
        layer = _with_weights(row, _build(row, make)[0], module)
        if "rng-optional" in row.spec.effects or "rng" in row.spec.effects:
            module.eval()
            layer = eqx.nn.inference_mode(layer)
        inputs, named = read_arguments(given)
        expected = run_torch(module, inputs, named, row.check.get("fixed", ()))
        if row.column.call == "function":
            expected = Outcome(expected.outputs, {}, expected.input_gradients)
        assert_same(expected, run_jax(_call(row), layer, inputs, named), what)
        if make == row.check["make"][0]:
            _assert_mapped(row, layer, inputs, expected, what)
        _assert_result_rule(row, given, expected)


def _assert_result_rule(row: Row, given: str, expected: Outcome) -> None:
    """The row's `result` says the truth about rank and dtype."""
    signature = parse_signature(row.spec.forward)
    inputs, named = read_arguments(given)
    names = [parameter.name for parameter in signature.parameters]
    values = dict(zip(names, map(_described, inputs), strict=False)) | {k: _described(v) for k, v in named.items()}
    import libcst as cst

    bound = bind(signature, [cst.Arg(cst.Name(name), keyword=cst.Name(name)) for name in values])
    value = result_value(row.spec.result, Facts(signature, bound, lambda node: values[getattr(node, "value", "")]))
    promised = _flat_values(value)
    for one, found in zip(promised, expected.outputs, strict=False):
        assert one.rank in (None, found.ndim), f"{row.spec.name}: rank {one.rank}, found {found.ndim}"
        assert one.dtype in (None, found.dtype.name), f"{row.spec.name}: dtype {one.dtype}, found {found.dtype}"


def _described(x: Any) -> Value:
    if isinstance(x, tuple):
        return Value(Kind.TUPLE, items=tuple(map(_described, x)))
    return Value(Kind.TENSOR, x.ndim, x.dtype.name) if isinstance(x, np.ndarray) else UNKNOWN


def _flat_values(value: Value) -> list[Value]:
    return [leaf for item in value.items for leaf in _flat_values(item)] if value.items is not None else [value]


@_by_name([row for row in ROWS if "state" in row.spec.effects])
def test_statistics_follow_torch_over_three_steps_and_in_evaluation(row: Row) -> None:
    torch.manual_seed(0)
    for make, given in _cases(row):
        module = torch_layer(row.spec.name, make) if "Sync" not in row.spec.name else _sync_twin(make, given)
        layer, state = _build(row, make)
        arrays = {name: value.numpy().copy() for name, value in module.state_dict().items()}
        layer, state = load_state_dict(layer, arrays, state=state)
        (x,), _ = read_arguments(given)
        for step in range(3):
            what, batch = f"{row.spec.name}({make}) step {step}", (x * (1 + step) + 0.5 * step).astype(np.float32)
            expected = run_torch(module, [batch], {})
            if step == 0:
                assert_same(expected, run_jax(_with_state(state), layer, [batch], {}), what)
            y, state = layer(jnp.asarray(batch), state)
            np.testing.assert_allclose(y, expected.outputs[0], rtol=2e-4, atol=2e-5, err_msg=what)
            _assert_same_buffers(module, layer, state, what)
        module.eval()
        layer = eqx.nn.inference_mode(layer)
        found = run_jax(_with_state(state), layer, [x], {})
        assert_same(run_torch(module, [x], {}), found, f"{row.spec.name}({make}) in evaluation")


def _with_state(state: Any) -> Any:
    """A call with a copy of `state`, for a state may be used once only."""
    copied = jax.tree.map(lambda x: x, state)
    return lambda layer, x: layer(x, copied)[0]


def _sync_twin(make: str, given: str) -> torch.nn.Module:
    """What SyncBatchNorm is in one process, which torch runs on accelerators only."""
    rank = read_arguments(given)[0][0].ndim
    return torch_layer(f"torch.nn.BatchNorm{rank - 2}d", make)


def _assert_same_buffers(module: torch.nn.Module, layer: Any, state: Any, what: str) -> None:
    found = state_dict(layer, state)
    for name, value in module.state_dict().items():
        np.testing.assert_allclose(found[name], value.numpy(), rtol=1e-5, atol=1e-6, err_msg=f"{what}: {name}")


@_by_name([row for row in ROWS if row.check and "refused" in row.check])
def test_arguments_without_counterpart_are_refused(row: Row) -> None:
    assert row.check is not None
    for make in row.check["refused"]:
        found = convert_call(row.column.make, row.spec.signature, make)
        assert isinstance(found, Refusal), f"{row.spec.name}({make}) became {as_text(found)}"


@_by_name(TRAINED)
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
        for name, value in state_dict(*_build(row, make, seed)).items():
            ours.setdefault(name, []).append(value)
    for name, samples in theirs.items():
        assert_same_distribution(np.stack(samples), np.stack(ours[name]), f"{row.spec.name}({make}): {name}")


@_by_name(RANDOM)
def test_dropped_entries_have_the_distribution_of_torch(row: Row) -> None:
    assert row.check is not None
    for make in row.check["make"]:
        torch.manual_seed(2)
        (x,), _ = read_arguments(row.check["drops"])
        x = np.ones_like(x)
        layer = _build(row, make)[0]
        ours = np.asarray(layer(jnp.asarray(x), key=jax.random.key(3)))
        theirs = torch_layer(row.spec.name, make)(torch.from_numpy(x)).numpy()
        np.testing.assert_allclose(np.unique(ours), np.unique(theirs), rtol=1e-4, err_msg=f"{row.spec.name}({make})")
        assert abs(ours.mean() - theirs.mean()) < 0.1, f"{row.spec.name}({make})"
        channels, torch_channels = (np.round(y.mean(tuple(range(2, y.ndim))), 4) for y in (ours, theirs))
        assert (np.unique(channels).size <= 2) == (np.unique(torch_channels).size <= 2), f"{row.spec.name}({make})"


def test_every_torch_layer_has_a_row() -> None:
    known = {
        name
        for path in sorted((mappings_folder() / "layers").glob("*.yaml"))
        for row, _ in read_rows(path)
        for name in names_of(row)
    }
    layers = {
        f"torch.nn.{name}"
        for name in dir(torch.nn)
        if isinstance(getattr(torch.nn, name), type) and issubclass(getattr(torch.nn, name), torch.nn.Module)
    }
    containers = {"Module", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Container"}
    wrappers = {"DataParallel"}  # a function of a module, which has a row among those of functions
    assert layers - known - {f"torch.nn.{name}" for name in containers | wrappers} == set()


def test_rows_are_sorted_by_name() -> None:
    for path in sorted((mappings_folder() / "layers").glob("*.yaml")):
        names = [row["torch"] for row, _ in read_rows(path)]
        assert names == sorted(names), path.name


def test_flat_outputs_are_in_order() -> None:
    assert flat_outputs((1, [2, (3, None)])) == [1, 2, 3]


@_by_name(ROWS)
def test_fields_have_the_values_of_torch_or_are_known_to_be_lacking(row: Row) -> None:
    assert row.check is not None
    for make in row.check["make"]:
        assert_same_fields(row.spec, make, _build(row, make)[0], EQUINOX)
