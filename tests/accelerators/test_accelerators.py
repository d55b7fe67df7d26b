"""Programs that train with `accelerate.Accelerator`, on one process: a stand-in does there what the library does."""

import contextlib
import io
import re
import sys
import types
from pathlib import Path

import pytest
import torch

import torch2jax
from torch2jax.options import Options
from torch2jax.runtime.training import Accelerator as RunAccelerator

PROGRAM = Path(__file__).parent / "program.py"
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


class Accelerator:
    """The library's object on one process, in full precision, without accumulation of gradients."""

    device = torch.device("cpu")
    is_main_process = sync_gradients = True
    num_processes, process_index = 1, 0
    print = staticmethod(print)

    def __init__(self, **options):
        assert options.get("mixed_precision", "no") == "no"

    def prepare(self, *given):
        return given if len(given) > 1 else given[0]

    def backward(self, loss):
        loss.backward()

    def clip_grad_norm_(self, parameters, size):
        return torch.nn.utils.clip_grad_norm_(parameters, size)

    def gather(self, x):
        return x

    unwrap_model = gather

    def autocast(self):
        return contextlib.nullcontext()

    def accumulate(self, *models):
        return contextlib.nullcontext()

    def wait_for_everyone(self):
        pass


def printed(text: str, name: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
    return out.getvalue()


def errors_of(lines: str) -> list[tuple[int, str]]:
    head = "import torch\nimport torch.nn as nn\nfrom accelerate import Accelerator\n"
    found = torch2jax.convert(head + lines).diagnostics
    return [(item.line - 3, item.code) for item in found if item.severity == "error"]


def test_training(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = types.ModuleType("accelerate")
    stand_in.__dict__["Accelerator"] = Accelerator
    monkeypatch.setitem(sys.modules, "accelerate", stand_in)
    conversion = torch2jax.convert_file(PROGRAM, Options())
    assert not [item for item in conversion.diagnostics if item.severity == "error"]
    ours = printed(PROGRAM.read_text(encoding="utf-8"), "ours")
    theirs = printed(conversion.text, "theirs")
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    numbers = [[float(item) for item in NUMBER.findall(text)] for text in (ours, theirs)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-3)


@pytest.mark.parametrize(
    "line",
    [
        'accelerator = Accelerator(mixed_precision="bf16")',
        "accelerator = Accelerator(gradient_accumulation_steps=4)",
        'accelerator = Accelerator(log_with="wandb")',
        "Accelerator().gather_for_metrics(torch.ones(2))",
        "Accelerator().reduce(torch.ones(2))",
        "things = Accelerator().prepare(*[nn.Linear(2, 2), nn.Linear(2, 2)])",
        'Accelerator().load_state("x")',
        "kind = Accelerator().distributed_type",
        "Accelerator().gradient_accumulation_steps = 2",
        "Accelerator().sync_gradients = False",
        "backward = Accelerator().backward",
        "count = Accelerator().state.num_processes",
    ],
)
def test_what_is_not_known_to_be_the_same_is_reported(line: str) -> None:
    assert errors_of(line + "\n")


def test_what_only_the_running_program_knows_is_refused_there() -> None:
    with pytest.raises(NotImplementedError):
        RunAccelerator(mixed_precision="fp16")
    with pytest.raises(NotImplementedError):
        RunAccelerator(gradient_accumulation_steps=2)
    with pytest.raises(TypeError):
        RunAccelerator(gradient_accumulation_plugin=None)
    with pytest.raises(AttributeError):
        RunAccelerator(mixed_precision="no").gradient_accumulation_steps = 2
