"""Which packages stand on torch: they cannot be imported, or used, without it, and what they take and give are its tensors.

`torch_packages.txt` has their names. A package that it lacks is taken for one that has nothing to do with torch, as NumPy or
tqdm; its imports stay.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent.parent / "torch_packages.txt"


@cache
def _known() -> tuple[frozenset[str], re.Pattern[str]]:
    """The packages, and the pattern of names of others that need torch."""
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    patterns = [line for line in lines if "\\" in line]
    return frozenset(line for line in lines if "\\" not in line), re.compile("|".join(patterns))


def package_on_torch(name: str) -> str | None:
    """The package, or module of one, that stands on torch and that a dotted name is part of."""
    packages, _ = _known()
    parts = name.split(".")
    parents = (".".join(parts[: count + 1]) for count in range(min(len(parts), 3)))
    return next((parent for parent in parents if parent in packages), None)


@cache
def needs_torch(name: str) -> bool:
    """Whether a module, or a name of one, is torch's or cannot be used without torch."""
    return package_on_torch(name) is not None or _known()[1].fullmatch(name) is not None


__all__ = ["needs_torch", "package_on_torch"]
