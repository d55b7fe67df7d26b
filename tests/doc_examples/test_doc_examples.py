"""A few of the examples of torch's documentation, drawn with a seed: none may be silently wrong or crash.

`python -m tests.doc_examples` judges all of them.
"""

import os
import random

import pytest

from tests.doc_examples.collect import documented, program
from tests.doc_examples.judge import Status, judge

SEED = int(os.environ.get("T2J_SEED", "0"))
COUNT = int(os.environ.get("T2J_EXAMPLES", "8"))

# What is known to go wrong; what has been mended leaves the list.
KNOWN = {
    "torch.nn.utils.spectral_norm": "`weight_u` of a layer",
    "torch.nn.utils.weight_norm": "`weight_g` of a layer",
}
FIRST = ("torch.Tensor.view", "torch.no_grad", "torch.promote_types", "torch.linalg.qr", "torch.nn.Linear")
EXAMPLES = dict(documented())
DRAWN = random.Random(SEED).sample(sorted(set(EXAMPLES) - set(KNOWN)), COUNT)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*FIRST, *DRAWN])
def test_example_is_equal_or_flagged(name: str) -> None:
    verdict = judge(name, EXAMPLES[name])
    assert verdict.status not in (Status.WRONG, Status.CRASHED), f"{verdict.reason}\n{verdict.text}"


def test_a_difference_would_be_found() -> None:
    text = ">>> x = torch.tensor([3.0, 1.0, 2.0])\n>>> torch.logical_not(x)\n"
    assert judge("torch.logical_not", text).status is Status.EQUAL
    wrong = ">>> x = torch.tensor([3.0, 1.0, 2.0])\n>>> 1 if 'jax' in type(x).__module__ else 2\n"
    assert judge("torch.tensor", wrong).status in (Status.WRONG, Status.FLAGGED)


def test_known_failures_are_examples() -> None:
    assert set(KNOWN) <= set(EXAMPLES)


def test_draws_become_numbers(tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = program("torch.sum", ">>> a = torch.randn(1, 3)\n>>> torch.sum(a)\ntensor(0.1133)\n", str(tmp_path)).text
    assert "randn" not in text and text.count("print(torch.sum(a))") == 1
