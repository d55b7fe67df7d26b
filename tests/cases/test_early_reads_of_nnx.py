"""Flax NNX gives a new array to a buffer that a call changes: torch changes the tensor that was read before the call, too."""

import pytest

import torch2jax
from torch2jax.options import Options

PROGRAM = """
import torch
import torch.nn as nn

bn = nn.BatchNorm1d(3)


def step(x):
    return bn(x)


def run(x):
    return {expression}


print(run(torch.ones(2, 3)))
"""


@pytest.mark.parametrize(
    ("expression", "codes"),
    [
        ("bn.running_mean, bn(x)", {"T2J303"}),
        ("dict(mean=bn.running_mean.view(-1), y=step(x))", {"T2J303"}),
        ("bn.running_mean.sum(), bn(x)", set()),
        ("bn(x), bn.running_mean", set()),
    ],
)
def test_reads_before_a_call(expression: str, codes: set[str]) -> None:
    conversion = torch2jax.convert(PROGRAM.replace("{expression}", expression), options=Options(target="nnx"))
    assert {d.code for d in conversion.diagnostics if d.code == "T2J303"} == codes
