"""Every optimizer's row makes the parameters move as torch's optimizer moves them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import torch

from tests.layers.layer_calls import as_text, convert_call, evaluate, read_arguments
from torch2jax.ops.lowering import Lowered, Refusal
from torch2jax.ops.schema import FunctionSpec, function_spec
from torch2jax.ops.tables import mappings_folder, read_rows

ROWS = [(function_spec(row, origin), row.get("check")) for row, origin in read_rows(mappings_folder() / "optim.yaml")]
SPECS = {spec.name: (spec, check) for spec, check in ROWS if spec.unsupported is None}
CALLS = [(name, make) for name, (_, check) in SPECS.items() for make in (check or {}).get("make", ())]
REFUSED = [(name, make) for name, (_, check) in SPECS.items() for make in (check or {}).get("refused", ())]
START = {"w": np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7]], np.float64), "b": np.array([0.1, -0.2, 0.4], np.float64)}


def _convert(spec: FunctionSpec, make: str) -> Lowered | Refusal:
    return convert_call(spec.alternatives, spec.signature, f"params, {make}" if make else "params")


def _loss(w: Any, b: Any, where: Any) -> Any:
    """Not convex, with gradients of both signs and of very different sizes."""
    return (where.sin(w * 2) + w**2 / 4).sum() + 1e-3 * (b**4).sum() + (w * b).sum()


def _torch_path(spec: FunctionSpec, make: str, steps: int) -> list[dict[str, np.ndarray]]:
    args, kwargs = read_arguments(make)
    parameters = {name: torch.tensor(value, requires_grad=True) for name, value in START.items()}
    optimizer = getattr(torch.optim, spec.name.rpartition(".")[2])(list(parameters.values()), *args, **kwargs)
    path = []
    for _ in range(steps):
        optimizer.zero_grad()
        _loss(parameters["w"], parameters["b"], torch).backward()
        optimizer.step()
        path.append({name: value.detach().numpy().copy() for name, value in parameters.items()})
    return path


@pytest.mark.parametrize(("name", "make"), CALLS)
def test_ten_steps_are_those_of_torch(name: str, make: str) -> None:
    spec, check = SPECS[name]
    tolerance = (check or {}).get("tolerance", 1e-7)
    lowered = _convert(spec, make)
    assert isinstance(lowered, Lowered), f"{name}({make}): {lowered}"
    _compare(spec, make, as_text(lowered), 10, tolerance)


@pytest.mark.parametrize(("name", "make"), [(name, make) for name, make in CALLS if SPECS[name][0].same is not None])
def test_options_that_are_known_later_make_the_same_steps(name: str, make: str) -> None:
    spec, check = SPECS[name]
    _compare(spec, make, f"{spec.same}(None, {make})", 50, (check or {}).get("tolerance", 1e-7))


def _compare(spec: FunctionSpec, make: str, text: str, steps: int, tolerance: float) -> None:
    with jax.enable_x64(True):
        optimizer = evaluate(text)
        params = {name: jnp.asarray(value) for name, value in START.items()}
        state = optimizer.init(params)

        @jax.jit
        def step(params: Any, state: Any) -> Any:
            grads = jax.grad(lambda p: _loss(p["w"], p["b"], jnp))(params)
            updates, state = optimizer.update(grads, state, params)
            return optax.apply_updates(params, updates), state

        for number, expected in enumerate(_torch_path(spec, make, steps)):
            params, state = step(params, state)
            for key, value in expected.items():
                np.testing.assert_allclose(
                    params[key], value, rtol=tolerance, atol=tolerance / 100, err_msg=f"step {number}: {key}"
                )


@pytest.mark.parametrize(("name", "make"), [*((name, "") for name in SPECS), ("torch.optim.Adam", "amsgrad=True")])
def test_fresh_state_can_be_donated(name: str, make: str) -> None:
    """No two entries of the state are one buffer."""
    lowered = _convert(SPECS[name][0], make)
    assert isinstance(lowered, Lowered)
    leaves = jax.tree.leaves(evaluate(as_text(lowered)).init({"w": jnp.ones(3)}))
    assert len({leaf.unsafe_buffer_pointer() for leaf in leaves}) == len(leaves)


@pytest.mark.parametrize(("name", "make"), REFUSED)
def test_options_without_counterpart_are_refused(name: str, make: str) -> None:
    assert isinstance(_convert(SPECS[name][0], make), Refusal)


def test_every_optimizer_has_a_row_that_checks_itself() -> None:
    known = {spec.name for spec, _ in ROWS}
    classes = {
        f"torch.optim.{name}"
        for name, value in vars(torch.optim).items()
        if isinstance(value, type) and issubclass(value, torch.optim.Optimizer) and name != "Optimizer"
    }
    assert classes - known == set()
    assert all(check and check["make"] for _, check in SPECS.values())
