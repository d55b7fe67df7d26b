"""Random programs for several processes: a few of those that `python -m tests.parallel.sweep` goes on with."""

from pathlib import Path

from tests.parallel.sweep import compare


def test_equal_or_flagged(tmp_path: Path) -> None:
    found = compare(range(6), tmp_path, world=2)
    assert [told for told in found.values() if not told.startswith(("equal", "flagged"))] == []
    assert list(found.values()).count("equal") >= 4
