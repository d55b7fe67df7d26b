"""Every statement of the list of differences between torch and JAX is a case here, and every case holds."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import torch2jax
from tests.semantics.running import Section

STATEMENTS = {
    "Tensor creation": 16,
    "dtype promotion and conversion": 23,
    "Indexing and slicing": 48,
    "Reductions, sorting, statistics": 40,
    "Pointwise arithmetic": 37,
    "Linear algebra": 23,
    "Convolution and pooling": 25,
    "Padding, resizing, sampling": 14,
    "Normalisation, embedding, attention, dropout": 31,
    "Losses": 25,
    "Random numbers": 14,
    "Automatic differentiation": 45,
    "Optimizers": 20,
    "Gradient clipping, parameter groups, schedules": 17,
    "Modules": 15,
    "In-place operations and tensor state": 15,
    "More operators with options that are easily lost": 20,
    "Recurrent networks with lengths, data loading, data parallelism, averaging": 12,
    "Same in both": 36,
}
"""Title of a section of the list -> how many statements it makes."""


def _load() -> dict[str, Section]:
    folder = Path(__file__).parent / "sections"
    modules = [
        importlib.import_module(f"tests.semantics.sections.{module.name}")
        for module in pkgutil.iter_modules([str(folder)])
    ]
    return {module.TITLE: Section(module.CASES) for module in modules}


SECTIONS = _load()


def _parameters() -> Iterator[Any]:
    for title, section in SECTIONS.items():
        for number, case in enumerate(section.cases):
            for annotated in section.forms(number):
                reason = case.bug or ("" if annotated else case.bug_plain)
                marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
                name = f"{title.split()[0].strip(',')}-{number}{'' if annotated else '-plain'}-{case.statement}"
                yield pytest.param(title, number, annotated, marks=marks, id=name)


@pytest.mark.parametrize(("title", "number", "annotated"), _parameters())
def test_statement_holds(title: str, number: int, annotated: bool) -> None:
    SECTIONS[title].check(number, annotated)


def test_narrowing_is_said_once() -> None:
    source = "import torch\n\n\ndef f():\n    return torch.arange(3), torch.zeros(2).long(), torch.ones(2, dtype=torch.float64)\n"
    assert [remark.code for remark in torch2jax.convert(source * 2).diagnostics] == ["T2J100"]


@pytest.mark.parametrize("title", STATEMENTS)
def test_section_is_complete(title: str) -> None:
    assert len({case.statement for case in SECTIONS[title].cases}) >= STATEMENTS[title]
