"""A few random programs, and those that once failed: equal or flagged, never silently wrong, never a crash."""

import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fuzz import known
from tests.fuzz.families import FAMILIES
from tests.fuzz.generate import Program, generate
from tests.fuzz.running import FAILURES, FLAGGED, Outcome, judge

SEED = int(os.environ.get("T2J_SEED", "0"))
COUNT = int(os.environ.get("T2J_FUZZ", "40"))
FILES = sorted(known.PROGRAMS.glob("*.py"))


def test_random_programs() -> None:
    """`T2J_SEED` draws other programs, `T2J_FUZZ` more of them."""
    outcomes = _outcomes([generate(number, SEED) for number in range(COUNT)])
    assert len(outcomes) == COUNT
    assert sum(outcome.kind == FLAGGED for outcome in outcomes.values()) < COUNT / 3


@pytest.mark.parametrize("family", sorted(FAMILIES.keys() - {"types"}))  # of `types`, a few fail for documented limits
def test_family(family: str) -> None:
    rng = random.Random(SEED)
    _outcomes([FAMILIES[family](rng, number) for number in range(COUNT)])


def _outcomes(drawn: Sequence[Program]) -> dict[str, Outcome]:
    """What becomes of programs, none of which may fail."""
    programs = {program.name: program for program in drawn}
    outcomes = judge(drawn)
    failing = {name: outcome for name, outcome in outcomes.items() if outcome.kind in FAILURES}
    shown = [known.write(programs[name], f"{found.kind}: {found.detail}") for name, found in failing.items()]
    assert not failing, "\n\n".join(shown)
    return outcomes


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    program = known.read(path)
    outcome = judge([program])[program.name]
    if known.reason(path) is None:
        assert outcome.kind not in (*FAILURES, "invalid"), outcome
    else:
        assert outcome.kind in FAILURES, "does not fail any more: take the word `known` out of the file"
