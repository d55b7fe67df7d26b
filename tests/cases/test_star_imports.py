"""Star imports are told of where they may bind anything: what files of the program bind is known."""

from pathlib import Path

from torch2jax.api import convert_program

FILES = {
    "settings.py": "import torch\n\nDEVICE = torch.device('cpu')\n",
    "model.py": "import torch\nfrom settings import *\nfrom elsewhere import *\n\n\ndef f(x):\n    return torch.relu(x).to(DEVICE)\n",
}


def test_star_imports_of_files_in_sight_are_no_surprise(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    found = convert_program([tmp_path / name for name in FILES])
    remarks = [item for conversion in found for item in conversion.diagnostics if item.code == "T2J004"]
    assert [item.line for item in remarks] == [3]
    assert "elsewhere" in remarks[0].message
