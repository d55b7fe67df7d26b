"""Second names for fields that modules change in place: torch changes what they refer to, JAX does not.

    a = model(x)        # `forward` returns `self.total`, to which it adds in place
    b = model(y)        # in torch this changes `a`, too

A may-analysis over the call graph: `changed` are the fields that a function, or what it calls, changes in place; a function
`shows` a field if its result may be that tensor or a view of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from torch2jax.analysis.effects import Effects
from torch2jax.analysis.liveness import Liveness
from torch2jax.analysis.program import Function, Program, dotted
from torch2jax.analysis.restating import Problem, changes_values
from torch2jax.analysis.training import Flows
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind, Value

_GROWING = frozenset({"append", "insert", "extend", "add"})


def find_shown_state(program: Program, effects: Effects, flows: Flows) -> list[Problem]:
    """The statements that change a tensor which something else still shows."""
    state = effects.module_state
    if not state.writes:
        return []
    search = _Search(program, effects, flows)
    search.find_changes()
    if not any(search.changed.values()):
        return list(search.kept_under_second_names())
    search.find_shows()
    found = [problem for function in search.functions for problem in search.conflicts(function)]
    return [*found, *search.kept_under_second_names()]


def reads_before_changes(program: Program, effects: Effects) -> Iterator[tuple[cst.Attribute, cst.Call]]:
    """Fields that a statement reads before a call in it that may change them: calls are evaluated before it."""
    state = effects.module_state
    if not state.writes or not effects.threads:
        return
    search = _Search(program, effects, None)
    search.find_changes(everything=True)
    for call in program.index.calls:
        changed = search.changed_by(call)
        if not changed or not effects.changes_state(call):
            continue
        line = program.index.statement_of(call)
        before = _before(line, call) if isinstance(line, cst.SimpleStatementLine) else ()
        for node in before:
            if isinstance(node, cst.Attribute) and node.attr.value in changed and node in state.reads:
                yield node, call
            elif isinstance(node, cst.AugAssign) and isinstance(node.target, cst.Attribute):
                if node.target in state.writes and node.target.attr.value in changed:
                    yield node.target, call


def _before(line: cst.BaseStatement, call: cst.Call) -> Iterator[cst.CSTNode]:
    """What of a statement is evaluated before a call, the call's own arguments excepted."""
    for node in descendants(line):
        if node is call:
            return
        yield node


