"""Flax NNX sets the fields of all modules that have the names of its modes: fields and methods of a program by these names are reported."""

import pytest

import torch2jax
from torch2jax.diagnostics import Severity
from torch2jax.options import Options

PROGRAM = """
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, flag=False):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.{name} = flag

    def forward(self, x):
        return self.fc(x)
"""


@pytest.mark.parametrize(("name", "codes"), [("deterministic", {"T2J606"}), ("use_running_average", {"T2J606"}), ("greedy", set())])
def test_fields_with_names_of_modes(name: str, codes: set[str]) -> None:
    conversion = torch2jax.convert(PROGRAM.replace("{name}", name), options=Options(target="nnx"))
    assert {item.code for item in conversion.diagnostics if item.severity is Severity.ERROR} == codes
