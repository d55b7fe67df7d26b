"""Functions that change their arguments, called from another file of the program."""

import runpy
from pathlib import Path

import pytest

import torch2jax
from tests.fuzz.running import differs
from tests.isolation import modules_forgotten

HELPERS = """
import torch
from torch import Tensor


def bump(t: Tensor, k: float = 1.0) -> Tensor:
    t += k
    return t.sum()


def scale_(t: Tensor) -> Tensor:
    t.mul_(2)
    return t


def clear(t: Tensor):
    t[0].zero_()
"""
MAIN = """
import torch
import helpers
from helpers import bump, scale_

y = torch.ones(2, 3)
s = bump(y)
z = scale_(y)
helpers.clear(y)
result = y, s, z
"""


def test_functions_of_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    sources = {"helpers.py": HELPERS, "main.py": MAIN}
    for name, text in sources.items():
        (old / name).write_text(text)
    conversions = torch2jax.convert_tree(old, new, torch2jax.Options(support="import"))
    assert not any(conversion.diagnostics for conversion in conversions.values())
    results = []
    for folder in (old, new):
        with monkeypatch.context() as patch, modules_forgotten(folder):
            patch.syspath_prepend(str(folder))
            results.append(runpy.run_path(str(folder / "main.py"))["result"])
    assert differs(*results) is None
