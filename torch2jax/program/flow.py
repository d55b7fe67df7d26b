"""Build the control-flow graph of a function, module or lambda body, with the names that each of its points reads and binds.

A *point* is a node of the syntax tree that stands for one step of the execution:

======================  ====================================================================================
point                   what happens there
======================  ====================================================================================
small statement         the statement
``If``, ``While``       the test
``For``                 the iterable is evaluated (once); the names that live after it include the loop's
``For.target``          the next item is assigned to the target; skipped when the iterable is exhausted
``With``                all items are entered, in order
``Try``                 nothing; the state that a failure of the first statement leaves behind
``ExceptHandler``       the exception is compared with the handler's type
``ExceptHandler.name``  the exception is bound
``Match``               the subject is evaluated
``MatchCase.pattern``   the pattern is tried
``MatchCase``           the pattern's names are bound, then the guard is evaluated
``FunctionDef``         decorators and defaults are evaluated, the name is bound; the body is not run
``ClassDef``            decorators, bases and the body are evaluated, the name is bound
``Lambda``              the body of the lambda, in the flow of that lambda
``Boundary``            the entry, which binds the parameters, and the exit
======================  ====================================================================================

Exceptions are conservative inside ``try``: control may leave every point of the body, and leave it before the point has had any
effect. Outside of every ``try`` only ``raise`` leads to the exit. ``finally`` is one shared copy that continues wherever some path
through it continues. An ``except E as e`` does not unbind ``e`` when the handler ends.

A tree in which one node object occurs twice cannot be analysed; parsed trees never are like that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

import libcst as cst

from torch2jax.ops.python import CONSUMERS
from torch2jax.records import dataclass

__all__ = [
    "Accesses",
    "Boundary",
    "Flow",
    "Point",
    "accesses",
    "build_flow",
    "flow_of",
    "free_variables",
    "may_suppress_by_name",
]


class Accesses(NamedTuple):
    """The names that one point reads and binds, each once, in evaluation order.

    ``uses`` are read before the point itself has bound them. ``defs`` are bound (or deleted) whenever the point completes;
    ``may_defs`` only on some paths through it, as ``y`` in ``x and (y := f())``. ``captures`` may be read at any time after the
    point, by a function that it creates, and ``rebinds`` (a part of ``captures``) may also be bound then.
    """

    uses: tuple[str, ...] = ()
    defs: tuple[str, ...] = ()
    may_defs: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()
    rebinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """The entry or the exit of a flow."""

    kind: Literal["entry", "exit"]
    accesses: Accesses


Point: TypeAlias = cst.CSTNode | Boundary


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """A control-flow graph; ``points`` are in source order, the entry first and the exit last.

    The graph is over positions in ``points`` for the sake of solvers (``successor_indices``); everybody else asks with points.
    ``failure_indices`` are those successors that the point may also reach without having had any effect.
    """

    points: tuple[Point, ...]
    successor_indices: tuple[tuple[int, ...], ...]
    predecessor_indices: tuple[tuple[int, ...], ...]
    failure_indices: tuple[tuple[int, ...], ...]
    accesses_by_index: tuple[Accesses, ...]
    global_names: frozenset[str]
    nonlocal_names: frozenset[str]
    _indices: Mapping[int, int] = field(repr=False)
    _joins: Mapping[int, tuple[int, ...]] = field(repr=False)

    @property
    def entry(self) -> Point:
        return self.points[0]

    @property
    def exit(self) -> Point:
        return self.points[-1]

    def __iter__(self) -> Iterator[cst.CSTNode]:
        """The points between entry and exit, in source order."""
        return (point for point in self.points if isinstance(point, cst.CSTNode))

    def may_be_unbound(self, name: str, point: Point, bound: str | None = None) -> bool:
        """Whether some path to a point binds a name nowhere that other points bind, though it binds the name `bound`, if one is
        given, which the point reads.
        """
        if not any(name in (*found.defs, *found.may_defs) for found in self.accesses_by_index):
            return False  # a name from outside
        is_local = bound is not None and any(bound in found.defs for found in self.accesses_by_index)
        wanted, waiting = self.index(point), [(0, not is_local)]
        seen = set(waiting)
        while waiting:
            index, is_bound = waiting.pop()
            if index == wanted and is_bound:
                return True
            found = self.accesses_by_index[index]
            after = is_bound or bound in found.defs or bound in found.may_defs
            following = [(item, is_bound) for item in self.failure_indices[index]]
            if name not in found.defs:
                following += [(item, after) for item in self.successor_indices[index]]
            new = [item for item in following if item not in seen]
            seen.update(new)
            waiting += new
        return False

    def __contains__(self, node: object) -> bool:
        return id(node) in self._indices

    def index(self, point: Point) -> int:
        """The position of ``point`` in ``points``; KeyError when it is no point of this flow."""
        try:
            return self._indices[id(point)]
        except KeyError:
            raise KeyError(f"{type(point).__name__} is not a point of this flow") from None

    def successors(self, point: Point) -> tuple[Point, ...]:
        return tuple(self.points[i] for i in self.successor_indices[self.index(point)])

    def predecessors(self, point: Point) -> tuple[Point, ...]:
        return tuple(self.points[i] for i in self.predecessor_indices[self.index(point)])

    def behind(self, point: Point) -> frozenset[Point]:
        """The points that may run behind one: itself among them, in a loop."""
        found, waiting = set[int](), [self.index(point)]
        while waiting:
            new = [item for item in self.successor_indices[waiting.pop()] if item not in found]
            found.update(new)
            waiting += new
        return frozenset(self.points[item] for item in found)

    def accesses(self, point: Point) -> Accesses:
        """What ``accesses(point)`` gives, computed once."""
        return self.accesses_by_index[self.index(point)]

    def joins(self, statement: cst.BaseStatement) -> tuple[Point, ...]:
        """The points at which execution continues once ``statement`` has run to its end.

        Empty when it never does (``while True`` without ``break``). Several when that differs from run to run, as at the end of
        the body of a ``for``: the next item, or the statement behind the loop.
        """
        return tuple(self.points[i] for i in self._joins.get(id(statement), ()))


def may_suppress_by_name(statement: cst.With) -> bool:
    """Whether an item of ``with`` has the name of a context manager that is known to swallow exceptions."""
    for item in statement.items:
        manager = item.item.func if isinstance(item.item, cst.Call) else item.item
        name = manager.attr if isinstance(manager, cst.Attribute) else manager
        if isinstance(name, cst.Name) and name.value in _SUPPRESSING:
            return True
    return False


_SUPPRESSING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex", "ExitStack", "AsyncExitStack"})


def build_flow(
    body: Sequence[cst.BaseStatement | cst.BaseSmallStatement] | cst.Lambda,
    parameters: cst.Parameters | None = None,
    may_suppress: Callable[[cst.With], bool] = may_suppress_by_name,
) -> Flow:
    """Return the flow of a function's, class's or module's body, or of a lambda.

    ``parameters`` are bound at the entry (a lambda brings its own). ``may_suppress`` says of which ``with`` statements the
    exceptions of the body may end there, so that execution continues behind them.
    """
    if isinstance(body, cst.Lambda):
        return _Builder(body.params, may_suppress).build([body])
    return _Builder(parameters, may_suppress).build(body)


def flow_of(
    node: cst.FunctionDef | cst.ClassDef | cst.Module | cst.Lambda,
    may_suppress: Callable[[cst.With], bool] = may_suppress_by_name,
) -> Flow:
    """Return the flow of the body of ``node``."""
    match node:
        case cst.Lambda():
            return build_flow(node, may_suppress=may_suppress)
        case cst.Module():
            return build_flow(node.body, may_suppress=may_suppress)
        case cst.FunctionDef():
            return build_flow(node.body.body, node.params, may_suppress)
        case cst.ClassDef():
            return build_flow(node.body.body, may_suppress=may_suppress)


# --- the graph


class _Ends:
    """Points whose continuation is not known yet, and the statements that end with it; ``failed`` get there by an exception."""

    __slots__ = ("failed", "points", "statements")

    def __init__(self, points: Iterable[int] = (), statements: Iterable[int] = (), failed: Iterable[int] = ()) -> None:
        self.points = list(points)
        self.statements = list(statements)
        self.failed = list(failed)

    def __add__(self, other: _Ends) -> _Ends:
        return _Ends(self.points + other.points, self.statements + other.statements, self.failed + other.failed)

    def extend(self, other: _Ends) -> None:
        self.points += other.points
        self.statements += other.statements
        self.failed += other.failed

    def behind(self, *statements: int) -> _Ends:
        """The same ends, at which ``statements`` end as well; they don't if nothing arrives here."""
        return _Ends(self.points, [*self.statements, *statements], self.failed) if self.points else self


