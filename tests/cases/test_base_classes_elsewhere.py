"""Methods of steps that a base class in another file has, of objects that nobody in sight makes."""

from pathlib import Path

import pytest

from torch2jax.api import convert_program
from torch2jax.options import Options

BASE = """
class Attack:
    def __init__(self, model):
        self.model = model
        self.applied = None

    def shifted(self, inputs):
        return inputs - 0.5

    def logits(self, inputs):
        if self.applied is False:
            inputs = self.shifted(inputs)
        return self.model(inputs)
"""
DERIVED = """
import torch
from base import Attack


class Minimal(Attack):
    def margin(self, outputs, labels):
        return outputs.gather(1, labels[:, None]).sum(1)

    def attack(self, images, labels):
        w = images.clone().detach()
        w.requires_grad = True
        optimizer = torch.optim.Adam([w], lr=0.05)
        for _ in range(4):
            moved = torch.tanh(w)
            cost = self.margin(self.logits(moved), labels).sum()
            optimizer.zero_grad()
            cost.backward()
            optimizer.step()
        return torch.tanh(w).detach()
"""
BY_HAND = """
import torch
from base import Attack


class Stepped(Attack):
    def attack(self, images, labels, step):
        images.requires_grad = True
        for _ in range(4):
            if images.grad is not None:
                images.grad.zero_()
            outputs = self.logits(images)
            loss = torch.nn.functional.cross_entropy(outputs, labels)
            loss.backward()
            noise = images.grad.data
            images = images + step * torch.sign(noise)
            images = images.detach().requires_grad_(True)
        return images.detach()
"""


@pytest.mark.parametrize("text", [DERIVED, BY_HAND])
def test_files_are_read(text: str, tmp_path: Path) -> None:
    """Nodes of another file are not asked for in the tree of this one."""
    sources = {"base.py": BASE, "derived.py": text}
    for name, content in sources.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    conversions = list(convert_program([tmp_path / name for name in sources], Options(), jobs=1))
    assert "T2J003" not in {item.code for conversion in conversions for item in conversion.diagnostics}
