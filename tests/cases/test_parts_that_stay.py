"""Parts that modules get where the target keeps those that they have: reported, for the program would stop."""

import pytest

import torch2jax
from torch2jax import Options
from torch2jax.diagnostics import Severity

GIVEN = """
from torch import nn

class Head(nn.Module):
    def __init__(self, body, size):
        super().__init__()
        body.fc = nn.Linear(4, size)
        self.body = body

    def forward(self, x):
        return self.body(x)
"""
WRAPPED = """
import torch
from torch import nn

class Scaled(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.base(x) * self.scale

def wrap(model):
    for name, child in model.named_children():
        if isinstance(child, nn.Linear):
            setattr(model, name, Scaled(child))
        else:
            wrap(child)

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
wrap(net)
print(net(torch.ones(2, 3)))
"""
WITH_STATE = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
net[1] = nn.BatchNorm1d(4)
print(net(torch.ones(2, 3)))
"""
WHILE_TRAINING = """
import copy
import torch
from torch import nn

class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(3, 4)
        self.target = None

    def forward(self, x):
        if self.target is None:
            self.target = copy.deepcopy(self.online)
        return (self.online(x) - self.target(x).detach()).pow(2).mean()

learner = Learner()
optimizer = torch.optim.SGD(learner.parameters(), lr=0.1)
loss = learner(torch.ones(2, 3))
optimizer.zero_grad()
loss.backward()
optimizer.step()
"""


@pytest.mark.parametrize(
    ("program", "target", "code"),
    [(GIVEN, "linen", "T2J612"), (WRAPPED, "linen", "T2J612"), (WITH_STATE, "equinox", "T2J601"), (WHILE_TRAINING, "nnx", "T2J601")],
)
def test_is_reported(program: str, target: str, code: str) -> None:
    conversion = torch2jax.convert(program, options=Options(target=target))
    assert {item.code for item in conversion.diagnostics if item.severity is Severity.ERROR} == {code}


@pytest.mark.parametrize(("program", "target"), [(GIVEN, "nnx"), (WITH_STATE, "nnx"), (WITH_STATE, "linen")])
def test_is_translated_elsewhere(program: str, target: str) -> None:
    conversion = torch2jax.convert(program, options=Options(target=target))
    assert not [item for item in conversion.diagnostics if item.severity is Severity.ERROR]
