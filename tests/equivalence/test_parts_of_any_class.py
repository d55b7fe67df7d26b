"""A module that is given parts of which no class is known calls them as its caller made them: with state and key, or without."""

from collections.abc import Callable
from types import ModuleType

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import torch2jax
from torch2jax.runtime.checkpoints import load_state_dict

SOURCE = """
import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.linear = nn.Linear(dim, dim)
        self.norm = nn.BatchNorm1d(dim)

    def forward(self, x):
        return self.norm(self.linear(x))


class Plain(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.linear = nn.Linear(dim, dim)

    def forward(self, x):
        return torch.relu(self.linear(x))


class Gate(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.linear = nn.Linear(dim, dim)
        self.norm = nn.BatchNorm1d(dim)

    def forward(self, query, key=None, state=None):
        scale = 1.0 if key is None else key
        return self.norm(self.linear(query)) * scale


class Wrapper(nn.Module):
    def __init__(self, net, blocks, act, dim):
        super().__init__()
        self.net = net
        self.blocks = nn.ModuleList(blocks)
        self.act = act
        self.head = nn.Linear(dim, 2)

    def encode(self, x):
        return self.act(self.net(x)) + self.net(x * 2)

    def forward(self, x):
        h = self.encode(x)
        for i, block in enumerate(self.blocks):
            h = h + block(h)
        if self.training:
            h = h + sum(block(h) for block in self.blocks)
        return self.head(h)


class Outer(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) if x.shape[0] > 3 else self.inner(x * 3)


def train(model: nn.Module, batches, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    losses = []
    for x in batches:
        model.train()
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item() + evaluate(model, x))
    return losses


def evaluate(model: nn.Module, x):
    model.eval()
    with torch.no_grad():
        return model(x).mean().item()
"""
NETS = [
    "Norm(4)",
    "Plain(4)",
    "Gate(4)",
    "nn.Linear(4, 4)",
    "nn.BatchNorm1d(4)",
    "nn.Sequential(nn.Linear(4, 4), nn.ReLU())",
]
MADE: dict[str, Callable[[ModuleType], object]] = {
    "Norm(4)": lambda module: module.Norm(4, key=jax.random.key(0)),
    "Plain(4)": lambda module: module.Plain(4, key=jax.random.key(0)),
    "Gate(4)": lambda module: module.Gate(4, key=jax.random.key(0)),
    "nn.Linear(4, 4)": lambda module: eqx.nn.Linear(4, 4, key=jax.random.key(0)),
    "nn.BatchNorm1d(4)": lambda module: module.BatchNorm(4),
    "nn.Sequential(nn.Linear(4, 4), nn.ReLU())": lambda module: eqx.nn.Sequential(
        [eqx.nn.Linear(4, 4, key=jax.random.key(0)), eqx.nn.Lambda(jax.nn.relu)]
    ),
}


@pytest.fixture(scope="module")
def translated() -> ModuleType:
    conversion = torch2jax.convert(SOURCE)
    assert not [remark for remark in conversion.diagnostics if remark.severity != "info"]
    module = ModuleType("translated")
    exec(conversion.text, module.__dict__)
    return module


@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("block", NETS)
def test_outputs_and_state_over_several_rounds(translated: ModuleType, net: str, block: str) -> None:
    source: dict[str, object] = {}
    exec(SOURCE, source)
    theirs = eval(f"Outer(Wrapper({net}, [{block}, {net}], torch.tanh, 4))", source)
    weights = {name: value.numpy().copy() for name, value in theirs.state_dict().items()}

    def make() -> object:
        blocks = [MADE[block](translated), MADE[net](translated)]
        return translated.Outer(translated.Wrapper(MADE[net](translated), blocks, jnp.tanh, 4, key=jax.random.key(0)))

    ours, state = eqx.nn.make_with_state(make)()
    ours, state = load_state_dict(ours, weights, state=state)
    rng = np.random.default_rng(0)
    for size in (5, 3, 6):
        x = rng.standard_normal((size, 4), np.float32)
        out, state = ours(x, state)
        np.testing.assert_allclose(out, theirs(torch.tensor(x)).detach(), atol=2e-4)
    theirs.eval()
    out, _ = eqx.nn.inference_mode(ours)(x, state)
    np.testing.assert_allclose(out, theirs(torch.tensor(x)).detach(), atol=2e-4)


@pytest.mark.parametrize("net", NETS)
def test_training_of_a_model_of_any_class(translated: ModuleType, net: str) -> None:
    source: dict[str, object] = {}
    exec(SOURCE, source)
    theirs = eval(net, source)
    weights = {name: value.numpy().copy() for name, value in theirs.state_dict().items()}
    ours, state = eqx.nn.make_with_state(lambda: MADE[net](translated))()
    ours, state = load_state_dict(ours, weights, state=state)
    rng = np.random.default_rng(0)
    batches = [rng.standard_normal((5, 4), np.float32) for _ in range(4)]
    expected = eval("train", source)(theirs, [torch.tensor(x) for x in batches], 0.05)
    *_, losses = translated.train(ours, state, batches, 0.05, key=jax.random.key(0))
    np.testing.assert_allclose(losses, expected, rtol=2e-4, atol=2e-5)
