"""tools/import_check.py: what is converted without an error has to load."""

from pathlib import Path

from tools.import_check import check_folder

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
    found = {file: (verdict, reason) for file, verdict, reason in check_folder(tmp_path, 60)}
    assert {file: verdict for file, (verdict, _) in found.items()} == {
        "model.py": "imported",
        "tools/layers.py": "imported",
        "wrong.py": "failed",
        "missing.py": "needs",
    }
    assert "AttributeError" in found["wrong.py"][1]
    assert found["missing.py"][1] == "a_package_that_is_not_here"
