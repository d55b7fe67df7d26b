"""Which file an import asks for, which files are one program, and where they share support code."""

from pathlib import Path

import pytest

from torch2jax.program.layout import Layout, layout_of

FILES = {
    "main.py": "import pkg.model as m\nfrom pkg import parts\nimport os.path",
    "pkg/__init__.py": "from .model import *",
    "pkg/model.py": "from .parts.block import Block\nfrom . import tools",
    "pkg/tools.py": "import torch",
    "pkg/parts/__init__.py": "",
    "pkg/parts/block.py": "from ..tools import helper",
    "mnist/main.py": "from model import Net",
    "mnist/model.py": "import torch",
    "vae/main.py": "import model\nimport sys\nsys.path.append('../common')\nimport shared",
    "vae/model.py": "import torch",
    "common/shared.py": "x = 1",
    "scripts/train.py": "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))\nfrom pkg.tools import a",
    "tool/src/kan/__init__.py": "from .layers import KAN",
    "tool/src/kan/layers.py": "import torch",
    "tool/examples/run.py": "from kan import KAN",
    "rl/__init__.py": "from rl.torch import *",
    "rl/torch.py": "import torch",
    "rl/math.py": "import math\nimport torch",
    "rl/filter.py": "import math\nimport torch",
    "rl/demo.py": "import math\nif __name__ == '__main__':\n    pass",
    "sim/__init__.py": "",
    "sim/run.py": "import torch\nimport sim.torch.net",
    "sim/torch/__init__.py": "",
    "sim/torch/net.py": "import torch",
    "timm/__init__.py": "from timm.layers import DropPath",
    "timm/layers.py": "import torch",
    "vision/main.py": "import torchvision.models as models",
    "vision/torchvision/models.py": "import torch",
    "broken.py": "def f(:",
}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return layout_of(tmp_path / name for name in FILES)


@pytest.mark.parametrize(
    "importer, name, found",
    [
        ("main.py", "pkg", "pkg/__init__.py"),
        ("main.py", "pkg.model", "pkg/model.py"),
        ("main.py", "os.path", None),
        ("pkg/__init__.py", ".model", "pkg/model.py"),
        ("pkg/parts/block.py", "..tools", "pkg/tools.py"),
        ("pkg/parts/block.py", "...tools", None),
        ("mnist/main.py", "model", "mnist/model.py"),
        ("vae/main.py", "model", "vae/model.py"),
        ("vae/main.py", "shared", "common/shared.py"),
        ("scripts/train.py", "pkg.tools", "pkg/tools.py"),
        ("main.py", "torch", None),  # a module of a package is no library of its name, though scripts change `sys.path`
        ("rl/filter.py", "torch", None),
        ("sim/run.py", "torch.net", None),
        ("rl/filter.py", "math", None),
        ("rl/demo.py", "math", "rl/math.py"),  # Python looks beside a script first
        ("rl/__init__.py", "rl.torch", "rl/torch.py"),
        ("vae/main.py", "parts.block", "pkg/parts/block.py"),  # no other file answers to it
        ("tool/examples/run.py", "kan", "tool/src/kan/__init__.py"),  # which is installed
    ],
)
def test_locate(layout: Layout, importer: str, name: str, found: str | None) -> None:
    file = layout.locate(name, layout.root / importer)
    assert file == (layout.root / found if found is not None else None)


def test_places(layout: Layout) -> None:
    assert layout.asked("pkg.parts", layout.root / "main.py") == "pkg/parts/__init__:"
    assert layout.asked("mnist", layout.root / "main.py") == "mnist/"
    assert layout.asked("numpy", layout.root / "main.py") is None
    assert layout.asked("torch", layout.root / "sim/run.py") is None  # a folder of that name hides no library
    assert layout.asked("timm", layout.root / "timm/__init__.py") == "timm/"  # a program may have one of its own
    assert layout.asked("torchvision", layout.root / "vision/main.py") == "vision/torchvision/"
    assert layout.asked("sim.torch", layout.root / "sim/run.py") == "sim/torch/__init__:"


def test_groups(layout: Layout) -> None:
    groups = [[str(file.relative_to(layout.root)) for file in group] for group in layout.groups()]
    assert ["mnist/main.py", "mnist/model.py"] in groups
    assert ["common/shared.py", "vae/main.py", "vae/model.py"] in groups
    assert ["broken.py"] in groups


@pytest.mark.parametrize(
    "file, module, place",
    [
        ("main.py", "pkg._torch2jax", "pkg/_torch2jax.py"),
        ("pkg/model.py", "._torch2jax", "pkg/_torch2jax.py"),
        ("pkg/parts/block.py", ".._torch2jax", "pkg/_torch2jax.py"),
        ("mnist/model.py", "_torch2jax", "mnist/_torch2jax.py"),
        ("common/shared.py", "_torch2jax", "common/_torch2jax.py"),
    ],
)
def test_support_modules(layout: Layout, file: str, module: str, place: str) -> None:
    found = layout.support_of(layout.root / file)
    assert found is not None
    assert (found.module, found.file.relative_to(layout.root).as_posix()) == (module, place)


@pytest.mark.parametrize(
    "files, expected",
    [
        # the package has what scripts beside it, or its tests, share with it, and is installed with it
        (
            {"pkg/__init__.py": "", "train.py": "from pkg import net", "tests/test.py": "import pkg.net"},
            {"pkg/net.py": "pkg._torch2jax", "train.py": "pkg._torch2jax", "tests/test.py": "pkg._torch2jax"},
        ),
        ({"pkg/__init__.py": "", "train.py": "import pkg, pkg.net", "other.py": ""}, {"other.py": "_torch2jax"}),
        # a package that needs what needs it finds the support code outside of it
        (
            {
                "pkg/__init__.py": "from .net import f",
                "train.py": "import pkg",
                "config.py": "",
                "pkg/net.py": "import config",
            },
            {"pkg/net.py": "_torch2jax", "train.py": "_torch2jax", "config.py": "_torch2jax"},
        ),
        (
            {"pkg/__init__.py": "", "tools/__init__.py": "", "train.py": "import pkg.net, tools"},
            {"pkg/net.py": "_torch2jax", "tools/__init__.py": "_torch2jax", "train.py": "_torch2jax"},
        ),
    ],
)
def test_programs_of_several_packages_have_one(tmp_path: Path, files: dict[str, str], expected: dict[str, str]) -> None:
    files = {"pkg/net.py": "", **files}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    layout = layout_of(tmp_path / name for name in files)
    places = {name: layout.support_of(tmp_path / name) for name in expected}
    assert {name: place.module for name, place in places.items() if place is not None} == expected
