"""Objects of other files that draw from keys of their own, since transforms call them there: a step that calls one stays uncompiled."""

from pathlib import Path

import torch2jax

_NOISE = """
import torch
from torchvision import transforms as T

class AddNoise:
    def __init__(self, std=1.0):
        self.std = std
    def __call__(self, image):
        return image + torch.randn(image.size()) * self.std

pipeline = T.Compose([T.ToTensor(), AddNoise(0.1)])
"""
_MAIN = """
import torch
from torch import nn
from noise import AddNoise

noise = AddNoise(0.5)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
for _ in range(5):
    loss = model(noise(torch.ones(2, 3))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_steps_that_call_them(tmp_path: Path) -> None:
    (tmp_path / "noise.py").write_text(_NOISE)
    (tmp_path / "main.py").write_text(_MAIN)
    conversions = torch2jax.convert_tree(tmp_path, tmp_path / "out", torch2jax.Options(support="import"))
    codes = {item.code for result in conversions.values() for item in result.diagnostics}
    assert codes == {"T2J505"}
    assert "jit" not in "".join(result.text for result in conversions.values())
