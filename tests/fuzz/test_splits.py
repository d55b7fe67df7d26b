"""Scripts laid into several files: torch runs them as before, and what a layout does is told."""

import ast
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tests.fuzz.layouts import STYLES, NotSplit, layouts, write
from tests.fuzz.scripts import CRASHED, EQUAL, FLAGGED, WRONG
from tests.scripts.test_scripts import PROGRAMS, printed

SCRIPT = '''"""A script."""

import torch
from torch import nn

DIM = 3
start = torch.linspace(0, 1, DIM)
seen = 0


# It doubles.
def double(x):
    return 2 * x


class Net(nn.Module):
    def forward(self, x, DIM=DIM):
        return double(x) + DIM


def count(net):
    global seen
    seen += 1
    return net(start)


double_of_a_parameter = [f"{double(2)}"]
print(count(Net()).tolist(), seen, double_of_a_parameter, DIM)
'''


@pytest.mark.parametrize("style", STYLES)
def test_torch_runs_layouts_alike(style: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "main.py").write_text(SCRIPT, encoding="utf-8")
    theirs = printed(tmp_path / "main.py", tmp_path, monkeypatch)
    assert theirs
    found = [item for item in layouts(SCRIPT, "1") if item.name.endswith(f"; {style}")]
    assert len(found) > 2
    for number, layout in enumerate(found):
        folder = tmp_path / str(number)
        write(layout.files, folder)
        assert printed(folder / "main.py", folder, monkeypatch) == theirs, layout


def test_layouts_stay_the_same_and_differ_from_each_other() -> None:
    first, again = (list(islice(layouts(SCRIPT, "2"), 30)) for _ in range(2))
    assert first == again and len({str(item.files) for item in first}) == len(first) > 20
    assert {item.name.partition(";")[0] for item in first} > {"models", "helpers"}
    for item in first:
        assert "global seen" in item.files["main.py"] and "seen = 0" in item.files["main.py"]
        assert sum(text.count("# It doubles.\ndef double") for text in item.files.values()) == 1
        for text in item.files.values():
            ast.parse(text)


def test_scripts_that_look_at_themselves_are_refused() -> None:
    with pytest.raises(NotSplit):
        next(layouts("import torch\nprint(sorted(globals()))\n", "1"))


_JUDGED = """
from tests.fuzz.splits import judge, load, in_child
load()
files = {
    "models.py": "import torch\\nFIRST = torch.ones(2)\\n",
    "main.py": "import models\\nprint(models.FIRST.sum().item())\\n",
}
alone = "import torch\\nFIRST = torch.ones(2)\\nprint(FIRST.sum().item())\\n"
stopping = files | {"main.py": "import models\\nprint(models.FIRST[models.FIRST.numel() / 1])\\n"}
reported = files | {"main.py": "import torch, models\\nprint(models.FIRST.storage())\\n"}
known = in_child(judge, {"main.py": alone}, "2.0", "equinox", "")
assert in_child(judge, files, "2.0", "equinox", "") == known
for given in (files, "2.0", ""), (files, "3.0", ""), (files, "3.0", known.pieces), (stopping, "2.0", ""), (reported, "2.0", ""):
    print(in_child(judge, given[0], given[1], "equinox", given[2]).outcome.kind)
"""


def test_a_layout_is_judged_by_what_it_prints() -> None:
    """Files with the pieces of the script alone are not run again."""
    done = subprocess.run([sys.executable, "-c", _JUDGED], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [EQUAL, WRONG, EQUAL, CRASHED, FLAGGED], done.stderr


def test_layouts_of_a_script_are_equal(tmp_path: Path) -> None:
    script = PROGRAMS / "settings_of_batch_norm.py"
    command = [sys.executable, "-m", "tests.fuzz.splits", str(script), "--layouts", "2", "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "2 equal" in done.stdout and "script alone: none" in done.stdout, done
