"""Solve a dataflow problem over a control-flow graph with one worklist.

The client gives the direction, a transfer function per point and a join; values may be of any type with equality (bit sets held in
``int``, frozensets, tuples). A may-analysis joins with union and starts from the empty set; a must-analysis joins with
intersection and starts from the set of everything. The solver needs what every such solver needs: the transfer is monotone and
chains of ever larger values are finite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Generic, TypeVar

from torch2jax.program.flow import Flow, Point
from torch2jax.records import dataclass

__all__ = ["Direction", "Solution", "solve"]

V = TypeVar("V")


class Direction(Enum):
    FORWARD = "forward"
    BACKWARD = "backward"


@dataclass(frozen=True, slots=True, eq=False)
class Solution(Generic[V]):
    """The fixpoint; ``befores`` and ``afters`` run parallel to ``flow.points``."""

    flow: Flow
    befores: Sequence[V]
    afters: Sequence[V]

    def before(self, point: Point) -> V:
        """The value just before ``point`` is executed, whatever the direction of the analysis."""
        return self.befores[self.flow.index(point)]

    def after(self, point: Point) -> V:
        return self.afters[self.flow.index(point)]


def solve(
    flow: Flow,
    direction: Direction,
    *,
    transfer: Callable[[Point, V], V],
    join: Callable[[V, V], V],
    boundary: V,
    bottom: V,
) -> Solution[V]:
    """Return the least fixpoint above ``bottom``, the neutral element of ``join``.

    ``boundary`` flows into the entry (forward) or, from behind, into the exit (backward). ``transfer(point, value)`` gets the
    value on the side where the analysis arrives and returns that of the other side; it also runs for entry and exit. That a
    point inside of `try` may fail before it has any effect is taken care of here, not by ``transfer``.
    """
    forward = direction is Direction.FORWARD
    sources, targets = flow.predecessor_indices, flow.successor_indices
    if not forward:
        sources, targets = targets, sources
    points = flow.points
    count = len(points)
    # Source order is nearly topological, so sweeping over the points that are still waiting needs few rounds.
    order = range(count) if forward else range(count - 1, -1, -1)
    start = order[0]
    arriving = [bottom] * count
    leaving = [bottom] * count
    waiting = bytearray(b"\1") * count
    while 1 in waiting:
        for index in order:
            if not waiting[index]:
                continue
            waiting[index] = 0
            value = boundary if index == start else bottom
            for source in sources[index]:
                value = join(value, leaving[source])
            arriving[index] = value
            result = transfer(points[index], value)
            if not forward:
                # Forward there is nothing to do: the handler also succeeds whatever comes before the point that fails.
                for target in flow.failure_indices[index]:
                    result = join(result, leaving[target])
            if result != leaving[index]:
                leaving[index] = result
                for target in targets[index]:
                    waiting[target] = 1
    return Solution(flow, arriving, leaving) if forward else Solution(flow, leaving, arriving)
