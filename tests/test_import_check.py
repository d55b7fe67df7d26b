"""tools/import_check.py: what is converted without an error has to load."""

import subprocess
import sys
from pathlib import Path

_FILES = {
    "tools/__init__.py": "",
    "tools/layers.py": "import torch\n\nWIDTH = torch.arange(3).sum().item()\n",
    "model.py": "import torch\nfrom tools.layers import WIDTH\n\nx = torch.ones(WIDTH)\n",
    "wrong.py": "import torch\n\nx = torch.ones(2)[5].unknown\n",
    "missing.py": "import torch\nimport a_package_that_is_not_here\n\nx = torch.ones(2)\n",
    "flagged.py": "import torch\n\ntorch.fx.symbolic_trace(1)\n",
}


def test_each_clean_file_is_imported_in_a_process_of_its_own(tmp_path: Path) -> None:
    for name, text in _FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "tools.import_check",
        str(tmp_path),
    ]  # which forks: not from here, where threads run
    done = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False)
    *failed, counts = done.stdout.splitlines()
    assert counts == "1 failed, 2 imported, 1 needs", done.stderr
    assert len(failed) == 1 and "wrong.py" in failed[0] and "AttributeError" in failed[0]
    assert done.returncode == 1
