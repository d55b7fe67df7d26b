"""Lines that go through a used-up iterator over parameters are left out, which a warning says where it is used up."""

import pytest

import torch2jax

SOURCE = """import itertools

import torch
import torch.nn as nn

a, b = nn.Linear(3, 2), nn.Linear(3, 2)
params = itertools.chain(a.parameters(), b.parameters())
optimizer = torch.optim.SGD(params, lr=0.1)
for p in params:
    p.requires_grad = False
kept = a.parameters()
for p in kept:
    nn.init.zeros_(p)
nn.utils.clip_grad_norm_(kept, 0.1)
"""


@pytest.mark.parametrize("target", ["equinox", "nnx", "linen"])
def test_left_out_with_a_word(target: str) -> None:
    conversion = torch2jax.convert(SOURCE, torch2jax.Options(target=target))  # type: ignore[arg-type]
    found = [(item.line, item.message) for item in conversion.diagnostics if item.code == "T2J514"]
    assert found == [
        (8, "this uses `params` up: `for p in params:` behind it does nothing, and is left out"),
        (12, "this uses `kept` up: `nn.utils.clip_grad_norm_(kept, 0.1)` behind it does nothing, and is left out"),
    ]
    assert not [item for item in conversion.diagnostics if item.severity == "error"]
    assert "stop_gradient" not in conversion.text and "clip" not in conversion.text
