"""Functions that datasets call for each picture, and that draw: each call has numbers of its own."""

import pytest

import torch2jax
from torch2jax import Options

PROGRAM = """
import torch
from torchvision import transforms
from torchvision.datasets import FakeData


def noisy(x):
    return transforms.ToTensor()(x) * 0 + torch.rand(3, 8, 8)


def binary():
    flat = lambda x: (transforms.ToTensor()(x) * 0 + 0.5).view(-1).bernoulli()
    return FakeData(2, (3, 8, 8), 3, transform=flat)


first = FakeData(2, (3, 8, 8), 3, transform=noisy)
second = binary()
third = FakeData(2, (3, 8, 8), 3, transform=lambda x: transforms.ToTensor()(x) * 0 + torch.rand(1))
fourth = FakeData(2, (3, 8, 8), 3, transform=transforms.Compose([transforms.ToTensor(), transforms.Lambda(noisy_again)]))
drawn = [float(data[number % 2][0].mean()) for data in (first, second, third, fourth) for number in range(3)]
"""
AGAIN = """
def noisy_again(x):
    return x * 0 + torch.rand(3, 8, 8)


first ="""


@pytest.mark.parametrize("target", ["equinox", "nnx", "linen"])
def test_draws(target: str) -> None:
    program = PROGRAM.replace("\nfirst =", AGAIN)
    conversion = torch2jax.convert(program, options=Options(target=target))
    assert not [item.message for item in conversion.diagnostics if item.severity == "error"]
    names: dict[str, object] = {}
    exec(conversion.text, names)
    drawn = names["drawn"]
    assert isinstance(drawn, list)
    assert len(set(drawn)) == len(drawn)
    assert all(0 < number < 1 for number in drawn)
