"""The programs of `benchmarks/emitted` come through whole, and each has twins that take the same arguments."""

import re
from pathlib import Path

import pytest

import torch2jax
from torch2jax.options import Target

FOLDER = Path(__file__).parents[1] / "benchmarks" / "emitted"
ARGUMENT = re.compile(r'add_argument\("(--\w+)", type=int, default=(\d+)\)')


@pytest.mark.parametrize("target", ["equinox", "linen", "nnx"])
@pytest.mark.parametrize("name", sorted(path.name for path in (FOLDER / "programs").glob("*.py")))
def test_program_comes_through(name: str, target: Target) -> None:
    conversion = torch2jax.convert_file(FOLDER / "programs" / name, torch2jax.Options(target=target))
    assert not conversion.diagnostics
    assert "jit" in conversion.text, "its step is compiled"
    twin = (FOLDER / "by_hand" / target / name).read_text(encoding="utf-8")
    assert ARGUMENT.findall(twin) == ARGUMENT.findall(conversion.source) != []
