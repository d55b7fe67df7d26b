"""Schedules of transformers that programs import: their definitions become a part of the program, and are translated with it."""

import io
import sys
from contextlib import redirect_stdout
from types import ModuleType

import numpy as np
import pytest

import torch2jax
from torch2jax.libraries import transformers_schedules as schedules
from torch2jax.options import Options

PROGRAM = """\
import torch
import torch.nn as nn
import transformers
from transformers import AutoTokenizer, get_constant_schedule, get_cosine_schedule_with_warmup, get_scheduler
from transformers.optimization import get_linear_schedule_with_warmup


def filled():
    net = nn.Linear(3, 1)
    for p in net.parameters():
        nn.init.constant_(p, 0.3)
    return net


class Trainer:
    def __init__(self, model, total):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        self.scheduler = get_cosine_schedule_with_warmup(self.optimizer, num_warmup_steps=2, num_training_steps=total)

    def fit(self, steps):
        for _ in range(steps):
            x = torch.arange(6.0).reshape(2, 3) * 0.1
            loss = (self.model(x) - 1).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.scheduler.step()
            print(loss.item(), self.optimizer.param_groups[0]["lr"])


def train_linearly(steps):
    net = filled()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    scheduler = get_linear_schedule_with_warmup(optimizer, 2, 7)
    for _ in range(steps):
        loss = (net(torch.ones(2, 3)) - 2).pow(2).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        print(loss.item(), scheduler.get_last_lr()[0])


def train_as_told(name):
    net = filled()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    lr_scheduler = get_scheduler(name, optimizer=optimizer, num_warmup_steps=1, num_training_steps=6)
    for _ in range(4):
        loss = (net(torch.ones(2, 3)) - 2).pow(2).mean()
        loss.backward()
        optimizer.step()
        lr_scheduler.step()
        optimizer.zero_grad()
    print(loss.item(), lr_scheduler.get_last_lr()[0])


def train_in_cycles(steps):
    net = filled()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.2)
    scheduler = transformers.get_cosine_with_hard_restarts_schedule_with_warmup(optimizer, 1, 7, num_cycles=2)
    for _ in range(steps):
        loss = (net(torch.ones(2, 3)) - 2).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(loss.item(), scheduler.get_last_lr()[0])


Trainer(filled(), 8).fit(6)
train_linearly(6)
for name in ("linear", "cosine", "constant_with_warmup", "inverse_sqrt", "cosine_with_restarts"):
    train_as_told(name)
train_in_cycles(8)
"""


def printed(text: str) -> list[float]:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(text, "program", "exec"), {"__name__": "program"})
    return [float(word) for word in out.getvalue().split()]


@pytest.mark.parametrize("target", ["equinox", "nnx"])
def test_programs_train_equal(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library, part = ModuleType("transformers"), ModuleType("transformers.optimization")
    vars(part).update(vars(schedules))
    vars(library).update(vars(schedules), AutoTokenizer=None, optimization=part)
    monkeypatch.setitem(sys.modules, "transformers", library)
    monkeypatch.setitem(sys.modules, "transformers.optimization", part)
    conversion = torch2jax.convert(PROGRAM, Options(target=target))
    assert [str(item) for item in conversion.diagnostics if item.severity == "error"] == []
    np.testing.assert_allclose(printed(conversion.text), printed(PROGRAM), rtol=1e-3, atol=1e-4)


def test_the_library_stays_for_what_does_without_torch() -> None:
    conversion = torch2jax.convert(PROGRAM, Options())
    assert "from transformers import AutoTokenizer\n" in conversion.text
