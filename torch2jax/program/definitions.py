"""Definitions and uses: which bindings a read of a variable may see, over the reaching definitions of each scope.

    x = f()             of(x in g(x)) is this binding alone: only(x) gives it
    if flag:
        x = h(x)        of(x in print(x)) is both
    print(x)

A may-analysis, as reaching definitions are. A variable of a scope around is bound by whatever binds it there, since the function
that reads it may run at any time; parameters are bound by their function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum

import libcst as cst

from torch2jax.program.flow import Point
from torch2jax.program.liveness import ReachingDefinitions, reaching_definitions
from torch2jax.program.scopes import Scope, Scopes, Variable
from torch2jax.records import dataclass
from torch2jax.syntax.walk import Index, children


class How(StrEnum):
    """How a variable is bound. PART: it gets a part of the value; NEXT: one element of it after the other."""

    PARAMETER = "parameter"
    ASSIGNED = "assigned"
    PART = "part"
    AUGMENTED = "augmented"
    NEXT = "next"
    ENTERED = "entered"
    CAUGHT = "caught"
    IMPORTED = "imported"
    DEFINED = "defined"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One binding of a variable, at `node`: with what `value` says, where that is an expression."""

    variable: Variable
    node: cst.CSTNode
    how: How
    value: cst.BaseExpression | None = None


