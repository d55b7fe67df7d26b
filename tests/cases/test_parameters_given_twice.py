"""Parameters that an optimizer is given twice: torch warns, and updates them twice in each step."""

import jax.numpy as jnp
import pytest

import torch2jax
from torch2jax import Options
from torch2jax.runtime.parameter_groups import check_apart

PROGRAM = """
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        return self.fc(self.base(x))


base = nn.Linear(3, 4)
a = Head(base)
b = Head({other})
opt = torch.optim.Adam(list(a.parameters()) + list(b.parameters()))
x = torch.ones(2, 3)
for _ in range(2):
    loss = a(x).mean() + b(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(("other", "codes"), [("base", {"T2J201"}), ("nn.Linear(3, 4)", set())])
def test_models_of_one_part(other: str, codes: set[str]) -> None:
    conversion = torch2jax.convert(PROGRAM.replace("{other}", other), options=Options(target="nnx"))
    assert {item.code for item in conversion.diagnostics if str(item.severity) == "error"} == codes


def test_one_group() -> None:
    first, second = jnp.zeros(2), jnp.zeros(2)
    assert check_apart([[first], [second]]) == {id(first), id(second)}
    with pytest.raises(ValueError, match="twice"):
        check_apart([[first, second, first]])
    with pytest.raises(ValueError, match="more than one"):
        check_apart([[first], [first]])
