"""What `torch2jax explain FILE.py:LINE` says."""

from pathlib import Path

import pytest

from torch2jax.cli import CLEAN, FAILED, main
from torch2jax.explain import explain_line

PROGRAM = """\
import torch
import torch.nn as nn


def helper(x, seen):
    seen.append(x.detach().mean())
    return torch.logsumexp(x, 1)


seen = []
model = nn.Linear(2, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = helper(model(torch.ones(4, 2)), seen).mean()
    loss.backward()
    optimizer.step()
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    return file


def test_kinds_rows_and_passes(program: Path) -> None:
    said = explain_line(program, 7)
    assert "torch.logsumexp(x, 1): f32[...]" in said
    assert "row of torch.logsumexp in ops/reduction.yaml:" in said
    assert "x: line 5" in said
    assert "edited by\n    rewrite_calls" in said
    assert "return jax.nn.logsumexp(x, axis=1)" in said


def test_changes_and_compilation(program: Path) -> None:
    said = explain_line(program, 15)
    assert "helper(model(torch.ones(4, 2)), seen): changes seen" in said
    assert "in a training step, uncompiled: it changes `seen`, which others see in `helper`" in said


def test_the_command(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", f"{program}:11"]) == CLEAN
    assert "model: module torch.nn.Linear" in capsys.readouterr().out
    assert main(["explain", f"{program}:99"]) == FAILED
    assert "has 17 lines" in capsys.readouterr().err
