"""NNX: a part of two models that one step trains with an optimizer for each gets gradients in the first of them alone, which is
reported; with a part for each, the step is translated.
"""

from __future__ import annotations

import pytest

import torch2jax
from torch2jax.options import Options

PROGRAM = """\
import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding
        self.fc = nn.Linear(3, 5)

    def forward(self, x):
        return self.fc(self.embedding(x))


embedding = nn.Embedding(5, 3)
first, second = Head(embedding), Head({other})
first_optimizer = torch.optim.SGD(first.parameters(), lr=0.1)
second_optimizer = torch.optim.SGD(second.parameters(), lr=0.2)
x, y = torch.tensor([0, 1]), torch.tensor([1, 4])
for _ in range(3):
    first_optimizer.zero_grad()
    second_optimizer.zero_grad()
    loss = nn.functional.cross_entropy(first(x) + second(x), y)
    loss.backward()
    first_optimizer.step()
    second_optimizer.step()
"""


@pytest.mark.parametrize(("other", "codes"), [("embedding", {"T2J604"}), ("nn.Embedding(5, 3)", set())])
def test_part_of_two_models(other: str, codes: set[str]) -> None:
    conversion = torch2jax.convert(PROGRAM.replace("{other}", other), options=Options(target="nnx"))
    assert {item.code for item in conversion.diagnostics if item.severity == "error"} == codes
