"""Small programs over the whole language: each converts, and what is refused is refused where it stands.

A line that ends in a comment such as `# T2J200` must be reported with that code, and no other line with an error. Where
`NAME.expected.py` stands beside `NAME.py` it is the translation, byte for byte. Support code is imported here, so that the
texts stay short.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import torch2jax
from torch2jax.diagnostics import Severity

HERE = Path(__file__).parent
_CODES = re.compile(r"#\s*(T2J\d{3}(?: T2J\d{3})*)\s*$")
CASES = sorted(
    path for path in HERE.glob("*.py") if not path.name.startswith("test_") and not path.name.endswith(".expected.py")
)


def convert(path: Path, target: str = "equinox") -> torch2jax.Conversion:
    return torch2jax.convert_file(path, torch2jax.Options(target=target, support="import"))  # type: ignore[arg-type]


def expected_errors(path: Path) -> set[tuple[int, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = ((number, match[1]) for number, line in enumerate(lines, 1) if (match := _CODES.search(line)))
    return {(number, code) for number, codes in marked for code in codes.split()}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH2JAX_DEBUG", "1")
    conversion = convert(path)
    ast.parse(conversion.text)
    errors = {(d.line, d.code) for d in conversion.diagnostics if d.severity is Severity.ERROR}
    assert errors == expected_errors(path), conversion.text
    if not errors:
        assert "import torch\n" not in conversion.text
    expected = path.with_suffix(".expected.py")
    if expected.exists():
        assert conversion.to_bytes().decode() == expected.read_bytes().decode()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_in_nnx(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH2JAX_DEBUG", "1")
    conversion = convert(path, "nnx")
    ast.parse(conversion.text)
    assert not {"T2J003", "T2J005"} & {d.code for d in conversion.diagnostics}


@pytest.mark.parametrize(
    ("line", "column"), [("y = torch.frobnicate(x)", 5), ("y = f(1, torch.fx.symbolic_trace(x))", 10)]
)
def test_unsupported_call_is_reported_at_its_place(line: str, column: int, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"import torch\n\nx = 3\n{line}\n")
    ran = subprocess.run(
        [sys.executable, "-m", "torch2jax", "convert", str(path), "-o", "-"], capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert f"{path}:4:{column}: error T2J200" in ran.stderr
    assert "# torch2jax: T2J200" in ran.stdout
    ast.parse(ran.stdout)
    assert "Traceback" not in ran.stderr


def test_notes_hold_no_line_breaks() -> None:
    conversion = torch2jax.convert(
        "def f(a):\n    import torch\n    return (\n        a.b(1)\n        .c()\n    ).exp()\n"
    )
    ast.parse(conversion.text)
    assert all("\n" not in d.message for d in conversion.diagnostics)