class _Builder:
    """Adds points in source order; every method takes the loose ends before a construct and returns those behind it."""

    def __init__(self, parameters: cst.Parameters | None, may_suppress: Callable[[cst.With], bool]) -> None:
        self.parameters = parameters
        self.may_suppress = may_suppress
        self.points: list[Point] = []
        self.edges: list[list[int]] = []
        self.failures: list[list[int]] = []
        self.joins: dict[int, list[int]] = {}
        self.global_names: dict[str, None] = {}
        self.nonlocal_names: dict[str, None] = {}
        # Where the jumps of the construct being built gather; `raises` takes implicit ones only while `guarded`.
        self.breaks = _Ends()
        self.continues = _Ends()
        self.returns = _Ends()
        self.raises = _Ends()
        self.guarded = False

    def build(self, body: Sequence[cst.CSTNode]) -> Flow:
        entry = self.point(Boundary("entry", Accesses()), _Ends())
        ends = self.block(body, _Ends([entry]))
        for jumps in (self.breaks, self.continues, self.returns, self.raises):
            ends.extend(jumps)
        self.point(Boundary("exit", Accesses()), ends)
        # A variable of an outer scope may be read by whatever is called in between, so it counts as captured from the start.
        outer = (*self.global_names, *self.nonlocal_names)
        self.points[0] = Boundary("entry", Accesses((), _parameter_names(self.parameters), (), outer, outer))
        return self.freeze()

    def freeze(self) -> Flow:
        successors = tuple(tuple(dict.fromkeys(targets)) for targets in self.edges)
        predecessors: list[list[int]] = [[] for _ in successors]
        for index, targets in enumerate(successors):
            for target in targets:
                predecessors[target].append(index)
        return Flow(
            points=tuple(self.points),
            successor_indices=successors,
            predecessor_indices=tuple(tuple(sources) for sources in predecessors),
            failure_indices=tuple(tuple(dict.fromkeys(targets)) for targets in self.failures),
            accesses_by_index=tuple(accesses(point) for point in self.points),
            global_names=frozenset(self.global_names),
            nonlocal_names=frozenset(self.nonlocal_names),
            _indices={id(point): index for index, point in enumerate(self.points)},
            _joins={statement: tuple(dict.fromkeys(targets)) for statement, targets in self.joins.items()},
        )

    def point(self, node: Point, ends: _Ends) -> int:
        index = len(self.points)
        self.points.append(node)
        self.edges.append([])
        self.failures.append([])
        self.connect(ends, index)
        if self.guarded:
            self.raises.failed.append(index)
        return index

    def connect(self, ends: _Ends, index: int) -> None:
        for source in ends.points:
            self.edges[source].append(index)
        for source in ends.failed:
            self.edges[source].append(index)
            self.failures[source].append(index)
        for statement in ends.statements:
            self.joins.setdefault(statement, []).append(index)
        if self.guarded:
            # The point may fail before it has any effect: then the state is the one that its predecessors left.
            self.raises.points += ends.points
            self.raises.failed += ends.failed

    def block(self, body: Sequence[cst.CSTNode], ends: _Ends) -> _Ends:
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                ends = self.block(node.body, ends)
            elif (compound := _COMPOUND.get(type(node))) is not None:
                ends = compound(self, node, ends)
            else:
                ends = self.simple(node, ends)
                continue
            ends = ends.behind(id(node))
        return ends

    def suite(self, owner: Any, ends: _Ends) -> _Ends:
        return self.block(owner.body.body, ends)

    def simple(self, node: cst.CSTNode, ends: _Ends) -> _Ends:
        index = self.point(node, ends)
        match node:
            case cst.Return():
                self.returns.points.append(index)
            case cst.Raise():
                self.raises.points.append(index)
            case cst.Break():
                self.breaks.points.append(index)
            case cst.Continue():
                self.continues.points.append(index)
            case cst.Global():
                self.global_names.update((item.name.value, None) for item in node.names)
                return _Ends([index])
            case cst.Nonlocal():
                self.nonlocal_names.update((item.name.value, None) for item in node.names)
                return _Ends([index])
            case _:
                return _Ends([index])
        return _Ends()

    def definition(self, node: cst.CSTNode, ends: _Ends) -> _Ends:
        return _Ends([self.point(node, ends)])

    def branch(self, node: cst.If, ends: _Ends) -> _Ends:
        # A loop, because a chain of `elif` can be longer than the stack is deep.
        after = _Ends()
        chain: list[int] = []
        while True:
            test = self.point(node, ends)
            after.extend(self.suite(node, _Ends([test])))
            if not isinstance(node.orelse, cst.If):
                break
            node = node.orelse
            chain.append(id(node))
            ends = _Ends([test])
        after.extend(_Ends([test]) if node.orelse is None else self.suite(node.orelse, _Ends([test])))
        return after.behind(*chain)

    def while_loop(self, node: cst.While, ends: _Ends) -> _Ends:
        test = self.point(node, ends)
        back, breaks = self.loop_body(node, test)
        self.connect(back, test)
        exhausted = _Ends() if _is_always_true(node.test) else _Ends([test])
        return self.loop_else(node, exhausted) + breaks

    def for_loop(self, node: cst.For, ends: _Ends) -> _Ends:
        iterable = self.point(node, ends)
        target = self.point(node.target, _Ends([iterable]))
        back, breaks = self.loop_body(node, target)
        self.connect(back, target)
        return self.loop_else(node, back + _Ends([iterable])) + breaks

    def loop_body(self, node: cst.For | cst.While, head: int) -> tuple[_Ends, _Ends]:
        """The ends that go round, and those of ``break``."""
        outer = self.breaks, self.continues
        self.breaks, self.continues = _Ends(), _Ends()
        back = self.suite(node, _Ends([head]))
        back.extend(self.continues)
        breaks = self.breaks
        self.breaks, self.continues = outer
        return back, breaks

    def loop_else(self, node: cst.For | cst.While, ends: _Ends) -> _Ends:
        return ends if node.orelse is None else self.suite(node.orelse, ends)

    def with_block(self, node: cst.With, ends: _Ends) -> _Ends:
        items = self.point(node, ends)
        if not self.may_suppress(node):
            return self.suite(node, _Ends([items]))
        ends, suppressed = self.guard(node, _Ends([items]))
        self.raises.extend(suppressed)
        return ends + suppressed

    def guard(self, owner: Any, ends: _Ends) -> tuple[_Ends, _Ends]:
        """Build the body of ``owner``; return its ends and the points at which an exception may leave it."""
        outer = self.raises, self.guarded
        self.raises, self.guarded = _Ends(), True
        ends = self.suite(owner, ends)
        raised = self.raises
        self.raises, self.guarded = outer
        return ends, _Ends(dict.fromkeys(raised.points), (), dict.fromkeys(raised.failed))

    def try_block(self, node: cst.Try | cst.TryStar, ends: _Ends) -> _Ends:
        head = self.point(node, ends)
        if node.finalbody is None:
            return self.try_handlers(node, head)
        outer = self.breaks, self.continues, self.returns, self.raises, self.guarded
        self.breaks, self.continues, self.returns, self.raises = jumps = _Ends(), _Ends(), _Ends(), _Ends()
        self.guarded = True
        ends = self.try_handlers(node, head)
        self.breaks, self.continues, self.returns, self.raises, self.guarded = outer
        falls_through = bool(ends.points)
        for jump in jumps:
            ends = ends + jump
        ends = self.suite(node.finalbody, ends)
        for collector, jump in zip(outer[:4], jumps, strict=True):
            if jump.points:
                collector.extend(ends)
        return ends if falls_through else _Ends()

    def try_handlers(self, node: cst.Try | cst.TryStar, head: int) -> _Ends:
        ends, raised = self.guard(node, _Ends([head]))
        if node.orelse is not None:
            ends = self.suite(node.orelse, ends)
        for handler in node.handlers:
            test = self.point(handler, raised)
            handled = _Ends([test])
            if handler.name is not None:
                handled = _Ends([self.point(handler.name, handled)])
            handled = self.suite(handler, handled)
            ends = ends + handled
            raised = _Ends() if _catches_everything(handler) else _Ends([test])
            if isinstance(node, cst.TryStar):  # the rest of the group goes on to the next handler
                raised = raised + handled
        self.raises.extend(_Ends(raised.points, (), raised.failed))
        return ends

    def match_block(self, node: cst.Match, ends: _Ends) -> _Ends:
        after = _Ends()
        unmatched = _Ends([self.point(node, ends)])
        for case in node.cases:
            pattern = self.point(case.pattern, unmatched)
            bound = self.point(case, _Ends([pattern]))
            after.extend(self.suite(case, _Ends([bound])))
            unmatched = _Ends([] if _is_irrefutable(case.pattern) else [pattern])
            if case.guard is not None:
                unmatched.points.append(bound)
        return after + unmatched


