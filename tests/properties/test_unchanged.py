"""What has nothing to do with torch is returned byte for byte, and results do not depend on the process that makes them."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import torch2jax

ROOT = Path(__file__).parent.parent.parent

FILES = {
    "empty": b"",
    "no final newline": b"x = 1",
    "blank lines at the end": b"x = 1\n\n\n",
    "crlf": b"def f():\r\n    return 1\r\n",
    "mixed line ends": b"x = 1\r\ny = 2\nz = 3\r\n",
    "old line ends": b"x = 1\ry = 2\r",
    "tabs": b"if 1:\n\tx = 1\n\tif x:\n\t\ty = 2\n",
    "form feed": b"x = 1\n\x0c\ny = 2\n",
    "byte order mark": b"\xef\xbb\xbfx = 1\n",
    "byte order mark and crlf": b"\xef\xbb\xbfx = 1\r\n",
    "latin-1": b"# -*- coding: latin-1 -*-\nx = '\xe9\xff'\n",
    "latin-1 in the second line": b"#!/usr/bin/env python\n# vim: set fileencoding=latin-1 :\nx = '\xe9'\n",
    "shift_jis": "# coding: shift_jis\nx = '日本'\n".encode("shift_jis"),
    "utf-8": "x = 'naïve → 日本 🙂'\nπ = 3\n".encode(),
    "continuation": b"x = 1 + \\\n    2\n",
    "invalid escape": b"x = '\\d'\n",
    "comment only": b"# nothing",
}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
def test_file_without_torch_is_unchanged(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_bytes(data)
    conversion = torch2jax.convert_file(path)
    assert conversion.to_bytes() == data
    assert conversion.ok, conversion.diagnostics
    assert conversion.diagnostics == ()


_WORDS = st.sampled_from(["x", "π", "f(x)", "1", "'a\\n'", "[i for i in x]", "lambda y: y", "not x", "x if y else 2"])
_LINES = st.one_of(
    st.builds("{} = {}".format, st.sampled_from(["x", "y", "x.a", "x[0]", "x, *y"]), _WORDS),
    st.builds("if {}:\n\tx = {}  # why".format, _WORDS, _WORDS),
    st.builds("def f(a, *b, c={}, **d): return {}".format, _WORDS, _WORDS),
    st.builds('class A:\n  """{}"""'.format, _WORDS),
    st.just(""),
    st.just("# comment"),
)


@given(st.lists(_LINES, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_program_without_torch_is_unchanged(lines: list[str], newline: str, ends: bool) -> None:
    text = newline.join(line.replace("\n", newline) for line in lines) + (newline if ends else "")
    ast.parse(text)
    conversion = torch2jax.convert(text)
    assert conversion.text == text
    assert conversion.diagnostics == ()
    assert conversion.line_map == {
        i: i for i in range(1, text.count("\n") + 1 + (not text.endswith("\n") and text != ""))
    }


@given(st.text(max_size=60))
def test_any_text_is_a_result(text: str) -> None:
    conversion = torch2jax.convert(text)
    assert conversion.text == text
    assert conversion.ok or conversion.unreadable


@given(st.binary(max_size=60))
def test_any_bytes_are_a_result(data: bytes) -> None:
    from torch2jax.pipeline import run

    conversion = run(data, "model.py", torch2jax.Options())
    assert conversion.to_bytes() == data
    assert conversion.ok or conversion.unreadable


def test_result_does_not_depend_on_the_hash_seed() -> None:
    pytest.importorskip("torch2jax.translate")
    script = (
        "import pathlib, sys, torch2jax\n"
        "for path in sorted(pathlib.Path('samples').glob('*.py'))[:6]:\n"
        "    for target in ('equinox', 'nnx'):\n"
        "        made = torch2jax.convert_file(path, torch2jax.Options(target=target))\n"
        "        sys.stdout.write(made.text + repr(made.diagnostics))\n"
    )
    results = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(results) == 1


@pytest.mark.parametrize(
    "program",
    [
        "x = " + "1 + " * 3_000 + "1\n",
        "x = " + "[" * 90 + "]" * 90 + "\n",
        "x = y" + ".a" * 3_000 + "\n",
        "if x == 0:\n    pass\n" + "".join(f"elif x == {i}:\n    pass\n" for i in range(1, 1_500)),
        "".join("    " * i + f"for x{i} in y:\n" for i in range(19)) + "    " * 19 + "pass\n",
    ],
    ids=["sum", "brackets", "attributes", "elif", "blocks"],
)
def test_deep_program_goes_through_the_translator(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch2jax.translate")
    monkeypatch.setenv("TORCH2JAX_DEBUG", "1")
    conversion = torch2jax.convert(f"import torch\n{program}")
    assert not conversion.unreadable
    assert program in conversion.text
