"""An independent check of every translation: what depends on each other has kept its order, and no effect has gone.

It knows the statements of the file, what each reads, writes and tells the world, and where each stands in the translation (a statement
that went into a function that is made stands where that function is called). It asks no pass why. Functions whose statements all
stand in their order, which are nearly all, cost one comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from itertools import pairwise
from typing import Protocol

import libcst as cst

from torch2jax.diagnostics import CODES_BY_ID, Severity
from torch2jax.facts.infer import Values
from torch2jax.facts.moves import changes_parameters
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.flow import accesses, free_variables
from torch2jax.program.program import dotted
from torch2jax.program.statements import bound_in, bound_parts
from torch2jax.records import dataclass
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, core
from torch2jax.syntax.walk import Index, children, descendants
from torch2jax.values import Kind

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
_WORLD, _PARAMETERS, _GRADIENTS = "<world>", "<parameters>", "<gradients>"
_OUTPUT = frozenset({"print", "input", "open"})
_JUMPS = (cst.Raise, cst.Assert, cst.Break, cst.Continue, cst.Return)


class Fault(StrEnum):
    """What can be wrong with the place of a statement."""

    AHEAD = "in front of"  # a statement that it depends on
    OUTSIDE = "outside of"  # the loop that it stood in
    GONE = "nowhere"


@dataclass(frozen=True, slots=True)
class Broken:
    """A statement of the file that stands where it must not, and the other that it should stand behind or in."""

    statement: cst.CSTNode
    fault: Fault
    other: cst.CSTNode | None = None

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        first = code(self.other).strip().split("\n")[0] if self.other is not None else ""
        return f"{self.fault} `{first}`" if first else str(self.fault)


@dataclass(slots=True)
class _Scope:
    """The statements of one function of the file, or of the module: their cores, in the order of the text."""

    statements: list[Statement] = field(default_factory=list)
    places: dict[cst.CSTNode, int] = field(default_factory=dict)


@dataclass(slots=True)
class Tokens:
    """What a statement reads and writes: variables, fields, and what is not in the text."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    is_told: bool = False  # the world outside of the program sees it


def check_order(unit: Unit, original: cst.Module, normalized: Rebuilt, module: cst.Module, rewriter: Rewriter) -> None:
    """Report statements that stand where they must not, but for functions with errors that say what is wrong with them."""
    before = normalized.sources
    sources = {**before, **{new: before.get(old, old) for new, old in rewriter.sources.items()}}
    order = Order(original, module, sources, unit.facts.values, normalized.rebuilt)
    found = [item for item in order.broken() if core(item[1].statement) not in normalized.unreached]
    if not found:
        return
    errors = [item.node for item in unit.problems if CODES_BY_ID[item.code].severity is Severity.ERROR]
    told = {_function_around(node, unit.facts.program.index, before) for node in errors}
    for function, item in found:
        if function not in told:
            node = normalized.rebuilt.get(item.statement, item.statement)
            place = node if node in unit.facts.program.index.parents else unit.facts.program.index.module
            unit.problem(place, "T2J008", statement=code(item.statement), place=item.place)


def _function_around(node: cst.CSTNode, index: Index, sources: Mapping[cst.CSTNode, cst.CSTNode]) -> cst.CSTNode | None:
    """The function of the file in which a node stands: by what stays of it in all trees; None for the module."""
    for around in (node, *index.ancestors(node)):
        if isinstance(around, cst.FunctionDef):
            return sources.get(around.body, around.body)
    return None


class Rebuilt(Protocol):
    """What normalizations have made of a tree, and which of its statements never run."""

    sources: dict[cst.CSTNode, cst.CSTNode]
    rebuilt: dict[cst.CSTNode, cst.CSTNode]
    unreached: set[cst.CSTNode]


