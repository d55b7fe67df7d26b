"""Notebooks in and out: cells, Markdown, magics and metadata are kept, outputs are not, and remarks name cells."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

import torch2jax
from tests.isolation import modules_forgotten
from torch2jax.cli import main
from torch2jax.syntax.notebook import read_notebook

CELLS = [
    ("markdown", "# Scaling\nwith **torch**"),
    ("code", "%matplotlib inline\n!pip install torch\nimport torch\nimport torch.nn as nn\nfiles = !ls"),
    ("code", "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(3, 2)\n\n    def forward(self, x):\n        return self.fc(x)"),
    ("code", "%%time\ntorch.manual_seed(0)\nnet = Net()\ny = net(torch.ones(4, 2, 3));"),
    ("code", "%%bash\necho torch"),
    ("raw", "kept as it is"),
    ("code", "net?"),
    ("code", "print(y.shape, nn.functional.pad(torch.ones(2), (1, 1)).tolist())\nif True:\n    %time z = 1"),
    ("code", "y"),
]  # fmt: skip


def notebook(cells: list[tuple[str, str]]) -> Any:
    content = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    for kind, text in cells:
        cell = getattr(nbformat.v4, f"new_{kind}_cell")(text, metadata={"tags": [kind]})
        if kind == "code":
            cell.execution_count = 7
            cell.outputs = [nbformat.v4.new_output("stream", text="out")]
        content.cells.append(cell)
    return content


def write(path: Path, cells: list[tuple[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbformat.writes(notebook(cells)))


def run_cells(content: Any) -> str:
    """What the cells print, magics left out."""
    out, names = io.StringIO(), dict[str, Any]()
    with contextlib.redirect_stdout(out):
        for cell in content.cells:
            if cell.cell_type == "code" and not cell.source.startswith("%%bash"):
                lines = [line for line in cell.source.split("\n") if "!" not in line and line != "net?"]
                text = "\n".join("    pass" if line.startswith("    %") else line for line in lines if line[:1] != "%")
                exec(compile(text, "<cell>", "exec"), names)
    return out.getvalue()


def test_notebook(tmp_path: Path) -> None:
    write(tmp_path / "n.ipynb", CELLS)
    conversion = torch2jax.convert_file(tmp_path / "n.ipynb")
    assert conversion.ok, conversion.diagnostics
    old, new = notebook(CELLS), nbformat.reads(conversion.to_bytes().decode(), as_version=4)
    nbformat.validate(new)
    added = [cell for cell in new.cells if cell.metadata.get("jupyter")]
    assert len(added) == 1
    assert "torch2jax support" in added[0].source
    kept = [cell for cell in new.cells if cell not in added]
    assert [(cell.cell_type, cell.metadata) for cell in kept] == [(cell.cell_type, cell.metadata) for cell in old.cells]
    assert new.metadata == old.metadata
    for before, after in zip(old.cells, kept, strict=True):
        if before.cell_type != "code":
            assert before.source == after.source
        else:
            assert (after.outputs, after.execution_count) == ([], None)
    sources = [cell.source for cell in kept]
    assert sources[1].startswith("%matplotlib inline\n!pip install torch\n")
    assert sources[1].endswith("files = !ls")
    assert "import torch\n" not in sources[1]
    assert (sources[4], sources[6], sources[8]) == ("%%bash\necho torch", "net?", "y")
    assert sources[3].startswith("%%time\n")
    assert sources[7].endswith("    %time z = 1")
    assert run_cells(new) == run_cells(old).replace("torch.Size([4, 2, 2])", "(4, 2, 2)")


def test_remarks_name_cells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    write(
        Path("n.ipynb"),
        [("markdown", "text"), ("code", "import torch"), ("code", "x = 1\ny = torch.hub.load('a', 'b')")],
    )
    assert main(["convert", "n.ipynb", "--report", "r.json"]) == 1
    assert "n.ipynb:cell 3:2:5: error T2J" in capsys.readouterr().err
    (remark,) = json.loads(Path("r.json").read_text())["diagnostics"]
    assert (remark["path"], remark["cell"], remark["line"]) == ("n.ipynb", 3, 2)
    assert Path("n_jax.ipynb").is_file()


def test_a_notebook_beside_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path / "old/n.ipynb",
        [("code", "import torch\nfrom parts.noise import shake"), ("code", "print(shake(torch.zeros(3)).shape)")],
    )
    (tmp_path / "old/parts").mkdir()
    (tmp_path / "old/parts/noise.py").write_text(
        "import torch\n\n\ndef shake(x):\n    return x + torch.randn_like(x)\n"
    )
    conversions = torch2jax.convert_tree(tmp_path / "old", tmp_path / "new")
    assert all(conversion.ok for conversion in conversions.values())
    new = nbformat.read(tmp_path / "new/n.ipynb", as_version=4)
    monkeypatch.syspath_prepend(str(tmp_path / "new"))
    with modules_forgotten(tmp_path):
        assert run_cells(new) == "(3,)\n"


def test_notebooks_without_torch_stay(tmp_path: Path) -> None:
    write(tmp_path / "n.ipynb", [("code", "%matplotlib inline\nx = 1")])
    conversion = torch2jax.convert_file(tmp_path / "n.ipynb")
    assert conversion.to_bytes() == (tmp_path / "n.ipynb").read_bytes()


def test_cells_and_lines() -> None:
    found = read_notebook(nbformat.writes(notebook([("markdown", "a"), ("code", "x\ny"), ("code", "z")])).encode())
    assert [found.place(line) for line in range(1, 6)] == [(2, 1), (2, 1), (2, 2), (3, 1), (3, 1)]


def test_future_statements_may_stand_in_any_cell(tmp_path: Path) -> None:
    write(
        tmp_path / "n.ipynb",
        [
            ("code", "x = 1"),
            ("code", "from __future__ import print_function\nimport torch\nprint(torch.ones(2).sum() + x)"),
        ],
    )
    conversion = torch2jax.convert_file(tmp_path / "n.ipynb")
    assert conversion.ok
    new = nbformat.reads(conversion.to_bytes().decode(), as_version=4)
    assert new.cells[-1].source.startswith("from __future__ import print_function\n")
    assert run_cells(new) == "3.0\n"
