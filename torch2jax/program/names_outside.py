"""Names that the other files of a program hold, without a set of all of them for each file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TypeVar

Key = TypeVar("Key")


class NamesOutside(Set[str]):
    """The names that a file is not the only one to hold; `counts` says how many files of the program hold each. Those `beside`
    come on top.
    """

    def __init__(self, counts: Mapping[str, int], own: Set[str] = frozenset(), beside: Set[str] = frozenset()) -> None:
        self._counts, self._own, self._beside = counts, own, beside

    @classmethod
    def _from_iterable(cls, it: Iterable[str]) -> Set[str]:  # type: ignore[override]
        return frozenset(it)

    def __contains__(self, name: object) -> bool:
        return name in self._beside or self._counts.get(name, 0) > (name in self._own)  # type: ignore[call-overload]

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self._counts if name in self)
        yield from (name for name in self._beside if name not in self._counts)

    def with_names(self, beside: Set[str]) -> NamesOutside:
        """These names, and others."""
        return NamesOutside(self._counts, self._own, self._beside | beside)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def names_outside(names: Mapping[Key, Set[str]]) -> dict[Key, NamesOutside]:
    """For each file, what the others hold."""
    counts = Counter(name for held in names.values() for name in held)
    return {file: NamesOutside(counts, held) for file, held in names.items()}
