"""Iterators of loaders that are asked by `.next()`, which those of torch had until 1.13."""

import pytest
from torch.utils.data.dataloader import _BaseDataLoaderIter

import torch2jax

_PROGRAM = """
import torch
from torch.utils.data import DataLoader, TensorDataset

class Watch:
    def __init__(self, loader):
        self.loader = loader
        self.batches = iter(loader)

    def first(self):
        try:
            return self.batches.next()[0]
        except StopIteration:
            self.batches = iter(self.loader)
            return self.batches.next()[0]

loader = DataLoader(TensorDataset(torch.arange(12.0).reshape(4, 3), torch.arange(4)), batch_size=2)
batches = iter(loader)
seen = []
for _ in range(2):
    x, y = batches.next()
    seen.append((x.mean().item(), y.sum().item()))
x, y = loader.__iter__().next()
seen.append((x.max().item(), y.tolist()[1]))
seen.append(iter(loader).next()[0].min().item())
watch = Watch(loader)
seen.extend([watch.first().sum().item() for _ in range(3)])
"""

_OWN = """
import torch

class Pairs:
    def __init__(self):
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        return torch.ones(2) * self.at

    def next(self):
        return self.__next__() * 10.0

pairs = iter(Pairs())
seen = [pairs.next().sum().item(), next(pairs).sum().item(), iter(pairs).next().sum().item()]
"""


@pytest.mark.parametrize("text", [_PROGRAM, _OWN])
def test_batches_are_those_of_the_original(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_BaseDataLoaderIter, "next", _BaseDataLoaderIter.__next__, raising=False)
    found = torch2jax.convert(text)
    assert not [item for item in found.diagnostics if item.severity == "error"]
    ours: dict[str, object] = {}
    theirs: dict[str, object] = {}
    exec(compile(found.text, "ours", "exec"), ours)
    exec(compile(text, "theirs", "exec"), theirs)
    assert ours["seen"] == theirs["seen"]