@dataclass(slots=True)
class Definitions:
    """The definitions of a file; those of a scope are found when they are first asked for."""

    index: Index
    scopes: Scopes = field(init=False)
    _found: dict[cst.CSTNode, Mapping[str, tuple[Definition, ...]]] = field(default_factory=dict)
    _reaching: dict[cst.CSTNode, ReachingDefinitions] = field(default_factory=dict)
    _rebinding: dict[tuple[cst.CSTNode, str], tuple[Definition, ...]] | None = None
    _variables: Mapping[str, Sequence[cst.Name]] | None = None  # by their names

    def __post_init__(self) -> None:
        self.scopes = Scopes(self.index)

    def every(self, variable: Variable) -> tuple[Definition, ...]:
        """All bindings of a variable, those of functions that declare it `global` or `nonlocal` among them."""
        own = self._of_scope(variable.owner).get(variable.name, ())
        return (*own, *self._rebound().get((variable.owner, variable.name), ()))

    def every_of_name(self, name: cst.Name) -> tuple[Definition, ...]:
        """All bindings of the variable that a name stands for."""
        variable = self.scopes.variable(name)
        return self.every(variable) if variable is not None else ()

    def of(self, use: cst.Name) -> tuple[Definition, ...]:
        """The bindings whose value a read of a variable may see; none for what the file does not bind."""
        variable = self.scopes.variable(use)
        scope = self.scopes.around(use)
        found = self._seen(variable, use, scope) if variable is not None else ()
        if not found and isinstance(scope, cst.ClassDef):  # not yet bound there
            outer = self.scopes.lookup(use.value, self.scopes.around(scope))
            return self.every(outer) if outer is not None else ()
        return found

    def _seen(self, variable: Variable, use: cst.Name, scope: Scope) -> tuple[Definition, ...]:
        every = self.every(variable)
        point = self._point_in(scope, use) if variable.owner is scope else None
        if point is None or (len(every) < 2 and not isinstance(scope, cst.ClassDef)):
            return every
        entry = self.scopes.flow(scope).entry
        reaching = {id(item) for item in self._reaching_in(scope).reaching(point, use.value)}
        return tuple(
            item
            for item in every
            if id(entry if item.how is How.PARAMETER else self._point_in(scope, item.node)) in reaching
            or self._binds_inside(item, point, use)
        )

    def only(self, use: cst.Name) -> Definition | None:
        """The one binding that a read sees, whatever path has led there; None if there may be another."""
        found = self.of(use)
        return found[0] if len(found) == 1 else None

    def assignment(self, definition: Definition) -> cst.Assign | None:
        """The assignment that binds a variable to its value as a whole: `x = value`."""
        target = self.index.parents.get(definition.node)
        line = self.index.parents.get(target) if isinstance(target, cst.AssignTarget) else None
        return line if isinstance(line, cst.Assign) else None

    def bound_once(self, use: cst.Name) -> Definition | None:
        """The binding of a variable that is bound nowhere else."""
        found = self.every_of_name(use)
        return found[0] if len(found) == 1 else None

    def uses(self, definition: Definition, asked: Callable[[cst.Name], bool] | None = None) -> list[cst.Name]:
        """The reads that may see a binding; of those that are `asked` for, which is looked at first, if that is given."""
        names = self._named().get(definition.variable.name, ())
        chosen = names if asked is None else filter(asked, names)
        return [item for item in chosen if not self.is_bound(item) and definition in self.of(item)]

    def uses_at(self, name: cst.Name) -> list[cst.Name]:
        """The reads that may see what is bound at a name: a target, or that of a function or class."""
        parent = self.index.parents[name]
        bound = parent if isinstance(parent, (cst.FunctionDef, cst.ClassDef)) else name
        return [use for item in self.every_of_name(name) if item.node is bound for use in self.uses(item)]

    def _named(self) -> Mapping[str, Sequence[cst.Name]]:
        """All names of the file that stand for variables, in source order."""
        if self._variables is None:
            found: dict[str, list[cst.Name]] = {}
            for item in self.index.names:
                if not self.index.is_label(item):
                    found.setdefault(item.value, []).append(item)
            self._variables = found
        return self._variables

    def is_bound(self, name: cst.Name) -> bool:
        """Whether a name stands where its variable is bound, and is not read."""
        parent = self.index.parents[name]
        nodes = [item.node for item in self.every_of_name(name)]
        return name in nodes or (
            parent in nodes and not isinstance(parent, cst.AugAssign) and getattr(parent, "value", None) is not name
        )

    def _point_in(self, scope: Scope, node: cst.CSTNode) -> cst.CSTNode | None:
        """The point of the flow of a scope at which a node is evaluated; for what stands in a function of it, the definition."""
        if isinstance(scope, cst.CompFor):
            return None
        flow = self.scopes.flow(scope)
        current: cst.CSTNode | None = node
        while current is not None and current not in flow:
            current = self.index.parents.get(current)
        return current

    def _binds_inside(self, item: Definition, point: cst.CSTNode, use: cst.Name) -> bool:
        """Whether a `:=` of the same statement, before the read, binds the variable."""
        if (
            not isinstance(item.node, cst.NamedExpr)
            or self._point_in(self.scopes.around(item.node), item.node) is not point
        ):
            return False
        return use is not item.node.target

    def _reaching_in(self, scope: Scope) -> ReachingDefinitions:
        if scope not in self._reaching:
            self._reaching[scope] = reaching_definitions(self.scopes.flow(scope))
        return self._reaching[scope]

    def _of_scope(self, scope: Scope) -> Mapping[str, tuple[Definition, ...]]:
        if scope not in self._found:
            found: dict[str, list[Definition]] = {}
            for item in self._in_scope(scope):
                found.setdefault(item.variable.name, []).append(item)
            self._found[scope] = {name: tuple(items) for name, items in found.items()}
        return self._found[scope]

    def _in_scope(self, scope: Scope) -> Iterator[Definition]:
        if isinstance(scope, cst.CompFor):
            for name, node, _, _ in targets(scope.target, scope.iter):
                yield Definition(Variable(scope, name), node, How.NEXT, scope.iter)
            return
        flow = self.scopes.flow(scope)
        outer = flow.global_names | flow.nonlocal_names if not isinstance(scope, cst.Module) else frozenset[str]()
        if isinstance(scope, (cst.FunctionDef, cst.Lambda)):
            for parameter in _parameters(scope.params):
                yield Definition(Variable(scope, parameter.name.value), parameter, How.PARAMETER)
        for name, node, how, value in self._bindings(scope):
            if name not in outer:
                yield Definition(Variable(scope, name), node, how, value)

    def _bindings(self, scope: Scope) -> Iterator[Binding]:
        """What the points of a scope bind, and `:=` in them."""
        for point in self.scopes.flow(scope):
            for name, node, how, value in bindings(point):
                loop = self.index.parents[point] if how is How.NEXT else None
                yield name, node, how, loop.iter if isinstance(loop, cst.For) else value
        for walrus in self.index.every(cst.NamedExpr):
            if isinstance(walrus.target, cst.Name) and self.scopes.around(walrus) is scope:
                yield walrus.target.value, walrus, How.ASSIGNED, walrus.value

    def _rebound(self) -> Mapping[tuple[cst.CSTNode, str], tuple[Definition, ...]]:
        """The bindings by functions that declare a variable of a scope around them."""
        if self._rebinding is None:
            found: dict[tuple[cst.CSTNode, str], list[Definition]] = {}
            declaring = {self.scopes.around(node) for node in self.index.every(cst.Global, cst.Nonlocal)}
            for scope in declaring - {self.index.module}:
                flow = self.scopes.flow(scope)
                for name, node, how, value in self._bindings(scope):
                    declared = name in flow.global_names or name in flow.nonlocal_names
                    variable = self.scopes.lookup(name, scope) if declared else None
                    if variable is not None:
                        item = Definition(variable, node, how, value)
                        found.setdefault((variable.owner, name), []).append(item)
            self._rebinding = {key: tuple(items) for key, items in found.items()}
        return self._rebinding


