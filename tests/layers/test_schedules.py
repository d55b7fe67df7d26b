"""Every scheduler's row gives the learning rates of torch's scheduler."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from tests.layers.layer_calls import as_text, convert_call, evaluate
from torch2jax.ops.lowering import Lowered, Refusal
from torch2jax.ops.schema import FunctionSpec, function_spec
from torch2jax.ops.tables import mappings_folder, read_rows

ROWS = [
    (function_spec(row, origin), row.get("check")) for row, origin in read_rows(mappings_folder() / "schedules.yaml")
]
SPECS = {spec.name: (spec, check) for spec, check in ROWS if spec.unsupported is None}
CALLS = [(name, make) for name, (_, check) in SPECS.items() for make in (check or {}).get("make", ())]
REFUSED = [(name, make) for name, (_, check) in SPECS.items() for make in (check or {}).get("refused", ())]
RATE, STEPS = 0.4, 30
METRICS = [abs(np.sin(0.7 * i)) + 0.2 * (i % 3) for i in range(STEPS)]


def _convert(spec: FunctionSpec, make: str) -> Lowered | Refusal:
    return convert_call(spec.alternatives, spec.signature, f"{RATE}, {make}" if make else str(RATE))


def _schedule_of(spec: FunctionSpec) -> Callable[..., Any]:
    """A scheduler among the arguments of another, as its own row translates it."""

    def make(optimizer: float, *given: object, **named: object) -> Any:
        text = ", ".join([*map(repr, given), *(f"{name}={value!r}" for name, value in named.items())])
        return evaluate(as_text(_convert(spec, text)))  # type: ignore[arg-type]

    return make


PARTS = {name.rpartition(".")[2]: _schedule_of(spec) for name, (spec, _) in SPECS.items()}


def _rates_of_torch(spec: FunctionSpec, make: str) -> list[float]:
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=RATE)
    names = vars(torch.optim.lr_scheduler) | {"torch": torch, "optimizer": optimizer}
    scheduler = eval(f"{spec.name}(optimizer, {make})", names)
    rates = []
    for _ in range(STEPS):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step(*METRICS[len(rates) - 1 : len(rates)] if "Plateau" in spec.name else ())
    return rates


@pytest.mark.parametrize(("name", "make"), CALLS)
def test_rates_are_those_of_torch(name: str, make: str) -> None:
    spec, _ = SPECS[name]
    lowered = _convert(spec, make)
    assert isinstance(lowered, Lowered), f"{name}({make}): {lowered}"
    schedule = evaluate(as_text(lowered), itertools=itertools, optimizer=RATE, **PARTS)
    if isinstance(schedule, Iterator):
        rates = list(itertools.islice(schedule, STEPS))
    elif "Plateau" in name:
        rates = [RATE, *map(schedule.step, METRICS[:-1])]
    else:
        rates = [float(jax.jit(schedule)(jnp.int32(count))) for count in range(STEPS)]
    np.testing.assert_allclose(rates, _rates_of_torch(spec, make), rtol=2e-5, atol=1e-7)


@pytest.mark.parametrize(("name", "make"), REFUSED)
def test_options_without_counterpart_are_refused(name: str, make: str) -> None:
    assert isinstance(_convert(SPECS[name][0], make), Refusal)


def test_every_scheduler_checks_itself() -> None:
    assert all(check and check["make"] for _, check in SPECS.values())
