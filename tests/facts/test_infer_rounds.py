"""Functions whose surroundings stand as they were are not evaluated again, in one inference or in those of the rounds of
normalization: the values must be those of evaluating all.
"""

from pathlib import Path

import pytest

from torch2jax.analysis import Neighbours, analyse, prepare
from torch2jax.facts import infer
from torch2jax.ops.tables import load_tables
from torch2jax.options import Options
from torch2jax.program.program import build_program
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
