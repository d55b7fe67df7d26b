"""Flax NNX: parts of modules whose names are computed in loops of any length, with layers that have a mode."""

import numpy as np
import pytest

import torch2jax

SOURCE = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.n = len(sizes) - 1
        for i in range(self.n):
            {linear}
            {norm}

    def forward(self, x):
        for i in range(self.n):
            x = torch.tanh(getattr(self, f"bn{{i}}")(getattr(self, f"fc{{i}}")(x)))
        return x


net = Net([6, 5, 2])
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)
x = torch.sin(torch.arange(24.0)).view(4, 6)
found = [net(x).sum().item() for _ in range(2)]
net.eval()
found.append(net(x).sum().item())
"""


@pytest.mark.parametrize("form", ["self.add_module({name}, {part})", "setattr(self, {name}, {part})"])
def test_modes_reach_parts_with_computed_names(form: str) -> None:
    linear = form.format(name='f"fc{i}"', part="nn.Linear(sizes[i], sizes[i + 1])")
    norm = form.format(name='f"bn{i}"', part="nn.BatchNorm1d(sizes[i + 1])")
    text = SOURCE.format(linear=linear, norm=norm)
    conversion = torch2jax.convert(text, torch2jax.Options(target="nnx"))
    assert not [remark for remark in conversion.diagnostics if remark.severity == "error"]
    theirs: dict[str, object] = {}
    ours: dict[str, object] = {}
    exec(text, theirs)
    exec(conversion.text, ours)
    np.testing.assert_allclose(ours["found"], theirs["found"], atol=2e-4)
