"""A few scripts of each matrix: equal or flagged, never silently wrong, never a crash."""

import ast
import os
from itertools import islice

import pytest

from tests.fuzz.places import MATRICES
from tests.fuzz.scripts import EQUAL, FAILURES, judge

SEED = int(os.environ.get("T2J_SEED", "7"))
COUNT = int(os.environ.get("T2J_PLACES", "12"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MATRICES)
def test_places(name: str) -> None:
    """`T2J_SEED` draws other scripts, `T2J_PLACES` more of them."""
    outcomes = {script: judge(script) for script in islice(MATRICES[name].scripts(SEED), COUNT)}
    failing = [f"{outcome}\n{script.source}" for script, outcome in outcomes.items() if outcome.kind in FAILURES]
    assert not failing, "\n\n".join(failing)
    assert any(outcome.kind == EQUAL for outcome in outcomes.values())


@pytest.mark.parametrize("name", MATRICES)
def test_every_choice_is_met(name: str) -> None:
    matrix = MATRICES[name]
    for axis, names in matrix.axes.items():
        for choice in names:
            script = next(matrix.scripts(1, {axis: [choice]}))
            ast.parse(script.source)
            assert choice in script.tags and "$" not in script.source
            assert script == next(matrix.scripts(1, {axis: [choice]}))