_COMPOUND: Mapping[type, Callable[[_Builder, Any, _Ends], _Ends]] = {
    cst.If: _Builder.branch,
    cst.While: _Builder.while_loop,
    cst.For: _Builder.for_loop,
    cst.With: _Builder.with_block,
    cst.Try: _Builder.try_block,
    cst.TryStar: _Builder.try_block,
    cst.Match: _Builder.match_block,
    cst.FunctionDef: _Builder.definition,
    cst.ClassDef: _Builder.definition,
}


def _is_always_true(test: cst.BaseExpression) -> bool:
    return (isinstance(test, cst.Name) and test.value == "True") or (
        isinstance(test, cst.Integer) and test.value == "1"
    )


def _catches_everything(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
    return handler.type is None or (isinstance(handler.type, cst.Name) and handler.type.value == "BaseException")


def _is_irrefutable(pattern: cst.MatchPattern) -> bool:
    match pattern:
        case cst.MatchAs():
            return pattern.pattern is None or _is_irrefutable(pattern.pattern)
        case cst.MatchOr():
            return any(_is_irrefutable(element.pattern) for element in pattern.patterns)
        case _:
            return False


# --- names read and bound


@lru_cache(maxsize=16384)
def accesses(point: Point) -> Accesses:
    """Return what ``point`` reads and binds; for a compound statement only what its header does.

    Annotations are not read, ``del x`` reads and unbinds ``x``, ``x[i] = v`` reads ``x``, ``i`` and ``v`` and binds nothing.
    """
    if isinstance(point, Boundary):
        return point.accesses
    names = _Names()
    kind = type(point)
    fields = _HEADERS.get(kind)
    if fields is not None:
        for name in fields:
            names.visit_field(getattr(point, name))
    elif kind is cst.MatchCase:
        _case_header(names, point)
    elif isinstance(point, cst.MatchPattern):
        for value in _pattern_parts(point)[0]:
            names.visit(value)
    elif isinstance(point, (cst.BaseExpression, cst.AsName)):
        names.store(point.name if isinstance(point, cst.AsName) else point)
    else:
        names.visit(point)
    return names.accesses()


def evaluated_at(point: Point) -> Iterator[cst.CSTNode]:
    """What is evaluated at a point of a flow: of compound statements their heads."""
    match point:
        case cst.If(test=node) | cst.While(test=node) | cst.For(iter=node) | cst.Match(subject=node):
            yield node
        case cst.With():
            yield from (item.item for item in point.items)
        case cst.BaseSmallStatement() | cst.BaseExpression():
            yield point


@lru_cache(maxsize=4096)
def free_variables(node: cst.FunctionDef | cst.Lambda | cst.ClassDef) -> tuple[str, ...]:
    """Return the names that ``node`` may read when it is defined or later, as seen by the scope around it."""
    names = _Names()
    names.visit(node)
    return tuple(dict.fromkeys((*names.uses, *names.captures)))


_CONSTANTS = frozenset({"None", "True", "False"})  # LibCST has names for them


class _Names:
    """Collects the names of one point, or of one scope, while its expressions are visited in evaluation order.

    ``hidden`` are the targets of the comprehensions around the current node, and what only looks like a name. Inside of something that may not run
    (``conditional`` > 0) bindings go to ``may_defs``, so that they don't make a later read look like one of the new value.
    Inside of a generator that is not consumed at once (``lazy``) reads are captures too.
    """

    __slots__ = (
        "captures",
        "conditional",
        "defs",
        "globals",
        "hidden",
        "in_class",
        "lazy",
        "may_defs",
        "nonlocals",
        "rebinds",
        "uses",
    )

    def __init__(self, conditional: int = 0, in_class: bool = False) -> None:
        self.uses: dict[str, None] = {}
        self.defs: dict[str, None] = {}
        self.may_defs: dict[str, None] = {}
        self.captures: dict[str, None] = {}
        self.rebinds: dict[str, None] = {}
        self.globals: dict[str, None] = {}
        self.nonlocals: dict[str, None] = {}
        self.hidden = _CONSTANTS
        self.conditional = conditional
        self.lazy = False
        self.in_class = in_class

    def accesses(self) -> Accesses:
        outer = (*self.globals, *self.nonlocals)
        captures = tuple(dict.fromkeys((*self.captures, *outer)))
        rebinds = tuple(dict.fromkeys((*self.rebinds, *outer)))
        return Accesses(tuple(self.uses), tuple(self.defs), tuple(self.may_defs), captures, rebinds)

    def read(self, name: str) -> None:
        if name in self.hidden:
            return
        if self.lazy:
            self.captures[name] = None
        # A comprehension in a class body does not see the names of the class.
        if name not in self.defs or (self.in_class and self.hidden is not _CONSTANTS):
            self.uses[name] = None

    def bind(self, name: str) -> None:
        (self.may_defs if self.conditional else self.defs)[name] = None

    def capture(self, names: Iterable[str]) -> None:
        self.captures.update((name, None) for name in names if name not in self.hidden)

    def store(self, target: cst.CSTNode) -> None:
        """Note what an assignment to ``target`` reads and binds."""
        match target:
            case cst.Name():
                self.bind(target.value)
            case cst.Tuple() | cst.List():
                for element in target.elements:
                    self.store(element.value)
            case cst.StarredElement():
                self.store(target.value)
            case _:
                self.visit(target)

    def visit(self, node: cst.CSTNode) -> None:
        """Note what the evaluation of an expression, or the execution of a whole statement, reads and binds."""
        kind = type(node)
        if kind is cst.Name:
            self.read(node.value)  # type: ignore[attr-defined]
        elif (fields := _CHILDREN.get(kind)) is not None:
            for name in fields:
                child = getattr(node, name)
                if child is not None:
                    self.visit_field(child)
        elif (special := _SPECIAL.get(kind)) is not None:
            special(self, node)

    def visit_field(self, value: Any) -> None:
        if type(value) is tuple or type(value) is list:
            for child in value:
                self.visit(child)
        elif value is not None:
            self.visit(value)

    def visit_conditionally(self, *values: Any) -> None:
        self.conditional += 1
        for value in values:
            self.visit_field(value)
        self.conditional -= 1


_HEADERS: Mapping[type, tuple[str, ...]] = {
    cst.If: ("test",),
    cst.While: ("test",),
    cst.For: ("iter",),
    cst.With: ("items",),
    cst.Try: (),
    cst.TryStar: (),
    cst.ExceptHandler: ("type",),
    cst.ExceptStarHandler: ("type",),
    cst.Match: ("subject",),
    cst.Lambda: ("body",),
}
"""What belongs to the point of a compound statement."""

_CHILDREN: Mapping[type, tuple[str, ...]] = {
    # expressions
    cst.Attribute: ("value",),
    cst.Await: ("expression",),
    cst.BinaryOperation: ("left", "right"),
    cst.UnaryOperation: ("expression",),
    cst.Arg: ("value",),
    cst.List: ("elements",),
    cst.Tuple: ("elements",),
    cst.Set: ("elements",),
    cst.Dict: ("elements",),
    cst.Element: ("value",),
    cst.StarredElement: ("value",),
    cst.DictElement: ("key", "value"),
    cst.StarredDictElement: ("value",),
    cst.Subscript: ("value", "slice"),
    cst.SubscriptElement: ("slice",),
    cst.Index: ("value",),
    cst.Slice: ("lower", "upper", "step"),
    cst.FormattedString: ("parts",),
    cst.FormattedStringExpression: ("expression", "format_spec"),
    cst.TemplatedString: ("parts",),
    cst.TemplatedStringExpression: ("expression", "format_spec"),
    cst.ConcatenatedString: ("left", "right"),
    cst.Yield: ("value",),
    cst.From: ("item",),
    cst.ComparisonTarget: ("comparator",),
    # small statements
    cst.Expr: ("value",),
    cst.Return: ("value",),
    cst.Raise: ("exc", "cause"),
    # whole compound statements, as they occur in nested scopes; there every binding is conditional
    cst.SimpleStatementLine: ("body",),
    cst.SimpleStatementSuite: ("body",),
    cst.IndentedBlock: ("body",),
    cst.If: ("test", "body", "orelse"),
    cst.While: ("test", "body", "orelse"),
    cst.Else: ("body",),
    cst.With: ("items", "body"),
    cst.Try: ("body", "handlers", "orelse", "finalbody"),
    cst.TryStar: ("body", "handlers", "orelse", "finalbody"),
    cst.ExceptHandler: ("type", "name", "body"),
    cst.ExceptStarHandler: ("type", "name", "body"),
    cst.Finally: ("body",),
    cst.Match: ("subject", "cases"),
    cst.Decorator: ("decorator",),
}
"""The children to visit, in evaluation order, of nodes that need nothing special."""


def _call(names: _Names, node: cst.Call) -> None:
    names.visit(node.func)
    for argument in node.args:
        value = argument.value
        if type(value) is cst.GeneratorExp:
            function = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
            consumed = isinstance(function, cst.Name) and function.value in CONSUMERS
            _comprehension(names, value, lazy=not consumed)
        else:
            names.visit(value)


def _boolean(names: _Names, node: cst.BooleanOperation) -> None:
    names.visit(node.left)
    names.visit_conditionally(node.right)


def _conditional(names: _Names, node: cst.IfExp) -> None:
    names.visit(node.test)
    names.visit_conditionally(node.body, node.orelse)


def _comparison(names: _Names, node: cst.Comparison) -> None:
    names.visit(node.left)
    names.visit(node.comparisons[0])
    names.visit_conditionally(*node.comparisons[1:])


def _walrus(names: _Names, node: cst.NamedExpr) -> None:
    names.visit(node.value)
    names.store(node.target)


def _eager_comprehension(names: _Names, node: Any) -> None:
    _comprehension(names, node, lazy=False)


def _generator(names: _Names, node: cst.GeneratorExp) -> None:
    _comprehension(names, node, lazy=True)


def _comprehension(names: _Names, node: Any, lazy: bool) -> None:
    outer = names.hidden, names.lazy
    clause: cst.CompFor | None = node.for_in
    names.visit(node.for_in.iter)  # the only part that runs outside of the comprehension's own scope
    names.lazy = names.lazy or lazy
    names.conditional += 1
    while clause is not None:
        if clause is not node.for_in:
            names.visit(clause.iter)
        target = _Names()
        target.store(clause.target)
        names.hidden |= frozenset(target.defs)
        for name in target.uses:
            names.read(name)
        for condition in clause.ifs:
            names.visit(condition.test)
        clause = clause.inner_for_in
    for part in ("elt", "key", "value"):
        names.visit_field(getattr(node, part, None))
    names.conditional -= 1
    names.hidden, names.lazy = outer


def _parameter_list(parameters: cst.Parameters) -> Iterator[cst.Param]:
    yield from parameters.posonly_params
    yield from parameters.params
    if isinstance(parameters.star_arg, cst.Param):
        yield parameters.star_arg
    yield from parameters.kwonly_params
    if parameters.star_kwarg is not None:
        yield parameters.star_kwarg


def _parameter_names(parameters: cst.Parameters | None) -> tuple[str, ...]:
    return () if parameters is None else tuple(parameter.name.value for parameter in _parameter_list(parameters))


def _function(names: _Names, parameters: cst.Parameters, body: cst.CSTNode, own_name: str | None = None) -> None:
    """Note the evaluation of the defaults, and what the body takes from the scopes around it."""
    for parameter in _parameter_list(parameters):
        names.visit_field(parameter.default)
    inner = _Names(conditional=1)
    inner.visit(body)
    outer = inner.nonlocals.keys() | inner.globals.keys()
    local = (inner.may_defs.keys() | set(_parameter_names(parameters))) - outer
    free = [name for name in (*inner.uses, *inner.captures, *inner.nonlocals) if name not in local]
    names.capture(free)
    for name in free:
        if name == own_name:
            continue  # bound by the time of the first call
        if names.in_class and name not in names.hidden:
            names.uses[name] = None  # a function in a class body does not see the names of the class
        else:
            names.read(name)
    names.rebinds.update((name, None) for name in (*inner.rebinds, *inner.nonlocals) if name not in local)
    # These bypass the scopes in between, whatever they bind; only a module's flow has such variables itself.
    names.captures.update(inner.globals)
    names.rebinds.update(inner.globals)


def _lambda(names: _Names, node: cst.Lambda) -> None:
    _function(names, node.params, node.body)


def _function_def(names: _Names, node: cst.FunctionDef) -> None:
    names.visit_field(node.decorators)
    outer = names.hidden
    if node.type_parameters is not None:
        names.hidden |= _type_parameter_names(node.type_parameters)
    _function(names, node.params, node.body, node.name.value)
    names.hidden = outer
    names.bind(node.name.value)


def _class_def(names: _Names, node: cst.ClassDef) -> None:
    names.visit_field(node.decorators)
    outer = names.hidden
    if node.type_parameters is not None:
        names.hidden |= _type_parameter_names(node.type_parameters)
    names.visit_field(node.bases)
    names.visit_field(node.keywords)
    inner = _Names(in_class=True)
    for statement in node.body.body:
        if isinstance(statement, (cst.SimpleStatementLine, cst.BaseSmallStatement, cst.FunctionDef, cst.ClassDef)):
            inner.visit(statement)
        else:
            inner.visit_conditionally(statement)
    for name in inner.uses:
        names.read(name)
    declared = (*inner.nonlocals, *inner.globals)
    names.capture((*inner.captures, *declared))
    names.rebinds.update((name, None) for name in (*inner.rebinds, *declared))
    names.hidden = outer
    names.bind(node.name.value)


def _type_parameter_names(parameters: cst.TypeParameters) -> frozenset[str]:
    return frozenset(item.param.name.value for item in parameters.params)


def _assign(names: _Names, node: cst.Assign) -> None:
    names.visit(node.value)
    for target in node.targets:
        names.store(target.target)


def _augmented_assign(names: _Names, node: cst.AugAssign) -> None:
    names.visit(node.target)
    names.visit(node.value)
    if type(node.target) is cst.Name:
        names.bind(node.target.value)


def _annotated_assign(names: _Names, node: cst.AnnAssign) -> None:
    if node.value is not None:
        names.visit(node.value)
        names.store(node.target)
    elif type(node.target) is not cst.Name:
        names.visit(node.target)


def _delete(names: _Names, node: cst.Del) -> None:
    # Unbinding needs a bound name, so it counts as a read: code that is moved must hand the variable on.
    names.visit(node.target)
    for name in _deleted_names(node.target):
        names.bind(name)


def _deleted_names(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _deleted_names(element.value)


def _assert(names: _Names, node: cst.Assert) -> None:
    names.visit(node.test)
    names.visit_conditionally(node.msg)


def _import(names: _Names, node: Any) -> None:
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        names.store(_bound_name(alias.name) if alias.asname is None else alias.asname.name)


def _bound_name(imported: cst.Attribute | cst.Name) -> cst.CSTNode:
    root: cst.CSTNode = imported
    while isinstance(root, cst.Attribute):
        root = root.value
    return root


def _global(names: _Names, node: cst.Global) -> None:
    names.globals.update((item.name.value, None) for item in node.names)


def _nonlocal(names: _Names, node: cst.Nonlocal) -> None:
    names.nonlocals.update((item.name.value, None) for item in node.names)


def _for(names: _Names, node: cst.For) -> None:
    names.visit(node.iter)
    names.store(node.target)
    names.visit(node.body)
    names.visit_field(node.orelse)


def _with_item(names: _Names, node: cst.WithItem) -> None:
    names.visit(node.item)
    names.visit_field(node.asname)


def _as_name(names: _Names, node: cst.AsName) -> None:
    names.store(node.name)


def _case(names: _Names, node: cst.MatchCase) -> None:
    for value in _pattern_parts(node.pattern)[0]:
        names.visit(value)
    _case_header(names, node)
    names.visit(node.body)


def _case_header(names: _Names, node: Any) -> None:
    for name in _pattern_parts(node.pattern)[1]:
        names.bind(name)
    names.visit_field(node.guard)


def _pattern_parts(pattern: cst.CSTNode) -> tuple[list[cst.CSTNode], list[str]]:
    """The expressions that ``pattern`` evaluates and the names that it binds."""
    values: list[cst.CSTNode] = []
    captures: list[str] = []
    _collect_pattern(pattern, values, captures)
    return values, captures


def _collect_pattern(pattern: Any, values: list[cst.CSTNode], captures: list[str]) -> None:
    parts: Iterable[Any] = ()
    bound: cst.Name | None = None
    match pattern:
        case cst.MatchValue():
            values.append(pattern.value)
        case cst.MatchAs():
            parts, bound = (pattern.pattern,), pattern.name
        case cst.MatchStar():
            bound = pattern.name
        case cst.MatchSequenceElement():
            parts = (pattern.value,)
        case cst.MatchSequence() | cst.MatchOr():
            parts = pattern.patterns
        case cst.MatchOrElement() | cst.MatchKeywordElement():
            parts = (pattern.pattern,)
        case cst.MatchMappingElement():
            values.append(pattern.key)
            parts = (pattern.pattern,)
        case cst.MatchMapping():
            parts, bound = pattern.elements, pattern.rest
        case cst.MatchClass():
            values.append(pattern.cls)
            parts = (*pattern.patterns, *pattern.kwds)
    for part in parts:
        _collect_pattern(part, values, captures)
    if bound is not None:
        captures.append(bound.value)


def _type_alias(names: _Names, node: cst.TypeAlias) -> None:
    names.store(node.name)


_SPECIAL: Mapping[type, Callable[[_Names, Any], None]] = {
    cst.Call: _call,
    cst.BooleanOperation: _boolean,
    cst.IfExp: _conditional,
    cst.Comparison: _comparison,
    cst.NamedExpr: _walrus,
    cst.ListComp: _eager_comprehension,
    cst.SetComp: _eager_comprehension,
    cst.DictComp: _eager_comprehension,
    cst.GeneratorExp: _generator,
    cst.Lambda: _lambda,
    cst.FunctionDef: _function_def,
    cst.ClassDef: _class_def,
    cst.Assign: _assign,
    cst.AugAssign: _augmented_assign,
    cst.AnnAssign: _annotated_assign,
    cst.Del: _delete,
    cst.Assert: _assert,
    cst.Import: _import,
    cst.ImportFrom: _import,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.TypeAlias: _type_alias,
    cst.For: _for,
    cst.WithItem: _with_item,
    cst.AsName: _as_name,
    cst.MatchCase: _case,
} | {
    # Syntax that is newer than some versions of LibCST.
    getattr(cst, name): handler
    for name, handler in {
        "LazyImport": _import,
        "LazyImportFrom": _import,
        "StarredDictComp": _eager_comprehension,
    }.items()
    if hasattr(cst, name)
}
