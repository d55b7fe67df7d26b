"""The work of a conversion grows with the program, not faster: twice as many calls, steps or files take about twice the calls of
Python functions, which are counted rather than timed.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from torch2jax import Options
from torch2jax.program.layout import layout_of
from torch2jax.translate import translate_module
from torch2jax.workspace import Workspace

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"

LAYERS = """

class Block{i}(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc = nn.Linear(width, width)
        self.scale = 1 / width

    def forward(self, x, mask=None):
        h = F.gelu(self.fc(self.norm(x))) * self.scale
        if mask is not None:
            h = h.masked_fill(mask == 0, 0.0)
        return x + h
"""

# Each calls the one before twice: there are many more ways through them than functions.
CALLS = """

def mix{i}(x, flag=True):
    h = {before}(x, flag=flag)
    if flag:
        h = h + {before}(x * 2, flag=False)
    return h
"""

STEPS = """

def train{i}(model, x, y):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    total = 0.0
    for _ in range(3):
        loss = F.mse_loss(mix{last}(model(x)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
"""


GRADIENTS = """

def gradients(model, x):
    loss = mix{last}(model(x)).sum()
    loss.backward()
    return [p.grad for p in model.parameters()]


def test_gradients():
    model = nn.Linear(3, 3)
    assert len(gradients(model, torch.ones(2, 3))) == 2
"""


def layers(count: int) -> str:
    return HEAD + "".join(LAYERS.format(i=i) for i in range(count))


def calls(count: int) -> str:
    names = ["torch.tanh", *(f"mix{i}" for i in range(count))]
    text = "".join(CALLS.format(i=i, before=before) for i, before in enumerate(names[:-1]))
    first = text.replace("torch.tanh(x, flag=flag)", "torch.tanh(x)").replace("torch.tanh(x * 2, flag=False)", "x")
    return HEAD + first + STEPS.format(i=0, last=count - 1)


def gradients_of_calls(count: int) -> str:
    """Steps that leave their gradients behind, among functions that call each other."""
    return calls(count) + GRADIENTS.format(last=count - 1)


def recursive_calls(count: int) -> str:
    """The same, where each function may come to be called by itself."""
    return gradients_of_calls(count).replace("    return h\n", f"    return h if flag else mix{count - 1}(h)\n")


def steps(count: int) -> str:
    return calls(3) + "".join(STEPS.format(i=i, last=2) for i in range(1, count))


def files(count: int) -> dict[str, str]:
    library = {"net.py": layers(4)}
    scripts = {
        f"train{i}.py": f"{HEAD}from net import Block{i % 4}\n\n"
        + STEPS.format(i=i, last=0).replace("mix0(model(x))", "model(x)")
        + f"\n\nprint(train{i}(Block{i % 4}(4), torch.ones(2, 4), torch.zeros(2, 4)))\n"
        for i in range(count)
    }
    return library | scripts


def package(count: int) -> dict[str, str]:
    """A package whose modules all know each other by its `__init__`, and scripts that use it."""
    modules = {
        f"net{i}.py": f"{HEAD}from net import Base\n" + LAYERS.format(i=i).replace("(nn.Module)", "(Base)")
        for i in range(count)
    }
    scripts = {
        f"run{i}.py": f"{HEAD}from net import Block{i}\n\nprint(Block{i}(4)(torch.ones(2, 4)))\n" for i in range(count)
    }
    base = f"{HEAD}\n\nclass Base(nn.Module):\n    pass\n\n\n"
    imports = "".join(f"from net.net{i} import Block{i}\n" for i in range(count))
    return {"net/__init__.py": base + imports} | {f"net/{name}": text for name, text in modules.items()} | scripts


def count_calls(work: Callable[[], object]) -> int:
    """How many Python functions a piece of work calls."""
    found = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal found
        found += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return found


def translate_files(folder: Path, texts: dict[str, str]) -> int:
    folder.mkdir()
    paths = [(folder / name).resolve() for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    options = Options(follow_imports=True)

    def work() -> None:
        workspace = Workspace(options, layout_of({path: str(path) for path in paths}), tuple(paths))
        for path in paths:
            translate_module(path.read_text(), str(path), options, workspace=workspace)

    return count_calls(work)


@pytest.mark.parametrize("make", [layers, calls, gradients_of_calls, recursive_calls, steps])
def test_a_program_that_is_twice_as_long_takes_twice_the_work(make: Callable[[int], str]) -> None:
    translate_module(make(2), "first.py", Options())  # what is loaded once is not counted
    small, large = (count_calls(lambda n=n: translate_module(make(n), "a.py", Options())) for n in (12, 24))
    assert large < 2.4 * small


def test_twice_as_many_files_take_twice_the_work(tmp_path: Path) -> None:
    translate_files(tmp_path / "first", files(2))
    small, large = (translate_files(tmp_path / str(n), files(n)) for n in (6, 12))
    assert large < 2.4 * small


def test_a_package_of_four_times_as_many_modules_takes_little_more_for_each(tmp_path: Path) -> None:
    translate_files(tmp_path / "first", package(2))
    small, large = (translate_files(tmp_path / str(n), package(n)) for n in (8, 32))
    assert large < 6 * small
