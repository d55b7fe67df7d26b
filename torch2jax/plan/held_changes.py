"""Objects that keep a module which they are given, and whose methods change it: the name that it was given by shows the old one.

worker = Worker(net)        worker keeps `net`
worker.act()                which sets its mode, or its weights: `worker.model` is another one from here on
print(net(x))               reported

with Evaluating(net):       what Python calls by itself (`__enter__`, `__setitem__`) counts, too
    print(net(x))

A may-analysis of what is reached behind the line that makes the object. Modules that such objects train have one name by now
(`normalize.kept_modules`, `normalize.lent_modules`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.effects import called_by_python
from torch2jax.facts.field_aliases import TensorChange
from torch2jax.facts.given_modules import LENT
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.sharing import held_places, is_used, points_of, reached_behind
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import statement_behind
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, module_sites

Events = Mapping[Function | None, Mapping[str, Collection[str]]]
IsDead = Callable[[cst.CSTNode, str, Function | None], bool]


@dataclass(frozen=True, slots=True)
class _Change:
    """A method that changes a module in a field of its object, or (`of_mode`) only the mode of it."""

    method: Function
    of_mode: bool


def check_held_changes(
    facts: Facts, plan: Plan, events: Events, of_tensors: Collection[TensorChange], is_mode_dead: IsDead
) -> None:
    """Report the modules that new objects are given and change while their names are still in use."""
    _Search(facts, plan, events, of_tensors, is_mode_dead).run()


class _Search:
    def __init__(
        self, facts: Facts, plan: Plan, events: Events, of_tensors: Collection[TensorChange], is_mode_dead: IsDead
    ) -> None:
        self.facts, self.plan, self.events, self.is_mode_dead = facts, plan, events, is_mode_dead
        self.of_tensors: dict[Function | None, set[str]] = {}
        for change in of_tensors:
            self.of_tensors.setdefault(change.function, set()).add(change.place)

    def run(self) -> None:
        for call in self.facts.program.index.calls:
            value = self.facts.values(call)
            if value.kind is not Kind.OBJECT or self.facts.values(call.func).kind is not Kind.CLASS:
                continue
            for item in self.facts.effects.classes_of(value):
                for right in held_places(self.facts, call):
                    changes = list(self.changes(item, self.sites_of(call, right)))
                    if changes:
                        self.check(call, right, changes)

    def sites_of(self, call: cst.Call, right: str) -> frozenset[int]:
        given = [item.value for item in call.args if right in held_places(self.facts, item.value)]
        return frozenset(site for node in given for site in module_sites(self.facts.values(node)))

    def changes(self, item: Class, sites: frozenset[int]) -> Iterator[_Change]:
        """The methods of a class that change one of its modules, of those that may be made at some sites."""
        fields = {
            name
            for name, value in item.all_fields()
            if value.kind is Kind.MODULE and (not sites or not value.sites or value.sites & sites)
        }
        for method in {
            method.name: method for part in reversed(item.lineage) for method in part.methods.values()
        }.values():
            if method.name == "__init__" or method.node not in self.facts.program.functions:
                continue
            own = [part for part in reached([method.node.body], self.facts.values) if part.owner in item.lineage]
            found = set[str]()
            for part in (method, *own):
                found |= self.kinds(part, fields)
            if found:
                yield _Change(method, found == {"mode"})

    def kinds(self, method: Function, fields: Collection[str]) -> set[str]:
        """What a method does to the modules in some fields of its object."""
        found = {
            kind
            for place, kinds in self.events.get(method, {}).items()
            for kind in {"value", "mode"}.intersection(kinds)
            if _field(method, place) in fields
        }
        changed = self.of_tensors.get(method, ())
        return found | ({"value"} if any(_field(method, place) in fields for place in changed) else set())

    def check(self, call: cst.Call, right: str, changes: list[_Change]) -> None:
        function = self.facts.program.function_running(call)
        for point, change in self.points(call, right, changes):
            statement = self.facts.program.index.statement_of(point)
            is_inside = isinstance(point, cst.With) and self.names(point.body, right)
            if is_inside or self.is_read_behind(statement, right, function, change):
                other = f"self of {dotted(call.func)}.{change.method.name}"
                self.plan.problem(call, "T2J303", name=right, other=other)
                return

    def points(self, call: cst.Call, right: str, changes: list[_Change]) -> Iterator[tuple[cst.CSTNode, _Change]]:
        """Where an object that a call makes may run such methods."""
        index, callees = self.facts.program.index, self.facts.values.callees
        parent = index.parents[call]
        outer = index.parents[parent]
        match parent:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(left))]):
                flow = self.facts.flows.liveness(self.facts.program.function_running(call)).flow
                for point in reached_behind(parent, {right.partition(".")[0], left}, flow):
                    yield from ((point, change) for change in changes if self.runs(point, left, change))
            case cst.Attribute() if isinstance(outer, cst.Call):
                line = points_of(index.statement_of(call))[0]
                yield from ((line, change) for change in changes if change.method in callees.get(outer, ()))
            case cst.WithItem():
                yield from ((outer, change) for change in changes if called_by_python(change.method))

    def names(self, body: cst.CSTNode, place: str) -> bool:
        nodes = (node for node in descendants(body) if isinstance(node, (cst.Name, cst.Attribute)))
        return any(dotted(node) == place for node in nodes)

    def is_read_behind(
        self, statement: cst.BaseStatement, right: str, function: Function | None, change: _Change
    ) -> bool:
        """Whether the name of a module may be read when a statement has changed what it stands for."""
        if self.is_bound_behind(statement, right) or (
            change.of_mode and self.is_mode_dead(points_of(statement)[0], right, function)
        ):
            return False
        live = self.facts.flows.liveness(function).after_statement(statement)
        given_back = {mark[1:3] for mark in self.facts.program.marks if mark[0] == LENT}
        is_lent = function is not None and (function.key, right) in given_back
        return right.partition(".")[0] in live or (not is_lent and is_used(right, live, function, is_new=False))

    def runs(self, point: cst.CSTNode, left: str, change: _Change) -> bool:
        """Whether a point of a flow may run a method of the object in a variable."""
        if isinstance(point, (cst.If, cst.While)):
            point = point.test
        elif isinstance(point, cst.For):
            point = point.iter
        elif isinstance(point, cst.With):
            point = cst.Tuple([cst.Element(item.item) for item in point.items])
        parents, by_python = self.facts.program.index.parents, called_by_python(change.method)
        for node in (point, *descendants(point)):
            if not isinstance(node, cst.Name) or node.value != left:
                continue
            parent = parents.get(node)
            if isinstance(parent, cst.Attribute) and parent.value is node:
                if parent.attr.value == change.method.name:
                    return True
            elif by_python or (
                isinstance(parent, cst.Call) and parent.func is node and change.method.name == "__call__"
            ):
                return True
        return False

    def is_bound_behind(self, statement: cst.BaseStatement, right: str) -> bool:
        """Whether the line behind a statement binds a place again to what an object has made of it."""
        match statement_behind(self.facts.program.index, statement):
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)])]):
                return dotted(target) == right
        return False


def _field(method: Function, place: str) -> str | None:
    root, _, rest = place.partition(".")
    return rest.partition(".")[0] if rest and root == method.self_name else None


__all__ = ["check_held_changes"]
