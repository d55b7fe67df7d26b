"""Functions that libraries call take no key: each makes its own, and two of them never the same one."""

import ast
import re

import pytest

import torch2jax

_DRAW = "    return torch.rand(3)\n"
_ENTRIES = {
    "typer": "import typer\napp = typer.Typer()\n\n@app.command()\ndef main(n: int = 3):\n" + _DRAW,
    "hydra": "import hydra\n\n@hydra.main(config_path='.')\ndef main(cfg):\n" + _DRAW + "\nmain()\n",
    "absl": "from absl import app\n\ndef main(argv):\n" + _DRAW + "\napp.run(main)\n",
    "CLI": "from jsonargparse import CLI\n\ndef main(n: int = 3):\n" + _DRAW + "\nCLI(main)\n",
    "pytest": "import pytest\n\n@pytest.fixture\ndef data():\n"
    + _DRAW
    + "\ndef test_data(data):\n    other = torch.rand(3)\n",
    "unittest": "import unittest\n\nclass Case(unittest.TestCase):\n    def test_data(self):\n        other = torch.rand(3)\n",
    "thread": "import threading\n\ndef work():\n" + _DRAW + "\nthreading.Thread(target=work).start()\n",
}


@pytest.mark.parametrize("name", _ENTRIES)
def test_they_make_their_keys(name: str) -> None:
    result = torch2jax.convert("import torch\n" + _ENTRIES[name])
    assert not [item for item in result.diagnostics if item.code == "T2J400"]
    functions = [node for node in ast.walk(ast.parse(result.text)) if isinstance(node, ast.FunctionDef)]
    assert all(not node.args.kwonlyargs for node in functions), result.text
    seeds = re.findall(r"jax\.random\.key\((.*)\)$", result.text, re.MULTILINE)
    assert len(seeds) == len(functions) == len(set(seeds)), result.text


def test_a_seed_that_is_set_elsewhere_is_not_passed_over() -> None:
    source = (
        "import sys\nimport torch\nfrom jsonargparse import CLI\n\ntorch.manual_seed(int(sys.argv[1]))\n"
        + _ENTRIES["CLI"]
    )
    assert "T2J400" in {item.code for item in torch2jax.convert(source).diagnostics}
