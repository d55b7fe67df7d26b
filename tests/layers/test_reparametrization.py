"""weight_norm and spectral_norm around layers: values, gradients, state, initial values, and names of parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from torch.nn.utils import parametrizations

from tests.layers.layer_calls import assert_same, run_jax, run_torch
from torch2jax.runtime.checkpoints import load_state_dict, state_dict
from torch2jax.runtime.convolution import ConvTranspose1d
from torch2jax.runtime.initializers import apply_init, with_init
from torch2jax.runtime.reparametrization import (
    WeightNorm,
    parametrized_spectral_norm,
    parametrized_weight_norm,
    remove_weight_norm,
    spectral_norm,
    weight_norm,
)

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
KEY = jax.random.key(0)
LAYERS: list[tuple[Callable[[], torch.nn.Module], Callable[[], Any], tuple[int, ...]]] = [
    (lambda: torch.nn.Linear(4, 3), lambda: eqx.nn.Linear(4, 3, key=KEY), (5, 4)),
    (lambda: torch.nn.Conv1d(4, 3, 3, bias=False), lambda: eqx.nn.Conv1d(4, 3, 3, use_bias=False, key=KEY), (2, 4, 7)),
    (lambda: torch.nn.Conv2d(4, 3, 2), lambda: eqx.nn.Conv2d(4, 3, 2, key=KEY), (2, 4, 5, 6)),
    (lambda: torch.nn.ConvTranspose1d(4, 3, 3, 2), lambda: ConvTranspose1d(4, 3, 3, 2, key=KEY), (2, 4, 7)),
]
by_layer = pytest.mark.parametrize(
    ("make_module", "make_layer", "shape"), LAYERS, ids=["linear", "1d", "2d", "transposed"]
)


def _arrays(module: torch.nn.Module) -> dict[str, np.ndarray]:
    return {name: value.numpy().copy() for name, value in module.state_dict().items()}


def _input(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def _copied(state: Any) -> Any:
    """`state.set` makes its receiver invalid."""
    return jax.tree.map(lambda x: x, state)


@by_layer
@pytest.mark.parametrize("dim", [0, 1, None])
@pytest.mark.parametrize(
    ("wrap_module", "wrap_layer"),
    [
        (torch.nn.utils.weight_norm, weight_norm),
        (parametrizations.weight_norm, parametrized_weight_norm),
    ],
    ids=["hooks", "parametrization"],
)
def test_weight_norm_is_that_of_torch(
    wrap_module: Any, wrap_layer: Any, dim: int | None, make_module: Any, make_layer: Any, shape: tuple[int, ...]
) -> None:
    module, layer = wrap_module(make_module(), dim=dim), wrap_layer(make_layer(), dim=dim)
    with torch.no_grad():
        for number, parameter in enumerate(module.parameters()):
            parameter *= 1.5 + number
    arrays = _arrays(module)
    assert list(state_dict(layer)) == list(arrays)
    layer = load_state_dict(layer, arrays)
    found = run_jax(lambda layer, x: layer(x), layer, [_input(shape)], {})
    assert_same(run_torch(module, [_input(shape)], {}), found, "weight_norm")
    np.testing.assert_allclose(layer.weight, module.weight.detach(), rtol=1e-5, atol=1e-6)
    plain = remove_weight_norm(layer)
    np.testing.assert_allclose(plain.weight, layer.weight)
    assert not isinstance(plain, WeightNorm)


@by_layer
def test_weight_norm_starts_with_the_weight_of_the_layer(
    make_module: Any, make_layer: Any, shape: tuple[int, ...]
) -> None:
    layer = make_layer()
    np.testing.assert_allclose(weight_norm(layer).weight, layer.weight, rtol=1e-5)


@by_layer
@pytest.mark.parametrize("iterations", [1, 3])
@pytest.mark.parametrize(
    ("wrap_module", "wrap_layer"),
    [
        (torch.nn.utils.spectral_norm, spectral_norm),
        (parametrizations.spectral_norm, parametrized_spectral_norm),
    ],
    ids=["hooks", "parametrization"],
)
def test_spectral_norm_follows_torch_over_three_steps_and_in_evaluation(
    wrap_module: Any, wrap_layer: Any, iterations: int, make_module: Any, make_layer: Any, shape: tuple[int, ...]
) -> None:
    module = wrap_module(make_module(), n_power_iterations=iterations)
    layer, state = eqx.nn.make_with_state(wrap_layer)(make_layer(), n_power_iterations=iterations, key=KEY)
    arrays = _arrays(module)
    assert list(state_dict(layer, state)) == list(arrays)
    layer, state = load_state_dict(layer, arrays, state=state)
    x = _input(shape)
    for step in range(3):
        kept = _copied(state)
        found = run_jax(lambda layer, x, kept=kept: layer(x, kept)[0], layer, [x], {})
        assert_same(run_torch(module, [x], {}), found, f"step {step}")
        _, state = layer(jnp.asarray(x), state)
        for name, value in state_dict(layer, state).items():
            np.testing.assert_allclose(value, _arrays(module)[name], rtol=1e-4, atol=1e-5, err_msg=name)
    module.eval()
    layer = eqx.nn.inference_mode(layer)
    found = run_jax(lambda layer, x: layer(x, _copied(state))[0], layer, [x], {})
    assert_same(run_torch(module, [x], {}), found, "in evaluation")


def test_spectral_norm_starts_near_the_largest_singular_value() -> None:
    linear = eqx.nn.Linear(6, 5, key=KEY)
    layer, state = eqx.nn.make_with_state(parametrized_spectral_norm)(linear, key=KEY)
    expected = jnp.linalg.svd(linear.weight, compute_uv=False)[0]
    y, _ = eqx.nn.inference_mode(layer)(jnp.eye(6), state)
    np.testing.assert_allclose((y - linear.bias).T, linear.weight / expected, rtol=1e-2, atol=1e-3)


def test_init_of_all_layers_changes_the_bias_but_not_the_computed_weight() -> None:
    def init(layer: Any) -> Any:
        if isinstance(layer, eqx.nn.Linear):
            layer = eqx.tree_at(lambda m: (m.weight, m.bias), layer, (jnp.ones((3, 4)), jnp.ones(3)))
        return layer

    class Model(eqx.Module):
        fc: WeightNorm

        def __init__(self) -> None:
            self.fc = weight_norm(eqx.nn.Linear(4, 3, key=KEY))
            apply_init(self, init)

    old = weight_norm(eqx.nn.Linear(4, 3, key=KEY))
    for new in (Model().fc, with_init([old], init)[0]):
        np.testing.assert_array_equal(new.weight, old.weight)
        np.testing.assert_array_equal(new.bias, jnp.ones(3))
    spectral = with_init([spectral_norm(eqx.nn.Linear(4, 3, key=KEY), key=KEY)], init)[0]
    np.testing.assert_array_equal(spectral.factors["weight_orig"], eqx.nn.Linear(4, 3, key=KEY).weight)
    np.testing.assert_array_equal(spectral.bias, jnp.ones(3))
