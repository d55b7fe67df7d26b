"""Programs that train with `accelerate.Accelerator` or `lightning.Fabric`, on one process: stand-ins do there what the libraries do."""

import contextlib
import io
import re
import sys
import types
from pathlib import Path

import pytest

import torch2jax
from tests.accelerators import stand_ins
from torch2jax.api import convert_program
from torch2jax.options import Options
from torch2jax.runtime.training import Accelerator as RunAccelerator
from torch2jax.runtime.training import Fabric as RunFabric

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def printed(text: str, name: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
    return out.getvalue()


def errors_of(lines: str) -> list[tuple[int, str]]:
    head = "import torch\nimport torch.nn as nn\nfrom accelerate import Accelerator\n"
    found = torch2jax.convert(head + lines).diagnostics
    return [(item.line - 3, item.code) for item in found if item.severity == "error"]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_training(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, offered in stand_ins.MODULES.items():
        module = types.ModuleType(name)
        module.__dict__.update(offered)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [program.name])
    conversion = torch2jax.convert_file(program, Options())
    assert not [item for item in conversion.diagnostics if item.severity == "error"]
    ours = printed(program.read_text(encoding="utf-8"), "ours")
    theirs = printed(conversion.text, "theirs")
    assert ours.strip() and NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    numbers = [[float(item) for item in NUMBER.findall(text)] for text in (ours, theirs)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-3)


@pytest.mark.parametrize(
    "line",
    [
        'accelerator = Accelerator(mixed_precision="bf16")',
        'accelerator = Accelerator(log_with="wandb")',
        "things = Accelerator().prepare(*[nn.Linear(2, 2), nn.Linear(2, 2)])",
        'Accelerator().load_state("x")',
        "kind = Accelerator().distributed_type",
        "Accelerator().gradient_accumulation_steps = 2",
        "Accelerator().sync_gradients = False",
        "backward = Accelerator().backward",
    ],
)
def test_what_is_not_known_to_be_the_same_is_reported(line: str) -> None:
    assert errors_of(line + "\n")


ACCUMULATING = """
accelerator = Accelerator(gradient_accumulation_steps=2)
model = nn.Linear(2, 1)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(6, 2)))
model, optimizer, loader = accelerator.prepare(model, torch.optim.SGD(model.parameters(), lr=0.1), loader)
for (x,) in loader:
    with accelerator.accumulate(model):
        loss = model(x).mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
"""


def test_accumulation_that_is_not_known_is_reported() -> None:
    assert not errors_of(ACCUMULATING)
    for old, new in [
        (", loader = accelerator.prepare(", " = accelerator.prepare("),
        ("    with acc", "    if x.sum() > 3:\n        continue\n    with acc"),
        ("steps=2", "steps=int(input())"),
        ("for (x,) in loader:", "for (x,) in reversed(list(loader)):"),
        ("        optimizer.zero_grad()\n", "        optimizer.zero_grad()\noptimizer.step()\n"),
        ("for (x,)", "if accelerator.sync_gradients:\n    print()\nfor (x,)"),
    ]:
        assert old in ACCUMULATING and errors_of(ACCUMULATING.replace(old, new)), new


def test_fabric_with_other_options_is_reported() -> None:
    head = "import torch\nfrom lightning.fabric import Fabric\nfabric = Fabric({})\nprint(fabric.world_size)\n"
    for options, count in [
        ("devices=1", 0),
        ("devices=4", 0),
        ("devices=input()", 0),
        ('precision="bf16-mixed"', 1),
        ("loggers=[1]", 1),
    ]:
        told = torch2jax.convert(head.format(options)).diagnostics
        assert len([item for item in told if item.severity == "error"]) == count, options


def test_what_only_the_running_program_knows_is_refused_there() -> None:
    with pytest.raises(NotImplementedError):
        RunAccelerator(mixed_precision="fp16")
    with pytest.raises(NotImplementedError):
        RunAccelerator(gradient_accumulation_steps=2)
    with pytest.raises(TypeError):
        RunAccelerator(gradient_accumulation_plugin=None)
    with pytest.raises(AttributeError):
        RunAccelerator(mixed_precision="no").gradient_accumulation_steps = 2
    for options in ({"precision": "16-mixed"}, {"devices": 2}, {"strategy": "fsdp"}):
        with pytest.raises(NotImplementedError):
            RunFabric(**options)


def test_seeds_of_modules_that_only_other_files_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What seeds everything does so for the draws of all files."""
    helper = "import random\nimport numpy as np\nimport torch\n\ndef noise():\n    return random.random() + np.random.rand() + torch.zeros(1).item()\n"
    main = (
        "import lightning as L\nimport torch\nfrom noises import noise\n\ndef main(offset=3):\n"
        "    L.seed_everything(7 + offset * 2)\n    first = noise()\n    L.seed_everything(13, workers=True)\n"
        "    print(f'{torch.ones(2).sum().item()} {first == noise()}')\n\nmain()\n"
    )
    files = [tmp_path / "noises.py", tmp_path / "main.py"]
    for path, text in zip(files, (helper, main), strict=True):
        path.write_text(text, encoding="utf-8")
    found = convert_program(files)
    assert not [item for conversion in found for item in conversion.diagnostics if item.severity == "error"]
    for path, conversion in zip(files, found, strict=True):
        path.write_text(conversion.text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert printed(found[1].text, "main") == "2.0 True\n"
