"""A few random scripts: equal or flagged, never silently wrong, never a crash."""

import ast
import os

import pytest

from tests.fuzz.scripts import EQUAL, FAILURES, INVALID, WRONG, Script, generate, judge

SEED = int(os.environ.get("T2J_SEED", "5"))
NUMBERS = range(9, 9 + int(os.environ.get("T2J_SCRIPTS", "3")))


@pytest.mark.parametrize("number", NUMBERS)
def test_random_script(number: int) -> None:
    script = generate(number, SEED)
    outcome = judge(script)
    assert outcome.kind not in (*FAILURES, INVALID), f"{outcome}\n{script.source}"


def test_scripts_are_programs_and_stay_the_same() -> None:
    for number in range(200):
        script = generate(number, 1)
        ast.parse(script.source)
        assert script == generate(number, 1) and "$" not in script.source


def test_a_script_is_judged_by_what_it_prints() -> None:
    assert judge(Script("same", "import torch\nprint(torch.ones(2).sum().item())\n")).kind == EQUAL
    assert (
        judge(Script("wrong", "import torch\nprint(torch.ones(2).sum().item(), 'torch' in globals())\n")).kind == WRONG
    )
    assert judge(Script("invalid", "import torch\nprint(torch.ones(2) @ torch.ones(3))\n")).kind == INVALID