Binding = tuple[str, cst.CSTNode, How, cst.BaseExpression | None]


def bindings(point: Point) -> Iterator[Binding]:
    """What a point of a flow binds: names, each with the node that does so, how, and the value it gets or gets a part of."""
    match point:
        case cst.With():
            for entered in point.items:
                if entered.asname is not None:
                    for name, node, _, _ in targets(entered.asname.name, None):
                        yield name, node, How.ENTERED, entered.item
        case cst.FunctionDef() | cst.ClassDef():
            yield point.name.value, point, How.DEFINED, None
        case cst.MatchCase():
            for item in _captures(point.pattern):
                yield item.value, item, How.PART, None
        case cst.AsName():
            for name, node, _, _ in targets(point.name, None):
                yield name, node, How.CAUGHT, None
        case cst.Import() | cst.ImportFrom():
            yield from _imported(point)
        case cst.Del():
            for name, node, _, _ in targets(point.target, None):
                yield name, node, How.DELETED, None
        case cst.Assign():
            for target in point.targets:
                yield from targets(target.target, point.value)
        case cst.AnnAssign(value=cst.BaseExpression() as value):
            yield from targets(point.target, value)
        case cst.AugAssign():
            if isinstance(point.target, cst.Name):
                yield point.target.value, point, How.AUGMENTED, point.value
        case cst.BaseExpression():  # the target of a loop
            for name, node, _, _ in targets(point, None):
                yield name, node, How.NEXT, None


def targets(target: cst.CSTNode, value: cst.BaseExpression | None) -> Iterator[Binding]:
    """The names that an assignment to a target binds: `a, (b, c) = x, y` gives `a` the value `x`, and `b` a part of `y`."""
    if isinstance(target, cst.Name):
        yield target.value, target, How.ASSIGNED, value
    elif isinstance(target, cst.StarredElement):
        yield from _parts(target.value, value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        given = value.elements if isinstance(value, (cst.Tuple, cst.List)) else ()
        paired = len(given) == len(target.elements) and not any(
            isinstance(item, cst.StarredElement) for item in (*given, *target.elements)
        )
        for number, element in enumerate(target.elements):
            if paired:
                yield from targets(element.value, given[number].value)
            else:
                yield from _parts(element.value, value)


def _parts(target: cst.CSTNode, value: cst.BaseExpression | None) -> Iterator[Binding]:
    for name, node, _, _ in targets(target, None):
        yield name, node, How.PART, value


def _captures(pattern: cst.CSTNode) -> Iterator[cst.Name]:
    if isinstance(pattern, (cst.MatchAs, cst.MatchStar)) and pattern.name is not None:
        yield pattern.name
    if isinstance(pattern, cst.MatchMapping) and pattern.rest is not None:
        yield pattern.rest
    for child in children(pattern):
        if not isinstance(child, cst.Name):
            yield from _captures(child)


def _imported(node: cst.Import | cst.ImportFrom) -> Iterator[Binding]:
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        bound: cst.CSTNode = alias.asname.name if alias.asname is not None else alias.name
        while isinstance(bound, cst.Attribute):
            bound = bound.value
        if isinstance(bound, cst.Name):
            yield bound.value, alias, How.IMPORTED, None


def _parameters(params: cst.Parameters) -> Iterator[cst.Param]:
    yield from (*params.posonly_params, *params.params)
    if isinstance(params.star_arg, cst.Param):
        yield params.star_arg
    yield from params.kwonly_params
    if params.star_kwarg is not None:
        yield params.star_kwarg


__all__ = ["Binding", "Definition", "Definitions", "How", "bindings", "targets"]