class Order:
    """The check of one file: `original` is its tree, `module` the translation, `sources` says which statements of the one those
    of the other stand for; `rebuilt` leads from nodes of the original to those of which `values` knows.
    """

    def __init__(
        self,
        original: cst.Module,
        module: cst.Module,
        sources: Mapping[cst.CSTNode, cst.CSTNode],
        values: Values,
        rebuilt: Mapping[cst.CSTNode, cst.CSTNode],
    ) -> None:
        self.module, self.sources, self.values, self.rebuilt = module, sources, values, rebuilt
        self.scopes: dict[cst.CSTNode, _Scope] = {}
        self.home: dict[cst.CSTNode, cst.CSTNode] = {}  # core of a statement -> its scope
        self.functions: dict[cst.CSTNode, cst.FunctionDef] = {}
        self.around: dict[
            cst.CSTNode, cst.CSTNode
        ] = {}  # core of a statement -> that of the compound one right around it
        self.loops: set[cst.CSTNode] = set()
        self._collect(original, original)
        self.original = original

    def _collect(self, scope: cst.CSTNode, block: cst.CSTNode, around: cst.CSTNode | None = None) -> None:
        found = self.scopes.setdefault(scope, _Scope())
        for statement in _lines(block):
            mark = core(statement)
            found.places[mark] = len(found.statements)
            found.statements.append(statement)
            self.home[mark] = scope
            if around is not None:
                self.around[mark] = around
            if isinstance(statement, cst.For | cst.While):
                self.loops.add(mark)
            if isinstance(statement, cst.FunctionDef):
                self.functions[mark] = statement
                self._collect(mark, statement.body)
            else:
                for suite in _suites(statement):
                    self._collect(scope, suite, mark)

    def broken(self) -> Iterator[tuple[cst.CSTNode | None, Broken]]:
        """Every pair of statements that has changed its order though one depends on the other, and every effect that has gone."""
        found = _Reader(self).read()
        for source, around in self.around.items():
            if around in self.loops and {around, source} <= found.seen and source not in found.inner:
                scope = self.scopes[self.home[source]]
                inner, loop = (scope.statements[scope.places[mark]] for mark in (source, around))
                yield self._function(self.home[source]), Broken(inner, Fault.OUTSIDE, loop)
        for mark, scope in self.scopes.items():
            sequence = found.sequences.get(mark, [])
            stays = len(sequence) == len(scope.statements) and all(a <= b for a, b in pairwise(sequence))
            if not stays and (sequence or mark is self.original):
                for item in self._scope_broken(scope, sequence, found.seen):
                    yield self._function(mark), item

    def _function(self, scope: cst.CSTNode) -> cst.CSTNode | None:
        return scope if scope is not self.original else None

    def _scope_broken(self, scope: _Scope, sequence: list[int], seen: set[cst.CSTNode]) -> Iterator[Broken]:
        first: dict[int, int] = {}
        for position, number in enumerate(sequence):
            first.setdefault(number, position)
        tokens = [self.tokens(statement) for statement in scope.statements]
        if any(a > b for a, b in pairwise(sequence)):
            for late, early in _swapped(tokens, first):
                yield Broken(scope.statements[late], Fault.AHEAD, scope.statements[early])
        for number, statement in enumerate(scope.statements):
            if tokens[number].is_told and number not in first and core(statement) not in seen:
                yield Broken(statement, Fault.GONE)

    def tokens(self, statement: Statement) -> Tokens:
        """What a statement reads and writes; of a compound one, what its header does."""
        found = Tokens()
        points: Iterable[cst.CSTNode] = (
            statement.body if isinstance(statement, cst.SimpleStatementLine) else [statement]
        )
        for point in points:
            seen = accesses(point)
            found.reads.update(seen.uses)
            found.writes.update((*seen.defs, *seen.may_defs))
            if isinstance(point, cst.For):
                found.writes.update(bound_in(point.target))
            if isinstance(point, cst.FunctionDef | cst.ClassDef):
                found.reads.update(free_variables(point))
                continue
            self._note_targets(point, found)
            for expression in _expressions(point):
                self._note_expression(expression, found)
            if isinstance(point, cst.Assign):
                self._reads_of_making(point, found)
            if isinstance(point, _JUMPS):
                found.reads.add(_PARAMETERS)
                found.writes.add(_WORLD)
            if isinstance(point, cst.Expr) and isinstance(point.value, cst.Call):
                self._note_call(point.value, found)
        return found

    def _reads_of_making(self, assignment: cst.Assign, found: Tokens) -> None:
        """Schedulers are made of rates, not of the optimizers that follow them."""
        made = assignment.value
        values = [item.value for item in made.elements] if isinstance(made, cst.Tuple) else [made]
        schedules = [item for item in values if isinstance(item, cst.Call) and self._kind(item) is Kind.SCHEDULER]
        others = {_place(node) for item in values if item not in schedules for node in (item, *descendants(item))}
        for call in schedules:
            own = {_place(item.value) for item in call.args if self._kind(item.value) is Kind.OPTIMIZER}
            found.reads -= own - others

    def _note_targets(self, point: cst.CSTNode, found: Tokens) -> None:
        targets: list[cst.CSTNode] = []
        match point:
            case cst.Assign():
                targets = [part for item in point.targets for part in bound_parts(item.target)]
            case cst.AugAssign():
                targets = [point.target]
                if (place := _place(point.target)) is not None:
                    found.reads.add(place)
        for target in targets:
            if not isinstance(target, cst.Name) and (place := _place(target)) is not None:
                found.writes.add(place)

    def _note_expression(self, expression: cst.CSTNode, found: Tokens) -> None:
        for node in (expression, *descendants(expression)):
            if isinstance(node, cst.Attribute):
                if (place := _place(node)) is not None:
                    found.reads.add(place)
                if node.attr.value == "grad":
                    found.reads.add(_GRADIENTS)
            if isinstance(node, cst.Name | cst.Attribute) and self._kind(node) is Kind.MODULE:
                found.reads.add(_PARAMETERS)
            if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in _OUTPUT:
                found.writes.add(_WORLD)

    def _note_call(self, call: cst.Call, found: Tokens) -> None:
        """A call that stands alone is there for what it does."""
        if isinstance(call.func, cst.Name):
            found.is_told = call.func.value in _OUTPUT
            found.writes.add(_WORLD)
            return
        if not isinstance(call.func, cst.Attribute):
            return
        method, receiver = call.func.attr.value, call.func.value
        kind, place = self._kind(receiver), _place(receiver)
        if kind is Kind.OPTIMIZER:
            found.writes.add(_PARAMETERS if method == "step" else _GRADIENTS)
            found.reads.add(_GRADIENTS)
        elif kind is Kind.MODULE and changes_parameters(call):
            found.writes.add(_PARAMETERS)
        elif method == "backward":
            found.writes.add(_GRADIENTS)
        elif kind in (Kind.LIST, Kind.DICT) and place is not None:
            found.is_told = True
            found.writes.add(place)
        elif kind is Kind.TENSOR and is_inplace_name(method) and place is not None:
            found.writes.add(place)
        elif kind is Kind.PYTHON and not isinstance(receiver, cst.Call):
            found.is_told = True
            found.writes.add(_WORLD)

    def _kind(self, node: cst.CSTNode) -> Kind:
        known = self.rebuilt.get(node, node)
        return self.values(known).kind if isinstance(known, cst.BaseExpression) else Kind.UNKNOWN


