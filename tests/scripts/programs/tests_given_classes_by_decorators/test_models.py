"""Tests of pytest that are given classes and functions by decorators, each of which makes its own numbers."""

import pytest
import torch
from torch import nn


class Drops(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.fc(x))


class Counts(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 2)
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        self.count += 1
        return self.fc(x) * self.count


def largest(x, dim):
    return x.max(dim).values


def noisy(x, dim):
    return x.sum(dim) + torch.rand(1)


@pytest.mark.parametrize("Model", [Drops, Counts])
def test_shape(Model):
    torch.manual_seed(0)
    model = Model(3)
    model.eval()
    with torch.no_grad():
        first, second = model(torch.ones(2, 3)), model(torch.ones(2, 3))
    assert first.shape == (2, 2)
    assert torch.allclose(first, second) == (Model is Drops)


@pytest.mark.parametrize("Model,n", [(Drops, 3), (Drops, 4)])
@pytest.mark.parametrize("value", [0.5, 1.5])
def test_pairs(Model, n, value):
    model = Model(n)
    assert model(torch.full((2, n), value)).shape == (2, 2)


@pytest.mark.parametrize(("reduce", "dim"), [(largest, 0), (noisy, 1)])
def test_functions(reduce, dim):
    assert reduce(torch.ones(2, 3), dim).shape == (3 - dim,)


def test_only_seeds():
    torch.manual_seed(0)
    assert torch.ones(2).sum() == 2