@dataclass(slots=True)
class _Search:
    program: Program
    effects: Effects
    flows: Flows | None
    changed: dict[Function | None, set[str]] = field(default_factory=dict)
    shows: set[Function] = field(default_factory=set)
    calls: dict[Function | None, list[cst.Call]] = field(default_factory=dict)

    @property
    def functions(self) -> list[Function | None]:
        return [None, *self.program.functions.values()]

    def value(self, node: cst.CSTNode) -> Value:
        return self.effects.values(node)

    # what changes

    def find_changes(self, everything: bool = False) -> None:
        """Find the fields that functions change in place; with `everything`, those that they give new values, too."""
        for call in self.program.index.calls:
            self.calls.setdefault(self.program.function_around(call), []).append(call)
        for node, written in self.effects.module_state.writes.items():
            if everything or written is not node or self.is_augmented(node):
                self.changed.setdefault(self.program.function_around(node), set()).add(node.attr.value)
        again = True
        while again:
            again = False
            for function, calls in self.calls.items():
                known = self.changed.setdefault(function, set())
                reached = {name for call in calls for name in self.changed_by(call)}
                again |= not reached <= known
                known |= reached

    def is_augmented(self, node: cst.Attribute) -> bool:
        return isinstance(self.program.index.parents.get(node), cst.AugAssign) and self.value(node).kind is Kind.TENSOR

    def reached(self, call: cst.Call) -> Iterator[Function]:
        """The functions that a call runs, the forwards of the members of a sequence among them."""
        yield from self.effects.values.callees.get(call, ())
        waiting = [self.value(call.func)] if self.value(call.func).kind is Kind.MODULE else []
        seen = 0
        while waiting and seen < 100:
            seen += 1
            value = waiting.pop()
            waiting += self.effects.members(value)
            for item in self.effects.classes_of(value):
                forward = item.method("forward")
                if forward is not None:
                    yield forward

    def changed_by(self, call: cst.Call) -> set[str]:
        return {name for function in self.reached(call) for name in self.changed.get(function, ())}

    # what is shown

    def find_shows(self) -> None:
        names = {name for found in self.changed.values() for name in found}
        fields = {f"field:{name}" for name in names}
        again = True
        while again:
            again = False
            for function in self.program.functions.values():
                if function not in self.shows and any(
                    self.is_shown(node.value, fields)
                    for node in own_nodes(function.node)
                    if isinstance(node, cst.Return) and node.value is not None
                ):
                    self.shows.add(function)
                    again = True

    def is_shown(self, node: cst.BaseExpression, fields: set[str]) -> bool:
        """Whether a result may be one of some fields: by its roots, or because a call of its function may show one."""
        roots = _roots(self.value(node))
        if roots & fields:
            return True
        function = self.program.function_around(node)
        return "*" in roots and any(self.is_view_call(call) for call in self.calls.get(function, ()))

    def is_view_call(self, call: cst.Call) -> bool:
        """Whether the result of a call may be a field that is changed in place."""
        roots = _roots(self.value(call))
        shared = "*" in roots or any(root.startswith("field:") for root in roots)
        return shared and any(function in self.shows for function in self.reached(call))

    # conflicts

    def conflicts(self, function: Function | None) -> Iterator[Problem]:
        calls = self.calls.get(function, [])
        changing = [call for call in calls if self.changed_by(call)]
        if not changing or self.flows is None:
            return
        shown = [call for call in calls if self.is_view_call(call)]
        held = {name for call in shown for name in self.names_for(call)}
        liveness = self.flows.liveness(function)
        env = function.env if function is not None else self.program.module_env
        for call in changing:
            line = self.program.index.statement_of(call)
            after = self.effects.values.after.get(line, env)
            name = self.live_view(call, line, liveness, after, held)
            if name is not None:
                yield Problem(call, "T2J303", {"name": min(self.changed_by(call)), "other": name})
        for call in shown:
            if self.is_collected(call) and (self.is_repeated(call) or len(changing) > 1):
                yield Problem(
                    call, "T2J303", {"name": min(self.changed_by(call) or {"a field"}), "other": "a container"}
                )

    def live_view(
        self, call: cst.Call, line: cst.BaseStatement, liveness: Liveness, env: dict[str, Value], held: set[str]
    ) -> str | None:
        """A variable that is read behind a statement and may be a field which the statement changes."""
        fields = {f"field:{name}" for name in self.changed_by(call)}
        bound = _bound_by(line)
        for name in sorted(liveness.after_statement(line) - bound):
            roots = _roots(env[name]) if name in env else frozenset()
            if roots & fields or (name in held and "*" in roots):
                return name
        return None

    def names_for(self, call: cst.Call) -> set[str]:
        """The variables that the result of a call is bound to."""
        node: cst.CSTNode = call
        parents = self.program.index.parents
        while isinstance(parents.get(node), (cst.Element, cst.Tuple, cst.Attribute, cst.Subscript, cst.Call, cst.Arg)):
            node = parents[node]
            if isinstance(node, cst.BaseExpression) and "*" not in _roots(self.value(node)):
                return set()
        parent = parents.get(node)
        return _bound_by(self.program.index.statement_of(call)) if isinstance(parent, cst.Assign) else set()

    def is_collected(self, call: cst.Call) -> bool:
        """Whether the result of a call goes into a list."""
        parents = self.program.index.parents
        argument = parents.get(call)
        outer = parents.get(argument) if isinstance(argument, cst.Arg) else None
        grows = (
            isinstance(outer, cst.Call)
            and isinstance(outer.func, cst.Attribute)
            and outer.func.attr.value in _GROWING
            and self.value(outer.func.value).kind is not Kind.TENSOR
        )
        return grows or isinstance(argument, (cst.ListComp, cst.DictComp, cst.Element))

    def is_repeated(self, call: cst.Call) -> bool:
        loops = (cst.For, cst.While, cst.ListComp, cst.DictComp)
        return any(isinstance(item, loops) for item in self.program.index.ancestors(call))

    # fields that are given tensors which have names

    def kept_under_second_names(self) -> Iterator[Problem]:
        """`self.last = h` and `h += 1` behind it, or a change of `self.last` in place while `h` is still read."""
        for node, written in self.effects.module_state.writes.items():
            value = self.given(node) if written is node else None
            if value is None or self.value(value).kind is not Kind.TENSOR:
                continue
            function = self.program.function_around(node)
            roots = self.value(value).roots
            if function is None or not roots or isinstance(value, cst.Call):
                continue
            for line, place in _changes(function):
                shared = isinstance(place, cst.Name) and self.value(place).roots & roots
                own = dotted(place) == dotted(node) and self.reads_later(function, line, roots)
                if shared or own:
                    yield Problem(line, "T2J303", {"name": code(place), "other": code(node) if shared else code(value)})

    def given(self, node: cst.Attribute) -> cst.BaseExpression | None:
        parents = self.program.index.parents
        target = parents.get(node)
        assign = parents.get(target) if isinstance(target, cst.AssignTarget) else None
        return assign.value if isinstance(assign, cst.Assign) else None

    def reads_later(self, function: Function, line: cst.CSTNode, roots: frozenset[str]) -> bool:
        assert self.flows is not None
        statement = self.program.index.statement_of(line)
        env = self.effects.values.after.get(statement, function.env)
        live = self.flows.liveness(function).after_statement(statement)
        return any(name in env and env[name].kind is Kind.TENSOR and env[name].roots & roots for name in live)


def _changes(function: Function) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """The operations of a function that change a tensor in place, with the place of the tensor."""
    for node in own_nodes(function.node):
        place: cst.BaseExpression | None = None
        match node:
            case cst.AugAssign(target=target):
                place = target
            case cst.AssignTarget(target=cst.Subscript() as target):
                place = target
            case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=name))) if changes_values(name):
                place = receiver
        while isinstance(place, cst.Subscript) or (isinstance(place, cst.Attribute) and place.attr.value == "data"):
            place = place.value
        if place is not None:
            yield node, place


def _roots(value: Value) -> frozenset[str]:
    found = value.roots
    for part in (*(value.items or ()), *([value.elem] if value.elem is not None else [])):
        found |= _roots(part)
    return found


def _bound_by(line: cst.CSTNode) -> set[str]:
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    if not isinstance(small, cst.Assign):
        return set()
    return {
        item.value
        for target in small.targets
        for item in (target.target, *descendants(target.target))
        if isinstance(item, cst.Name)
    }
