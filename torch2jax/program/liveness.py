"""Find the names whose present value may still be read (live variables), and which bindings a read may see (reaching definitions).

Live variables: backward, sets of names ordered by inclusion, join is union, a may-analysis. A name is live before a point that
reads it, and before a point behind which it is live unless that point surely binds it. Names that a nested function captures, or
that are declared ``global`` or ``nonlocal``, are live at every point that can follow, because anybody may read them there.

    x = f()      #: live before: f, g; after: x, g
    y = g(x)     #: live before: x, g; after: y
    return y

Reaching definitions: forward, sets of (name, point) ordered by inclusion, join is union, a may-analysis. A binding reaches a point
if some path between the two does not surely bind the name again. What a nested function rebinds counts as bound by the statement
that defines the function, and reaches everything behind it.

Both are about names: that the list behind a dead name lives on under another one is for alias analysis to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import field
from operator import or_
from typing import TypeVar

import libcst as cst

from torch2jax.program.dataflow import Direction, Solution, solve
from torch2jax.program.flow import Accesses, Flow, Point
from torch2jax.records import dataclass

__all__ = ["Liveness", "ReachingDefinitions", "live_variables", "reaching_definitions"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Liveness:
    """The live names around every point and statement of ``flow``."""

    flow: Flow
    _names: tuple[str, ...] = field(repr=False)
    _solution: Solution[int] = field(repr=False)
    _sets: dict[int, frozenset[str]] = field(default_factory=dict, repr=False)

    def before(self, point: Point) -> frozenset[str]:
        return self._decode(self._solution.before(point))

    def after(self, point: Point) -> frozenset[str]:
        """The names live on some path out of ``point``; for a test that includes those of both branches."""
        return self._decode(self._solution.after(point))

    def before_statement(self, statement: cst.BaseStatement) -> frozenset[str]:
        """The names live before the whole statement; for a line of small statements before the first of them."""
        if isinstance(statement, cst.SimpleStatementLine) and statement.body:
            return self.before(statement.body[0])
        return self.before(statement)

    def after_statement(self, statement: cst.BaseStatement) -> frozenset[str]:
        """The names live where execution continues behind the whole statement; none if it never gets there."""
        if isinstance(statement, cst.SimpleStatementLine) and statement.body:
            return self.after(statement.body[-1])
        live = 0
        for point in self.flow.joins(statement):
            live |= self._solution.before(point)
        return self._decode(live)

    def _decode(self, bits: int) -> frozenset[str]:
        names = self._sets.get(bits)
        if names is None:
            names = self._sets[bits] = frozenset(_members(bits, self._names))
        return names


def live_variables(
    flow: Flow,
    live_at_exit: Set[str] = frozenset(),
    extra: Callable[[Point], Accesses] | None = None,
) -> Liveness:
    """Return the live names of ``flow``.

    ``extra`` adds accesses, of variables that may have any name, to those of a point; all reads of a point come before what
    it binds.
    """
    numbers = _Numbers()
    uses: dict[int, int] = {}
    defs: dict[int, int] = {}
    captures: dict[int, int] = {}
    for point, found in zip(flow.points, flow.accesses_by_index, strict=True):
        key = id(point)
        uses[key] = numbers.bits(found.uses)
        defs[key] = numbers.bits(found.defs)
        if found.captures:
            captures[key] = numbers.bits(found.captures)
        if extra is not None:
            added = extra(point)
            uses[key] |= numbers.bits(added.uses)
            defs[key] |= numbers.bits(added.defs)
            if added.captures:
                captures[key] = captures.get(key, 0) | numbers.bits(added.captures)
    if captures:
        _add_captures(flow, captures, uses)

    def transfer(point: Point, live: int) -> int:
        key = id(point)
        return uses[key] | (live & ~defs[key])

    boundary = numbers.bits(live_at_exit)
    solution = solve(flow, Direction.BACKWARD, transfer=transfer, join=or_, boundary=boundary, bottom=0)
    return Liveness(flow, numbers.names(), solution)


def _add_captures(flow: Flow, captures: Mapping[int, int], uses: dict[int, int]) -> None:
    """Let every point read what functions defined on some path to it have captured."""

    def transfer(point: Point, captured: int) -> int:
        return captured | captures.get(id(point), 0)

    captured = solve(flow, Direction.FORWARD, transfer=transfer, join=or_, boundary=0, bottom=0)
    for point, bits in zip(flow.points, captured.befores, strict=True):
        uses[id(point)] |= bits


@dataclass(frozen=True, slots=True, eq=False)
class ReachingDefinitions:
    """The bindings that may be in force before every point of ``flow``; parameters are bound by ``flow.entry``."""

    flow: Flow
    _bindings: tuple[tuple[str, Point], ...] = field(repr=False)
    _of_name: Mapping[str, int] = field(repr=False)
    _solution: Solution[int] = field(repr=False)

    def before(self, point: Point) -> dict[str, tuple[Point, ...]]:
        """For each name that may be bound before ``point``, the points that may have bound it, in source order."""
        reaching: dict[str, list[Point]] = {}
        for name, source in _members(self._solution.before(point), self._bindings):
            reaching.setdefault(name, []).append(source)
        return {name: tuple(sources) for name, sources in reaching.items()}

    def reaching(self, point: Point, name: str) -> tuple[Point, ...]:
        """The points that may have bound the value that ``name`` has before ``point``, in source order."""
        bits = self._solution.before(point) & self._of_name.get(name, 0)
        return tuple(source for _, source in _members(bits, self._bindings))


def reaching_definitions(flow: Flow) -> ReachingDefinitions:
    """Return the reaching definitions of ``flow``; ``del x`` ends the others of ``x`` and counts as one itself."""
    bindings: list[tuple[str, Point]] = []
    of_name: dict[str, int] = {}
    born: dict[int, int] = {}
    lasting = 0
    for point, found in zip(flow.points, flow.accesses_by_index, strict=True):
        for name in dict.fromkeys((*found.defs, *found.may_defs, *found.rebinds)):
            bit = 1 << len(bindings)
            bindings.append((name, point))
            of_name[name] = of_name.get(name, 0) | bit
            born[id(point)] = born.get(id(point), 0) | bit
            if name in found.rebinds:
                lasting |= bit
    killed = {
        id(point): _union(of_name[name] for name in found.defs) & ~lasting
        for point, found in zip(flow.points, flow.accesses_by_index, strict=True)
        if found.defs
    }

    def transfer(point: Point, reaching: int) -> int:
        key = id(point)
        return born.get(key, 0) | (reaching & ~killed.get(key, 0))

    solution = solve(flow, Direction.FORWARD, transfer=transfer, join=or_, boundary=0, bottom=0)
    return ReachingDefinitions(flow, tuple(bindings), of_name, solution)


class _Numbers:
    """Numbers names in the order in which they turn up."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def bits(self, names: Iterable[str]) -> int:
        result = 0
        numbers = self._numbers
        for name in names:
            result |= 1 << numbers.setdefault(name, len(numbers))
        return result

    def names(self) -> tuple[str, ...]:
        return tuple(self._numbers)


def _union(sets: Iterable[int]) -> int:
    result = 0
    for bits in sets:
        result |= bits
    return result


def _members(bits: int, items: tuple[T, ...]) -> Iterator[T]:
    while bits:
        lowest = bits & -bits
        yield items[lowest.bit_length() - 1]
        bits ^= lowest
