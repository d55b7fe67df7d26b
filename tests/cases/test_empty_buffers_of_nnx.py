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


CHANGED = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, tracked=True):
        super().__init__()
        if tracked:
            self.register_buffer("mean", torch.zeros(3))
        else:
            {otherwise}

    def forward(self, x):
        if self.mean is not None:
            {change}
            x = x - self.mean
        return x


net = Net()
print(net(torch.ones(2, 3)), net.state_dict())
"""


@pytest.mark.parametrize(
    ("otherwise", "change", "target", "codes"),
    [
        ("self.register_buffer('mean', None)", "self.mean += x.mean(0)", "nnx", {"T2J606"}),
        ("self.register_buffer('mean', None)", "self.mean.lerp_(x.mean(0), 0.1)", "nnx", {"T2J606"}),
        ("self.register_buffer('mean', None)", "self.mean += x.mean(0)", "linen", set()),
        ("self.register_buffer('mean', torch.ones(3))", "self.mean += x.mean(0)", "nnx", set()),
    ],
)
def test_buffers_that_change_in_place(otherwise: str, change: str, target: str, codes: set[str]) -> None:
    program = CHANGED.replace("{otherwise}", otherwise).replace("{change}", change)
    conversion = torch2jax.convert(program, options=Options(target=target))
    assert {d.code for d in conversion.diagnostics if d.severity == "error"} == codes
