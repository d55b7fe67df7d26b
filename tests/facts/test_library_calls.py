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
    "torchtestcase": "import torchtestcase\n\nclass Base(torchtestcase.TorchTestCase):\n    pass\n\n"
    "class Case(Base):\n    def test_data(self):\n        other = torch.rand(3)\n",
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


_STATEFUL = (
    "import pytest\nimport torch\nfrom torch import nn\n\n@pytest.fixture\ndef net():\n    return {net}\n\n"
    "def test_net(net):\n    assert net(torch.rand(8, 3)).shape == (8, 2)\n"
)
_DRAWING = (
    "\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(3, 2)\n"
    "        self.drop = nn.Dropout(0.5)\n\n    def forward(self, x):\n        return self.drop(self.fc(x))\n"
)


def test_what_a_fixture_gives_is_called_with_a_key() -> None:
    result = torch2jax.convert(_STATEFUL.format(net="Net()") + _DRAWING)
    assert result.ok, result.diagnostics
    assert "net(jax.random.uniform(" in result.text and ", key=" in result.text


def test_state_that_nobody_passes_is_reported() -> None:
    result = torch2jax.convert(_STATEFUL.format(net="nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))"))
    assert {(item.code, item.line) for item in result.diagnostics} == {("T2J200", 9)}
