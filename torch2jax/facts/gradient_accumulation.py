"""When the gradients that torch keeps with the parameters are cleared: `backward()` adds to them, `zero_grad()` clears them,
`optimizer.step()` uses them. A translated backward pass begins with none and leaves none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.dataflow import Direction, Solution, solve
from torch2jax.program.flow import Flow, Point, evaluated_at
from torch2jax.program.program import Function, Program
from torch2jax.syntax.walk import children
from torch2jax.values import Kind


class Event(StrEnum):
    """What a call does to the gradients of parameters."""

    CLEAR = "zero_grad"
    ADD = "backward"
    USE = "step"
    ADD_ELSEWHERE = "backward of another step"


class Gradients:
    """The order of such events around a statement, through loops, callers and what is called."""

    def __init__(self, program: Program, values: Values) -> None:
        self.program, self.values = program, values
        self._acts: dict[Function, bool] = {}

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
        nodes = _calls_and_assignments(statement)
        for node in nodes if direction > 0 else reversed(nodes):
            for event in self._events(node):
                if event in events:
                    return event
            for callee in self.values.callees.get(node, ()) if isinstance(node, cst.Call) else ():
                if callee not in seen and self.acts(callee):
                    event = self._first(callee.node.body, events, direction, seen | {callee})  # type: ignore[assignment]
                    if event is not None:
                        return event
        return None

    def acts(self, function: Function) -> bool:
        """Whether there is an event in a function, or in what it calls."""
        if function not in self._acts:
            self._find_acting(function)
        return self._acts[function]

    def _find_acting(self, first: Function) -> None:
        """Settle this for a function and all that it calls, each of which is looked at once."""
        callers: dict[Function, list[Function]] = {first: []}
        acting, waiting = list[Function](), [first]
        while waiting:
            function = waiting.pop()
            nodes = _calls_and_assignments(function.node.body)
            if any(True for node in nodes for _ in self._events(node)):
                acting.append(function)
            calls = [node for node in nodes if isinstance(node, cst.Call)]
            for callee in [item for call in calls for item in self.values.callees.get(call, ())]:
                if self._acts.get(callee):
                    acting.append(function)
                elif callee not in self._acts and callee not in callers:
                    callers[callee] = []
                    waiting.append(callee)
                if callee in callers:
                    callers[callee].append(function)
        self._acts.update(dict.fromkeys(callers, False))
        while acting:
            function = acting.pop()
            if not self._acts[function]:
                self._acts[function] = True
                acting += callers[function]

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


@lru_cache(maxsize=2048)
def _calls_and_assignments(statement: cst.CSTNode) -> tuple[cst.Call | cst.Assign, ...]:
    """Those of a statement that run with it: those of functions that it defines run where they are called."""
    found: list[cst.Call | cst.Assign] = []
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if (kind is cst.Call or kind is cst.Assign) and node is not statement:
            found.append(node)  # type: ignore[arg-type]
        if kind is not cst.FunctionDef:
            waiting += reversed(children(node))
    return tuple(found)


EMPTY, FILLED, MIXED, OF_CALLER = 1, 2, 4, 8
_ROUNDS = 20


class GradientFlow:
    """Whether the gradients of one optimizer may be empty or filled at a statement: forward over the flow of every function, and
    over the calls among them. `events` says what a call does by itself. `is_whole`: functions that nobody calls begin without
    gradients.
    """

    def __init__(
        self,
        program: Program,
        values: Values,
        flow_of: Callable[[Function | None], Flow],
        events: Mapping[cst.Call, Event],
        is_whole: bool = False,
    ) -> None:
        self.program, self.values, self.flow_of, self.events = program, values, flow_of, events
        self.is_whole = is_whole
        self.functions: list[Function | None] = [None, *program.functions.values()]
        self._acting = self._find_acting()
        self._entry = {item: 0 if item is not None and item.callers else EMPTY for item in self.functions}
        self._exit = dict.fromkeys(self.functions, 0)
        self._solutions: dict[Function | None, Solution[int]] = {}
        self._between = 0
        self._settle()
        unseen = [item for item in self.functions if item in self._acting and not self._entry[item]] if is_whole else []
        if unseen:  # nobody in sight calls them by their names
            self._entry |= dict.fromkeys(unseen, EMPTY)
            self._settle()

    def before(self, line: cst.CSTNode, function: Function | None) -> int:
        """What the gradients may be before a statement: `EMPTY`, `FILLED`, both (the sum), or neither where nothing gets there;
        `MIXED` where there may be gradients of passes that keep theirs apart.
        """
        return self._solutions[function].before(_point(line)) if function in self._solutions else EMPTY | FILLED

    def feels_entry(self, function: Function | None, lines: Sequence[cst.CSTNode]) -> bool:
        """Whether what the gradients are when a function is called may still be there, or be added to, before some of its lines."""
        if function not in self._solutions:
            return True
        solution = self._solved(function, self._entry[function] | OF_CALLER)
        return any(solution.before(_point(line)) & OF_CALLER for line in lines)

    def entry(self, function: Function | None) -> int:
        """What the gradients may be when a function is called."""
        return self._entry[function]

    def _find_acting(self) -> set[Function | None]:
        """The functions that do something to the gradients, by themselves or by what they call."""
        found = {self.program.function_running(call) for call in self.events}
        while True:
            more = {
                self.program.function_running(call)
                for call in self.program.index.calls
                if any(callee in found for callee in self.values.callees.get(call, ()))
            }
            if more <= found:
                return found
            found |= more

    def _settle(self) -> None:
        for _ in range(_ROUNDS):
            before = dict(self._entry), dict(self._exit)
            for function in self.functions:
                if function in self._acting:
                    self._run(function)
            if (self._entry, self._exit) == before:
                return

    def _solved(self, function: Function | None, boundary: int) -> Solution[int]:
        return solve(
            self.flow_of(function),
            Direction.FORWARD,
            transfer=self._transfer,
            join=lambda one, other: one | other,
            boundary=boundary,
            bottom=0,
        )

    def _run(self, function: Function | None) -> None:
        solution = self._solved(function, self._entry[function])
        self._solutions[function] = solution
        self._exit[function] |= solution.before(self.flow_of(function).exit)
        if function is None or not function.callers:  # functions that are called from elsewhere may be in any order
            self._between |= self._exit[function]
            if function is not None and not self.is_whole:
                self._entry[function] |= self._between

    def _transfer(self, point: Point, state: int) -> int:
        for call in _calls_at(point) if state else ():
            event = self.events.get(call)
            if event is Event.CLEAR:
                state = EMPTY
            elif event is Event.ADD:
                state = FILLED | state & (MIXED | OF_CALLER)
            elif event is Event.ADD_ELSEWHERE:
                state = FILLED | MIXED | state & OF_CALLER
            for callee in self.values.callees.get(call, ()):
                if callee in self._acting:
                    self._entry[callee] |= state & ~OF_CALLER
                    state = (self._exit[callee] or state) | state & OF_CALLER
        return state


def _point(line: cst.CSTNode) -> cst.CSTNode:
    """Where a statement stands in the flow of its function."""
    return line.body[0] if isinstance(line, cst.SimpleStatementLine) else line


def _calls_at(point: Point) -> Iterator[cst.Call]:
    """The calls that happen at a point of a flow, inner ones first."""
    for node in evaluated_at(point):
        yield from _calls_below(node)


def _calls_below(node: cst.CSTNode) -> Iterator[cst.Call]:
    if isinstance(node, cst.Lambda):
        return
    for child in children(node):
        yield from _calls_below(child)
    if isinstance(node, cst.Call):
        yield node


__all__ = ["EMPTY", "FILLED", "MIXED", "Event", "GradientFlow", "Gradients"]
