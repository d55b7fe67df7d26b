"""Learning rates that several files of a program know: one makes an optimizer, another its scheduler, a third steps and reads.

Each file says what it does with the learning rates of which optimizers, and asks what the others do. An optimizer of which
another file asks keeps its learning rate in its state, under one name for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from torch2jax.facts.infer import MADE
from torch2jax.program.program import Program
from torch2jax.records import dataclass
from torch2jax.values import Kind

NAME = "learning_rate"  # in the states of optimizers that several files know


@dataclass(slots=True)
class SharedRates:
    """What a file says to others of the learning rates of optimizers: those that it makes schedulers for (`made`: the class of
    each with its optimizers), that it steps, reads or sets (`mentioned`, of which some are `written`), those of other files
    that it has to find in their states (`needed`), and whose states it saves (`saved`) and takes over (`loaded`).
    """

    made: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    mentioned: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()
    grouped: frozenset[str] = frozenset()
    saved: list[frozenset[str]] = field(default_factory=list)
    loaded: list[tuple[Kind, frozenset[str]]] = field(default_factory=list)

    def offered(self) -> object:
        """All of it, to be compared."""
        sets = self.mentioned, self.written, self.needed, self.grouped
        return sets, list(self.made), list(self.saved), list(self.loaded)


class RatesAround(SharedRates):
    """What all the other files of a program say together."""

    def __init__(self, files: Iterable[SharedRates] = ()) -> None:
        files = list(files)
        super().__init__(
            made=[item for file in files for item in file.made],
            mentioned=_joined([file.mentioned for file in files]),
            written=_joined([file.written for file in files]),
            needed=_joined([file.needed for file in files]),
            grouped=_joined([file.grouped for file in files]),
            saved=[item for file in files for item in file.saved],
            loaded=[item for file in files for item in file.loaded],
        )


def _joined(sets: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


def own_optimizers(program: Program, keys: Iterable[str]) -> frozenset[str]:
    """Those of some optimizers that a file makes itself."""
    start = f"{MADE}{program.prefix}"
    return frozenset(key for key in keys if key.startswith(start) or not key.startswith(MADE))


__all__ = ["NAME", "RatesAround", "SharedRates", "own_optimizers"]
