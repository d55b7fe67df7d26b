"""A buffer of Flax NNX that is None at first is none of the variables of its module: a state dict would not list it."""

import pytest

import torch2jax
from torch2jax.options import Options

PROGRAM = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.{made}

    def forward(self, x):
        return x if self.mask is None else x * self.mask


net = Net()
net.mask = torch.ones(3)
print(net(torch.ones(3)), {asked})
"""


@pytest.mark.parametrize(
    ("made", "asked", "codes"),
    [
        ("register_buffer('mask', None)", "net.state_dict()", {"T2J606"}),
        ("register_buffer('mask', None)", "net.training", set()),
        ("register_buffer('mask', None, persistent=False)", "net.state_dict()", set()),
        ("mask = None", "net.state_dict()", set()),
    ],
)
def test_empty_buffers(made: str, asked: str, codes: set[str]) -> None:
    program = PROGRAM.replace("{made}", made).replace("{asked}", asked)
    conversion = torch2jax.convert(program, options=Options(target="nnx"))
    assert {d.code for d in conversion.diagnostics if d.severity == "error"} == codes
