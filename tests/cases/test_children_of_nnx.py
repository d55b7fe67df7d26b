"""Flax NNX keeps activations as functions, which no module lists: parts that are listed to be called are reported there."""

import pytest

import torch2jax
from torch2jax.options import Options

PROGRAM = """
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.act = {layer}

    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x


for child in Net().children():
    print(isinstance(child, nn.Linear))
body = nn.Sequential(*list(Net().children())[:-1])
"""


@pytest.mark.parametrize(("layer", "lines"), [("nn.ReLU()", set()), ("nn.Linear(2, 2)", set())])
def test_parts_that_are_called(layer: str, lines: set[int]) -> None:
    conversion = torch2jax.convert(PROGRAM.replace("{layer}", layer), options=Options(target="nnx"))
    assert {(d.line, d.code) for d in conversion.diagnostics} == {(line, "T2J603") for line in lines}
