"""Random programs for several processes: a few of those that `python -m tests.parallel.sweep` goes on with."""

from pathlib import Path

import pytest

from tests.parallel.sweep import compare
from torch2jax.options import Options, Target


@pytest.mark.parametrize(("target", "count"), [("equinox", 6), ("nnx", 3)])
def test_equal_or_flagged(target: Target, count: int, tmp_path: Path) -> None:
    found = compare(range(count), tmp_path, world=2, options=Options(target=target))
    assert [told for told in found.values() if not told.startswith(("equal", "flagged"))] == []
    assert list(found.values()).count("equal") >= count - 2