@dataclass(slots=True)
class _Reader:
    """Reads a translation: for each function of the file the numbers of its statements in the order in which they stand now."""

    order: Order
    sequences: dict[cst.CSTNode, list[int]] = field(default_factory=dict)
    seen: set[cst.CSTNode] = field(default_factory=set)
    made: dict[str, cst.FunctionDef] = field(default_factory=dict)  # functions that the translation has made, in scope
    inside: list[cst.FunctionDef] = field(default_factory=list)
    stack: list[cst.CSTNode | None] = field(default_factory=list)
    inner: set[cst.CSTNode] = field(default_factory=set)  # statements that stand in the statement that they stood in

    def read(self) -> _Reader:
        self._block(self.order.module, self.order.original)
        return self

    def _source(self, statement: Statement) -> cst.CSTNode | None:
        mark = core(statement)
        source = self.order.sources.get(mark, mark)
        return source if source in self.order.home else None

    def _block(self, block: cst.CSTNode, scope: cst.CSTNode) -> None:
        around = self.made
        for statement in _lines(block):
            source = self._source(statement)
            if not isinstance(statement, cst.FunctionDef):
                self._statement(statement, source, scope)
            elif source in self.order.functions:
                self._note(source, scope)
                self._block(statement.body, source)
            else:
                self.made = {**self.made, statement.name.value: statement}
        self.made = around

    def _statement(self, statement: Statement, source: cst.CSTNode | None, scope: cst.CSTNode) -> None:
        is_line = isinstance(source, cst.BaseSmallStatement)
        if source is not None and not is_line:
            self._note(source, scope)
        self.stack.append(source)
        if self.made and core(statement) is not source:
            self._called(statement, scope)
        if source is not None and is_line:
            self._note(source, scope)
        for suite in _suites(statement):
            self._block(suite, scope)
        self.stack.pop()

    def _note(self, source: cst.CSTNode, scope: cst.CSTNode) -> None:
        self.seen.add(source)
        if self.order.home[source] is scope:
            self.sequences.setdefault(scope, []).append(self.order.scopes[scope].places[source])
            if self.order.around.get(source) in self.stack:
                self.inner.add(source)

    def _called(self, statement: Statement, scope: cst.CSTNode) -> None:
        """What stands in functions that are made stands where they are spoken of."""
        points = statement.body if isinstance(statement, cst.SimpleStatementLine) else _expressions(statement)
        for point in points:
            for node in (point, *descendants(point)):
                function = self.made.get(node.value) if isinstance(node, cst.Name) else None
                if function is not None and function not in self.inside:
                    self.inside.append(function)
                    self._block(function.body, scope)
                    self.inside.pop()


