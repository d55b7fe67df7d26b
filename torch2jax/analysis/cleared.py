"""When the gradients that torch keeps with the parameters are cleared: `backward()` adds to them, `zero_grad()` clears them,
`optimizer.step()` uses them. A translated backward pass begins with none and leaves none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

import libcst as cst

from torch2jax.analysis.infer import Values
from torch2jax.analysis.program import Function, Program
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


class Event(StrEnum):
    """What a call does to the gradients of parameters."""

    CLEAR = "zero_grad"
    ADD = "backward"
    USE = "step"


class Gradients:
    """The order of such events around a statement, through loops, callers and what is called."""

    def __init__(self, program: Program, values: Values) -> None:
        self.program, self.values = program, values

    def are_used_behind(self, line: cst.CSTNode, function: Function | None) -> bool:
        """Whether an optimizer may step with what a statement has left, before it is cleared."""
        return self._is_next(line, function, Event.USE, (Event.CLEAR, Event.USE), 1, frozenset({function}))

    def are_left_before(self, line: cst.CSTNode, function: Function | None) -> bool:
        """Whether a backward pass before a statement, or the same one before, may have left gradients there."""
        return self._is_next(line, function, Event.ADD, (Event.CLEAR, Event.ADD), -1, frozenset({function}))

    def _is_next(
        self,
        line: cst.CSTNode,
        function: Function | None,
        wanted: Event,
        events: Sequence[Event],
        direction: int,
        seen: frozenset[Function | None],
    ) -> bool:
        """Whether the event is the first of `events` on the way on from a statement, or (direction -1) back from it."""
        index = self.program.index
        node = line
        end = function.node if function is not None else index.module
        while node is not end:
            parent = index.parents[node]
            if isinstance(parent, (cst.IndentedBlock, cst.Module)):
                body = list(parent.body)
                at = body.index(node)  # type: ignore[arg-type]
                before, behind = body[:at], body[at + 1 :]
                around: list[cst.CSTNode] = [*behind] if direction > 0 else [*reversed(before)]
                if isinstance(index.parents.get(parent), (cst.For, cst.While)):  # the next round, or the one before
                    around += [*before, node] if direction > 0 else [*reversed(behind), node]
                for statement in around:
                    event = self._first(statement, events, direction, frozenset())
                    if event is not None:
                        return event is wanted
            node = parent
        for call in function.callers if function is not None else ():
            if call in index.parents:
                around_call = self.program.function_around(call)
                statement = index.statement_of(call)
                if around_call not in seen and self._is_next(
                    statement, around_call, wanted, events, direction, seen | {around_call}
                ):
                    return True
        return False

    def _first(
        self, statement: cst.CSTNode, events: Sequence[Event], direction: int, seen: frozenset[Function]
    ) -> Event | None:
        """The first (or last) of some events in a statement and in what it calls."""
        nodes = [node for node in descendants(statement) if isinstance(node, (cst.Call, cst.Assign))]
        for node in nodes if direction > 0 else reversed(nodes):
            for event in self._events(node):
                if event in events:
                    return event
            for callee in self.values.callees.get(node, ()) if isinstance(node, cst.Call) else ():
                if callee not in seen:
                    event = self._first(callee.node.body, events, direction, seen | {callee})  # type: ignore[assignment]
                    if event is not None:
                        return event
        return None

    def _events(self, node: cst.Call | cst.Assign) -> Iterator[Event]:
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(attr=cst.Name("grad")))]):
                yield Event.CLEAR  # `p.grad = None`
            case cst.Call(func=cst.Attribute(value=cst.Attribute() as gradient, attr=cst.Name("zero_"))):
                if "grad" in (gradient.attr.value, getattr(getattr(gradient.value, "attr", None), "value", "")):
                    yield Event.CLEAR  # `p.grad.zero_()`, `p.grad.data.zero_()`
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name))):
                kind = self.values(owner).kind
                if name == "zero_grad":
                    yield Event.CLEAR
                elif name == "backward" and kind in (Kind.TENSOR, Kind.UNKNOWN):
                    yield Event.ADD
                elif name == "step" and kind in (Kind.OPTIMIZER, Kind.UNKNOWN):
                    yield Event.USE


__all__ = ["Event", "Gradients"]
