"""A twentieth of torch's operators, drawn with a seed: no translation may be silently wrong or crash."""

import os

import pytest

from tests.opinfo import database
from tests.opinfo.__main__ import run
from tests.opinfo.report import Operator

SEED = int(os.environ.get("T2J_SEED", "0"))
SHARE = float(os.environ.get("T2J_SHARE", "0.05"))


@pytest.fixture(scope="module")
def operators() -> dict[str, Operator]:
    """The drawn operators, and those that JAX has no counterpart for, each with a few samples."""
    drawn = database.chosen(".*", SHARE, SEED)
    missing = database.chosen("|".join(database.no_counterpart()), 1, SEED)
    known = database.known_failures()
    entries = [entry for entry in dict.fromkeys([*drawn, *missing]) if entry.name not in known]
    return {operator.name: operator for operator in run(entries, limit=4, seed=SEED)}


def test_operators_are_equal_or_flagged(operators: dict[str, Operator]) -> None:
    """`T2J_SEED` draws other operators, `T2J_SHARE` more of them."""
    failing = [_first(operator) for operator in operators.values() if operator.failures or operator.faults]
    assert not failing, "\n".join(["silently wrong or crashed:", *failing])


def test_operators_without_counterpart_are_flagged(operators: dict[str, Operator]) -> None:
    """None of the public operators that JAX has no counterpart for is translated all the same."""
    translated = [name for name in database.no_counterpart() if name in operators and operators[name].count("equal")]
    assert not translated, f"have a counterpart after all: {', '.join(translated)}"


def test_known_failures_fail() -> None:
    """Of the drawn operators, those that are known to fail still do: what has been mended leaves the file."""
    known = database.known_failures()
    assert set(known) <= {entry.name for entry in database.entries()}
    entries = [entry for entry in database.chosen(".*", SHARE, SEED) if entry.name in known]
    mended = [operator.name for operator in run(entries, seed=SEED) if not (operator.failures or operator.faults)]
    assert not mended, f"take {', '.join(mended)} out of known_failures.yaml"


def test_limits_are_of_operators() -> None:
    """Every accepted limit names an operator of torch's database, and gives a reason."""
    names = {entry.name for entry in database.entries()}
    for limit in database.limits():
        assert limit.reason and limit.operators <= names, sorted(limit.operators - names)


def _first(operator: Operator) -> str:
    if not operator.failures:
        return f"{operator.name}: {operator.faults[0]}"
    outcome = operator.failures[0]
    what = " ".join(filter(None, (outcome["aspect"], outcome["detail"], outcome["gradient_detail"])))
    where = f"{outcome['form']}, sample {outcome['sample']}"
    return f"{operator.name} ({where}): {what}\n{outcome['source']}\n{outcome['text']}"
