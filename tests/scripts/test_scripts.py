"""Whole scripts, written the way people write them: converted, run on both sides, and compared in what they print.

A file of `programs/` is a program; a folder is a package that is converted as a whole, and its `main*.py` files are run.
The first line may say `# flagged: T2J601`: there is no faithful translation, and these codes say so. All others are
converted without an error and print the same words, and the same numbers to 1e-3. Files whose first line says
`# also: nnx` are translated to Flax NNX, too (`# also: nnx, linen`: and to Linen); `# flagged: T2J603, also: nnx` is right there, and reported for Equinox.
Of the translations to Equinox two thirds are taken, of the others a quarter, and their turn changes when programs are added;
`make scripts` takes them all.
"""

import contextlib
import io
import os
import re
import runpy
import sys
import zlib
from pathlib import Path
from typing import Literal

import pytest
import torch

import torch2jax
from tests.isolation import modules_forgotten
from torch2jax.options import Options

PROGRAMS = Path(__file__).parent / "programs"
NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|(?:nan|inf)\b)")


def cases() -> list[Path]:
    """The files and folders of the programs, and in folders the files that are run."""
    found = []
    for path in sorted(PROGRAMS.iterdir()):
        if path.suffix == ".py":
            found.append(path)
        elif path.is_dir() and path.name != "__pycache__":
            found.extend(sorted(path.glob("main*.py")))
    return found


def printed(program: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a program prints that is run in its own folder; modules beside it, modes and defaults are forgotten afterwards."""
    out = io.StringIO()
    with contextlib.ExitStack() as around:
        around.enter_context(contextlib.redirect_stdout(out))
        around.enter_context(modules_forgotten(program.parent))
        around.enter_context(torch.enable_grad())
        around.callback(torch.set_default_dtype, torch.get_default_dtype())
        patch = around.enter_context(monkeypatch.context())
        patch.chdir(folder)
        patch.syspath_prepend(str(program.parent))
        patch.setattr(sys, "argv", [program.name])
        runpy.run_path(str(program), run_name="__main__")
    return out.getvalue()


def differs(ours: str, theirs: str) -> str | None:
    """The first difference between what two programs print."""
    plain = [re.sub(r"torch\.Size|tensor|Array|[\[\](),]", " ", text) for text in (ours, theirs)]
    words = [NUMBER.sub("#", text).split() for text in plain]
    if words[0] != words[1]:
        return f"torch prints {ours!r}, the translation {theirs!r}"
    for a, b in zip(*(map(float, NUMBER.findall(text)) for text in plain), strict=True):
        if not (abs(a - b) <= 1e-3 * max(1, abs(a)) or a == b or (a != a and b != b)):
            return f"{a} is {b} in the translation: torch prints {ours!r}, the translation {theirs!r}"
    return None


def flagged(program: Path) -> set[str]:
    """The codes that the first line of a program names."""
    first = program.read_text(encoding="utf-8").split("\n", 1)[0]
    return set(re.findall(r"T2J\d+", first)) if first.startswith("# flagged:") else set()


def _name(path: Path) -> str:
    return path.relative_to(PROGRAMS).with_suffix("").as_posix()


def taken(share: int, of: int) -> list[Path]:
    """The programs whose turn it is: all, or a share of them."""
    every = cases()
    if os.environ.get("T2J_TARGETS") == "all":
        return every
    return [path for path in every if (zlib.crc32(_name(path).encode()) + len(every)) % of < share]


def also(target: str) -> list[Path]:
    """The programs that are translated to another target, too, and whose turn it is."""
    marked = rf"#.* also: .*\b{target}\b.*\n"
    return [path for path in taken(1, 4) if re.match(marked, path.read_text(encoding="utf-8"))]


def converted(
    program: Path, out: Path, target: Literal["equinox", "nnx", "linen"] = "equinox"
) -> tuple[Path, list[torch2jax.Diagnostic]]:
    """The translation of a program, with all of its package, and the errors that were told."""
    if program.parent == PROGRAMS:
        conversion = torch2jax.convert_file(program, Options(target=target))
        place = out / program.name
        place.write_text(conversion.text, encoding="utf-8")
        return place, [item for item in conversion.diagnostics if item.severity == "error"]
    conversions = torch2jax.convert_tree(program.parent, out, Options(target=target, support="module"))
    errors = [item for result in conversions.values() for item in result.diagnostics if item.severity == "error"]
    return out / program.name, errors


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", taken(2, 3), ids=_name)
def test_script(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    out.mkdir()
    place, errors = converted(program, out)
    assert {item.code for item in errors} == flagged(program), [f"{item.line}: {item.message}" for item in errors]
    if not errors:
        ours = printed(program, tmp_path, monkeypatch)
        assert ours, "it prints nothing"
        assert differs(ours, printed(place, tmp_path, monkeypatch)) is None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", also("nnx"), ids=_name)
def test_script_nnx(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    out.mkdir()
    place, errors = converted(program, out, "nnx")
    assert not errors, [f"{item.line}: {item.message}" for item in errors]
    ours = printed(program, tmp_path, monkeypatch)
    assert differs(ours, printed(place, tmp_path, monkeypatch)) is None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", also("linen"), ids=_name)
def test_script_linen(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    out.mkdir()
    place, errors = converted(program, out, "linen")
    assert not errors, [f"{item.line}: {item.message}" for item in errors]
    ours = printed(program, tmp_path, monkeypatch)
    assert differs(ours, printed(place, tmp_path, monkeypatch)) is None


def test_a_difference_would_be_found() -> None:
    assert differs("a tensor([1.0, 2.0])", "a Array([1., 2.0001])") is None
    assert differs("a 1.0", "a 1.1") is not None
    assert differs("a 1.0", "b 1.0") is not None
    assert differs("nan", "nan") is None