def _swapped(tokens: list[Tokens], first: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Pairs of numbers of statements, the second of which stood in front of the first, which depends on it, and no longer does."""
    writer: dict[str, int] = {}
    reader: dict[str, int] = {}  # of those since then the one that stands last now
    for number, found in enumerate(tokens):
        if number not in first:
            continue
        place = first[number]
        for name in found.reads | found.writes:
            earlier = [writer[name]] if name in writer else []
            if name in found.writes and name in reader:
                earlier.append(reader[name])
            for other in earlier:
                if first[other] > place:
                    yield number, other
        for name in found.writes:
            writer[name] = number
            reader.pop(name, None)
        for name in found.reads - found.writes:
            if name not in reader or first[reader[name]] < place:
                reader[name] = number


def _lines(block: cst.CSTNode) -> list[Statement]:
    """The statements of a block; a suite on the line of its header has none of its own."""
    if isinstance(block, cst.Module | cst.IndentedBlock):
        return list(block.body)  # type: ignore[arg-type]
    return []


def _suites(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The blocks right below a compound statement, with those of its clauses."""
    if isinstance(statement, cst.SimpleStatementLine):
        return
    for child in children(statement):
        if isinstance(child, cst.IndentedBlock):
            yield child
        elif isinstance(
            child, cst.Else | cst.If | cst.ExceptHandler | cst.Finally | cst.MatchCase | cst.ExceptStarHandler
        ):
            yield from _suites(child)


def _expressions(point: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The expressions that a small statement evaluates, or the header of a compound one."""
    for child in children(point):
        if not isinstance(child, cst.BaseSuite | cst.Else | cst.If | cst.ExceptHandler | cst.Finally | cst.MatchCase):
            yield child


def _place(node: cst.CSTNode) -> str | None:
    """The variable, or field of one, in which a target or receiver lies."""
    while isinstance(node, cst.Subscript):
        node = node.value
    path = dotted(node) if isinstance(node, cst.BaseExpression) else None
    return ".".join(path.split(".")[:2]) if path else None
