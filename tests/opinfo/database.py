"""Which operators of torch's database are judged, and what the data files beside this one say about them."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
_EMPTY = re.compile(r"\b0[,)]")
_REFLECTED = re.compile(r"__(r\w+|getitem)__$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the database: an operator and the name of its variant, often empty."""

    name: str
    variant: str


@cache
def entries() -> tuple[Entry, ...]:
    """All of them, in the order of the database."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    return tuple(Entry(op.name, op.variant_test_name) for op in op_db)


def is_public(name: str) -> bool:
    """Programs of users call it."""
    if _REFLECTED.match(name):
        return True
    return not name.startswith(("_", "torch.", "jiterator")) and name not in _tables()["not_public"]


def no_counterpart() -> dict[str, str]:
    """Operator -> why JAX has nothing that does the same."""
    return dict(_tables()["no_counterpart"])


@dataclass(frozen=True, slots=True)
class Limit:
    """Crashes that are accepted: with which inputs (`scalar`, `scalars`, `empty`), which error, and of which operators."""

    inputs: str
    error: str
    operators: frozenset[str]
    reason: str

    def covers(self, operator: str, outcome: dict[str, Any]) -> bool:
        """Whether this outcome is excused; nothing but a crash ever is."""
        if outcome["status"] != "crashed" or operator not in self.operators:
            return False
        shapes = [shape.rpartition(" ")[0] for shape in outcome["shapes"]]
        fits = {
            "scalar": shapes[:1] == ["()"],
            "scalars": "()" in shapes,
            "empty": any(map(_EMPTY.search, shapes)),
        }[self.inputs]
        return fits and re.search(self.error, outcome["detail"]) is not None


@cache
def limits() -> tuple[Limit, ...]:
    """The limits that are accepted, as `limits.yaml` has them."""
    rows = yaml.safe_load((HERE / "limits.yaml").read_text()) or []
    return tuple(Limit(row["inputs"], row["error"], frozenset(row["operators"]), row["reason"]) for row in rows)


def known_failures() -> dict[str, str]:
    """Operator -> why it fails; empty when all is well."""
    return dict(yaml.safe_load((HERE / "known_failures.yaml").read_text()) or {})


def write_known_failures(reasons: dict[str, str]) -> None:
    """Replace the file; its comment stays."""
    path = HERE / "known_failures.yaml"
    comment = [line for line in path.read_text().splitlines() if line.startswith("#")]
    path.write_text("\n".join([*comment, yaml.safe_dump(reasons, width=10_000, allow_unicode=True)]))


def chosen(pattern: str, share: float, seed: int) -> Sequence[Entry]:
    """Public entries whose operator matches, and of their operators a share, drawn with the seed."""
    found = [entry for entry in entries() if is_public(entry.name) and re.fullmatch(pattern, entry.name)]
    names = sorted({entry.name for entry in found})
    if share < 1:
        count = max(1, round(len(names) * share))
        names = random.Random(seed).sample(names, count)
    kept = set(names)
    return [entry for entry in found if entry.name in kept]


@cache
def _tables() -> dict[str, dict[str, str]]:
    return yaml.safe_load((HERE / "no_counterpart.yaml").read_text())
