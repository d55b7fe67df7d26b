"""Every file of the standard library converts without a crash and, since it uses no torch, comes back byte for byte.

`make test` takes a sample, `make stdlib` (TORCH2JAX_STDLIB=all) every file. A second sample goes through the translator
itself: the same programs with `import torch` in front of them.
"""

import ast
import os
import random
import sysconfig
import warnings
from pathlib import Path

import pytest

import torch2jax

SAMPLE = 60
SAMPLE_WITH_TORCH = 10


def stdlib_files() -> list[Path]:
    folder = Path(sysconfig.get_path("stdlib"))
    return sorted(path for path in folder.rglob("*.py") if "site-packages" not in path.parts)


def sample(count: int, *, seed: int) -> list[Path]:
    files = stdlib_files()
    if os.environ.get("TORCH2JAX_STDLIB") == "all":
        return files
    return sorted(random.Random(seed).sample(files, min(count, len(files))))


def is_python(data: bytes) -> bool:
    """Whether Python itself reads the file: the library's tests hold broken ones on purpose, some of which, such as those
    with a misplaced `from __future__ import`, `ast.parse` takes.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(data, "<file>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
        return True


def name_of(path: Path) -> str:
    return str(path.relative_to(sysconfig.get_path("stdlib")))


@pytest.mark.parametrize("path", sample(SAMPLE, seed=0), ids=name_of)
def test_file_of_the_standard_library_is_unchanged(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH2JAX_DEBUG", "1")
    data = path.read_bytes()
    conversion = torch2jax.convert_file(path)
    assert conversion.to_bytes() == data
    assert conversion.unreadable == (not is_python(data))
    assert conversion.diff() == ""


@pytest.mark.parametrize("path", sample(SAMPLE_WITH_TORCH, seed=1), ids=name_of)
def test_translator_survives_any_program(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch2jax.translate")
    monkeypatch.setenv("TORCH2JAX_DEBUG", "1")
    data = path.read_bytes()
    if not is_python(data) or b"from __future__" in data:
        pytest.skip("an import cannot stand in front of this file")
    text = path.read_text(encoding="utf-8", errors="replace")
    conversion = torch2jax.convert(f"import torch\n{text}")
    ast.parse(conversion.text)
