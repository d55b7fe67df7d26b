"""tools/differential.py: two checkouts beside each other."""

from pathlib import Path

import pytest

from tools.differential import compare, difference, main

_CONVERTER = """
import sys
from types import SimpleNamespace

def Options(**given):
    return given

def convert_file(path, options):
    if path.endswith("deadly.py"):
        sys.exit(3)
    return SimpleNamespace(text=open(path).read().replace("torch", {name!r}), diagnostics=[{remark!r}])
"""


def _checkout(folder: Path, name: str, remark: str) -> Path:
    package = folder / "torch2jax"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(_CONVERTER.format(name=name, remark=remark), encoding="utf-8")
    return folder


def _files(folder: Path) -> list[Path]:
    folder.mkdir()
    for name in ("a", "deadly", "b"):
        (folder / f"{name}.py").write_text(f"import torch\n{name} = 1\n", encoding="utf-8")
    return sorted(folder.glob("*.py"))


def test_equal_checkouts_differ_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _files(tmp_path / "files")
    same = str(_checkout(tmp_path / "same", "jax", "1:1 T2J1"))
    assert main([same, same, "--fuzz", "0", "--no-cases", "--folder", str(tmp_path / "files")]) == 0
    assert capsys.readouterr().out == "3 files, 0 differ, 0 other texts, 0 other remarks\n"


def test_other_texts_and_remarks_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _files(tmp_path / "files")
    old = str(_checkout(tmp_path / "old", "jax", "1:1 T2J1"))
    texts, remarks = (
        str(_checkout(tmp_path / name, name, code)) for name, code in (("flax", "1:1 T2J1"), ("jax", "2:1"))
    )
    given = ["--fuzz", "0", "--no-cases", "--folder", str(tmp_path / "files")]
    assert main([old, texts, *given]) == 1
    assert "-import jax\n+import flax" in (said := capsys.readouterr().out) and said.endswith(
        "2 other texts, 0 other remarks\n"
    )
    assert main([old, remarks, *given]) == 1
    assert "-1:1 T2J1\n+2:1" in (said := capsys.readouterr().out) and said.endswith("0 other texts, 2 other remarks\n")


def test_a_process_that_dies_takes_one_file_along(tmp_path: Path) -> None:
    files = _files(tmp_path / "files")
    side = _checkout(tmp_path / "same", "jax", "remark")
    found = list(compare((side, side), files, 2))
    assert [path for path, _, _ in found] == files
    assert [result.text for _, result, _ in found] == ["import jax\na = 1\n", "import jax\nb = 1\n", ""]
    assert difference(*found[2]) == ""
