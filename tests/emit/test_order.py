"""The check that the order of statements is kept finds what passes would break."""

from collections.abc import Callable

import libcst as cst
import pytest

import torch2jax.analysis
import torch2jax.translate
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.options import Options
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Edits
from torch2jax.syntax.walk import Index
from torch2jax.translate import translate_module

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"
LINES = """
x = torch.ones(3)
y = x + 1
print(y.sum())
x[0] = 5
z = 7
print(x, z)
found = []
found.append(z)
print(found)
"""
TRAINING = """
def train(model, optimizer, x, y):
    norms = []
    for i in range(3):
        norm = model.weight.norm()
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        norms.append(norm.item())
        after = model.weight.norm()
        print(after)
    return norms


model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
print(train(model, optimizer, torch.ones(4, 2), torch.ones(4, 1)))
"""


def line_of(index: Index, text: str) -> cst.CSTNode:
    return next(node for node in index.every(cst.SimpleStatementLine) if code(node).strip() == text)


def move(edits: Edits, index: Index, line: str, other: str) -> None:
    """Put a line behind another one."""
    moved, place = line_of(index, line), line_of(index, other)
    edits.move(moved)
    edits.after(place, lambda rewrite: rewrite.statement(moved))


def placed_wrongly(source: str) -> list[str]:
    result = translate_module(HEAD + source, "program.py", Options())
    return [item.message for item in result.diagnostics if item.code == "T2J008"]


def broken(monkeypatch: pytest.MonkeyPatch, source: str, change: Callable[[Edits, Index], None]) -> list[str]:
    """What is reported if the last pass does something wrong."""
    passes = torch2jax.translate.PASSES
    monkeypatch.setattr(
        torch2jax.translate, "PASSES", (*passes, lambda unit: change(unit.edits, unit.facts.program.index))
    )
    found = placed_wrongly(source)
    monkeypatch.setattr(torch2jax.translate, "PASSES", passes)
    return found


@pytest.mark.parametrize("source", [LINES, TRAINING])
def test_nothing_is_reported_of_right_translations(source: str) -> None:
    assert placed_wrongly(source) == []


@pytest.mark.parametrize(
    ("source", "line", "other"),
    [
        (LINES, "x = torch.ones(3)", "y = x + 1"),  # a value is read before it is there
        (LINES, "y = x + 1", "x[0] = 5"),  # it is read behind a write
        (LINES, "print(y.sum())", "print(x, z)"),  # the world sees it in another order
        (LINES, "found.append(z)", "print(found)"),
        (TRAINING, "norms.append(norm.item())", "print(after)"),  # independent, which is allowed
        (TRAINING, "print(after)", "return norms"),  # out of its loop
    ],
)
def test_lines_that_change_places(monkeypatch: pytest.MonkeyPatch, source: str, line: str, other: str) -> None:
    found = broken(monkeypatch, source, lambda edits, index: move(edits, index, line, other))
    assert bool(found) is (line != "norms.append(norm.item())"), found


def test_a_reader_of_weights_behind_the_update(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(edits: Edits, index: Index) -> None:
        move(edits, index, "norm = model.weight.norm()", "after = model.weight.norm()")

    assert any(
        "norm = model.weight.norm()" in item or "optimizer.step()" in item
        for item in broken(monkeypatch, TRAINING, change)
    )


def test_an_update_before_what_reads_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(edits: Edits, index: Index) -> None:
        place, moved = line_of(index, "norm = model.weight.norm()"), line_of(index, "after = model.weight.norm()")
        edits.move(moved)
        edits.before(place, lambda rewrite: rewrite.statement(moved))

    assert broken(monkeypatch, TRAINING, change)


@pytest.mark.parametrize("line", ["print(y.sum())", "found.append(z)"])
def test_effects_that_have_gone(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    def change(edits: Edits, index: Index) -> None:
        edits.statements[line_of(index, line)] = lambda rewrite: ()

    (found,) = broken(monkeypatch, LINES, change)
    assert found.endswith("stands nowhere")


def test_normalizations_are_looked_at_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(work: NormalizationRound) -> None:
        if ("moved",) not in work.program.marks:
            move(work.edits, work.index, "y = x + 1", "x[0] = 5")
            work.marks.add(("moved",))

    monkeypatch.setattr(torch2jax.analysis, "NORMALIZATIONS", (change, *torch2jax.analysis.NORMALIZATIONS))
    assert placed_wrongly(LINES)
