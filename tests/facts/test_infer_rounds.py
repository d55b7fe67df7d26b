"""Functions whose surroundings stand as they were are not evaluated again, in one inference or in those of the rounds of
normalization: the values must be those of evaluating all.
"""

from pathlib import Path

import libcst as cst
import pytest

from torch2jax.analysis import Neighbours, analyse, prepare
from torch2jax.facts import infer
from torch2jax.ops.tables import load_tables
from torch2jax.options import Options
from torch2jax.program.program import Function, build_program
from torch2jax.syntax.source import parse_source
from torch2jax.syntax.walk import build_index

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("samples", "tests/cases") for path in (ROOT / folder).glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_repeating_a_function_is_evaluating_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = parse_source(path.read_bytes(), str(path))
    index = build_index(source.module)

    def values() -> list[object]:
        found = infer.infer_values(build_program(index), load_tables())
        return [(v.kind, v.rank, v.dtype, v.const, v.types) for v in map(found, index.nodes)]

    quick = values()
    monkeypatch.setattr(infer._Run, "stands", lambda *_: False)
    assert quick == values()


@pytest.mark.parametrize("path", FILES[::4], ids=lambda path: path.stem)
def test_rounds_of_normalization_may_hand_on_what_they_know(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = prepare(parse_source(path.read_bytes(), str(path)), Options())

    def found() -> tuple[str, list[object], list[object]]:
        facts = analyse(prepared.normalized.index, Options(), Neighbours()).facts
        values = [(v.kind, v.rank, v.dtype, v.types) for v in map(facts.values, facts.program.index.nodes)]
        functions = facts.program.functions.values()
        callers = [(item.key, sorted(item.seen), sorted(item.evidence), len(item.callers)) for item in functions]
        return facts.program.index.module.code, values, callers

    quick = found()
    monkeypatch.setattr(infer._Run, "stands_elsewhere", lambda *_: False)
    assert quick == found()


_LAMBDAS = """
import torch

def scaling(x, k):
    y = x + 1
    return lambda v: v * k + y

def used(x):
    return scaling(x, 2)(torch.ones(3))
"""


def test_functions_that_make_lambdas_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    index, memory = build_index(parse_source(_LAMBDAS, "lambdas.py").module), infer.Memory()
    evaluated: list[str] = []
    evaluate = infer._Inference.evaluate_anew

    def noted(inference: infer._Inference, function: Function) -> None:
        evaluated.append(function.name)
        evaluate(inference, function)

    monkeypatch.setattr(infer._Inference, "evaluate_anew", noted)
    first = infer.infer_values(build_program(index), load_tables(), memory)
    count = evaluated.count("scaling")
    second = infer.infer_values(build_program(index), load_tables(), memory)
    assert evaluated.count("scaling") == count > 0
    assert [first(node) for node in index.nodes] == [second(node) for node in index.nodes]


def test_nodes_that_are_made_anew_have_the_numbers_of_the_last_analysis() -> None:
    memory, texts = infer.Memory(), ("torch.ones(3)", "torch.zeros(2)", "torch.ones(3)")
    numbers = []
    for order in (texts, texts[1:], texts[::-1]):
        memory.start(())
        numbers.append([(text, memory.next_site(cst.parse_expression(text))) for text in order])
    assert len({number for _, number in numbers[0]}) == 3
    assert all(set(found) <= set(numbers[0]) for found in numbers)
