"""Summaries of torchsummary and torchinfo: a table of parameters, which is told of the same model before and after its translation."""

import io
import sys
from contextlib import redirect_stdout
from types import ModuleType

import pytest

import torch2jax
from torch2jax.libraries import torchinfo_tables, torchsummary_tables
from torch2jax.options import Options

PROGRAM = """\
import torch
import torch.nn as nn
import torchinfo
from torchsummary import summary


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 5), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2))
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(6, 10)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.fc(self.drop(self.features(x).mean((2, 3)))) * self.scale


def main():
    device = torch.device("cpu")
    model = Net().to(device)
    summary(model, (1, 28, 28))
    for p in model.features.parameters():
        p.requires_grad = False
    summary(model, input_size=[(1, 28, 28)], batch_size=2, device="cpu")
    torchinfo.summary(model.fc, (1, 6), col_names=["output_size", "num_params"], depth=2)
    print(summary(model.fc, (6,), device="cpu"))


main()
"""


WANTED = [
    ("Total", 239),
    ("Non-trainable", 0),
    ("Total", 239),
    ("Non-trainable", 168),
    ("Total", 70),
    ("Non-trainable", 0),
    ("Total", 70),
    ("Non-trainable", 0),
]


def printed(text: str) -> list[str]:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(text, "program", "exec"), {"__name__": "program"})
    return out.getvalue().splitlines()


@pytest.mark.parametrize("target", ["equinox", "nnx"])
def test_tables_are_equal(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, source in (("torchsummary", torchsummary_tables), ("torchinfo", torchinfo_tables)):
        library = ModuleType(name)
        vars(library).update(summary=source.summary)
        monkeypatch.setitem(sys.modules, name, library)
    conversion = torch2jax.convert(PROGRAM, Options(target=target))
    assert [str(item) for item in conversion.diagnostics if item.severity == "error"] == []
    lines = printed(conversion.text)
    assert lines == printed(PROGRAM)
    told = [line for line in lines if line.startswith(("Total", "Non-"))]
    assert told == [f"{words} params: {count}" for words, count in WANTED]


def test_results_that_are_used_are_reported() -> None:
    text = "import torch.nn as nn\nfrom torchinfo import summary\n\nprint(summary(nn.Linear(3, 4)).total_params)\n"
    assert [item.code for item in torch2jax.convert(text, Options()).diagnostics] == ["T2J200"]
