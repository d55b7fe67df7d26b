"""A few random programs, and those that once failed: equal or flagged, never silently wrong, never a crash."""

import os
import random
from pathlib import Path

import pytest

from tests.fuzz import known
from tests.fuzz.families import FAMILIES
from tests.fuzz.generate import generate
from tests.fuzz.running import FAILURES, FLAGGED, judge

SEED = int(os.environ.get("T2J_SEED", "0"))
COUNT = int(os.environ.get("T2J_FUZZ", "40"))
FILES = sorted(known.PROGRAMS.glob("*.py"))


def test_random_programs() -> None:
    """`T2J_SEED` draws other programs, `T2J_FUZZ` more of them."""
    programs = {program.name: program for program in (generate(number, SEED) for number in range(COUNT))}
    outcomes = judge(list(programs.values()))
    failing = {name: outcome for name, outcome in outcomes.items() if outcome.kind in FAILURES}
    shown = [known.write(programs[name], f"{found.kind}: {found.detail}") for name, found in failing.items()]
    assert not failing, "\n\n".join(shown)
    assert len(outcomes) == COUNT
    assert sum(outcome.kind == FLAGGED for outcome in outcomes.values()) < COUNT / 3


@pytest.mark.parametrize("family", ["views", "holders"])
def test_family(family: str) -> None:
    rng = random.Random(SEED)
    programs = {program.name: program for program in (FAMILIES[family](rng, number) for number in range(2 * COUNT))}
    failing = {name: found for name, found in judge(list(programs.values())).items() if found.kind in FAILURES}
    shown = [known.write(programs[name], f"{found.kind}: {found.detail}") for name, found in failing.items()]
    assert not failing, "\n\n".join(shown)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    program = known.read(path)
    outcome = judge([program])[program.name]
    if known.reason(path) is None:
        assert outcome.kind not in (*FAILURES, "invalid"), outcome
    else:
        assert outcome.kind in FAILURES, "does not fail any more: take the word `known` out of the file"
