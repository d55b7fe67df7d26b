"""Second names for fields that modules change in place: torch changes what they refer to, JAX does not.

    a = model(x)        # `forward` returns `self.total`, to which it adds in place
    b = model(y)        # in torch this changes `a`, too
    model.total += 1    # as does this
    model.load_state_dict(saved)

    self.last = x[0]    # and where `last` is changed in place elsewhere, that changes `x`

A may-analysis over the call graph: `changed` are the fields that a function, or what it calls, changes in place; a function
`shows` a field if its result may be that tensor or a view of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import libcst as cst

from torch2jax.facts.effects import Effects
from torch2jax.facts.module_state import LAYER_FIELDS, changes_in_place
from torch2jax.facts.mutations import changes_values
from torch2jax.facts.training import Flows
from torch2jax.ops.python import stores_arguments
from torch2jax.program.calls import spread_to_callers
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind, Value


def find_shown_state(program: Program, effects: Effects, flows: Flows) -> list[Problem]:
    """The statements that change a tensor which something else still shows."""
    search = _Search(program, effects, flows)
    search.find_changes()
    found: list[Problem] = []
    if any(search.changed.values()):
        search.find_shows()
        found += [problem for function in search.functions for problem in search.conflicts(function)]
    found += [*search.kept_under_second_names(), *search.made_under_two_names()]
    return [*found, *search.loaded_under_second_names()]


@dataclass(frozen=True, slots=True)
class TensorChange:
    """What changes tensors of the module, or the one tensor, at `place` in place: all of them, or some of them, by the names
    of their `fields` where tensors of these fields are not found by what they may be (see `find_shown_state`).
    """

    function: Function | None
    node: cst.BaseExpression
    place: str
    fields: frozenset[str] | None


def changes_of_tensors(program: Program, effects: Effects) -> Iterator[TensorChange]:
    """The places where code outside of a module changes tensors of it."""
    search = _Search(program, effects, None)
    search.find_changes()
    for function, nodes in search.direct.items():
        for node in nodes:
            place = dotted_part(node)
            is_own = (
                function is not None and isinstance(node.value, cst.Name) and node.value.value == function.self_name
            )
            if place is not None and not is_own:
                yield TensorChange(function, node, place, None)
    for function, calls in search.calls.items():
        for call in calls:
            receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
            if receiver is not None and is_loading(call):
                place = dotted_part(receiver)
                if place is not None and effects.values(receiver).kind is Kind.MODULE:
                    yield TensorChange(function, call, place, None)
                continue
            modules = [call.func, *([receiver] if receiver is not None else []), *(item.value for item in call.args)]
            is_changing = effects.changes_state(call)
            for module in modules if is_changing or search.changed_by(call) else ():
                place = dotted_part(module)
                if place is None or effects.values(module).kind is not Kind.MODULE:
                    continue
                parts = search.inside(effects.values(module)) if is_changing else ()
                of_layers = any(search.has_layer_state(part) for part in parts)
                yield TensorChange(function, call, place, LAYER_FIELDS if of_layers else frozenset())


def dotted_part(node: cst.BaseExpression) -> str | None:
    """The text of a place up to its first index: `net.layers` of `net.layers[0].weight`."""
    while isinstance(node, (cst.Attribute, cst.Subscript)) and dotted(node) is None:
        node = node.value
    return dotted(node)


def is_loading(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "load_state_dict"


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
    direct: dict[Function | None, list[cst.Attribute]] = field(default_factory=dict)  # what it changes by itself
    in_place: frozenset[cst.Attribute] = frozenset()
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
        state = self.effects.module_state
        self.in_place = frozenset(changes_in_place(self.program, self.effects.values, state))
        for node in state.writes if everything else self.in_place:
            function = self.program.function_around(node)
            self.changed.setdefault(function, set()).add(node.attr.value)
            self.direct.setdefault(function, []).append(node)
        spread_to_callers(self.changed, self.calls, self.changed_by)

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
        found = {name for function in self.reached(call) for name in self.changed.get(function, ())}
        if is_loading(call):
            assert isinstance(call.func, cst.Attribute)
            found |= self.tensors_of(self.value(call.func.value))
        return found

    def tensors_of(self, module: Value) -> set[str]:
        """The parameters and buffers of a module and of what is in it, by the names of their fields."""
        return {
            name
            for value in self.inside(module)
            for item in self.effects.classes_of(value)
            for name, held in item.all_fields()
            if held.kind is Kind.TENSOR and held.types & {"buffer", "parameter"}
        }

    def inside(self, module: Value) -> Iterator[Value]:
        """A module, and the modules in it."""
        waiting, seen = [module], set[str]()
        while waiting:
            value = waiting.pop()
            yield value
            waiting += self.effects.members(value)
            for item in self.effects.classes_of(value):
                if item.key not in seen:
                    seen.add(item.key)
                    waiting += [held for _, held in item.all_fields() if held.kind is Kind.MODULE]

    def has_layer_state(self, module: Value) -> bool:
        layers = (self.effects.tables.layers.get(name) for name in module.types)
        return any(layer is not None and "state" in layer.effects for layer in layers)

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
        changes: list[tuple[cst.BaseExpression, set[str]]] = [
            (call, changed) for call in calls if (changed := self.changed_by(call))
        ]
        changes += [(node, {node.attr.value}) for node in self.direct.get(function, [])]
        if not changes or self.flows is None:
            return
        shown = [call for call in calls if self.is_view_call(call)]
        held = {name for call in shown for name in self.names_for(call)}
        liveness = self.flows.liveness(function)
        env = function.env if function is not None else self.program.module_env
        for node, changed in changes:
            line = self.program.index.statement_of(node)
            fields = {f"field:{name}" for name in changed}
            after = self.effects.values.after.get(line, env)
            has_callee = isinstance(node, cst.Call) and not is_loading(node)
            for item in node.args if isinstance(node, cst.Call) and has_callee else ():
                if self.value(item.value).kind is Kind.TENSOR and self.value(item.value).roots & fields:
                    yield Problem(node, "T2J303", {"name": f"self.{min(changed)}", "other": code(item.value)})
            for name in sorted(liveness.after_statement(line) - _bound_by(line)):
                roots = _roots(after[name]) if name in after else frozenset()
                if (name in held and roots & {*fields, "*"}) or (roots & fields and has_callee):
                    # (other names for what a function changes by itself are found elsewhere)
                    yield Problem(node, "T2J303", {"name": f"self.{min(changed)}", "other": name})
                    break
        for call in shown:
            others = (names for event, names in changes if event is not call or self.is_repeated(call))
            seen = set[str]().union(*others)
            if seen and self.is_collected(call):
                yield Problem(call, "T2J303", {"name": f"self.{min(seen)}", "other": "a container"})

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
            and stores_arguments(outer.func.attr.value, self.value(outer.func.value).kind)
        )
        return grows or isinstance(argument, (cst.ListComp, cst.DictComp, cst.Element))

    def is_repeated(self, node: cst.CSTNode) -> bool:
        loops = (cst.For, cst.While, cst.ListComp, cst.DictComp)
        return any(isinstance(item, loops) for item in self.program.index.ancestors(node))

    # fields that are given tensors which have names

    def kept_under_second_names(self) -> Iterator[Problem]:
        """`self.last = h` and `h += 1` behind it, or a change of `self.last` in place while `h` is still read."""
        changed = set[str]().union(*self.changed.values())
        for node, written in self.effects.module_state.writes.items():
            value = self.given(node) if written is node else None
            if value is None or self.value(value).kind is not Kind.TENSOR:
                continue
            function = self.program.function_around(node)
            roots = self.value(value).roots
            if function is None or node in self.in_place:
                continue
            others = roots - {f"field:{node.attr.value}"}
            if node.attr.value in changed and self.is_seen_outside(function, others):
                yield Problem(node, "T2J303", {"name": code(node), "other": code(value)})
                continue
            if not roots or isinstance(value, cst.Call):
                continue
            for line, place in _changes(function):
                is_same = isinstance(place, cst.Name) and bool(self.value(place).roots & roots)
                shared = is_same and not self.is_before(function, line, node)
                own = dotted(place) == dotted(node) and self.reads_later(function, line, roots)
                if shared or own:
                    yield Problem(line, "T2J303", {"name": code(place), "other": code(node) if shared else code(value)})

    def is_before(self, function: Function, change: cst.CSTNode, node: cst.CSTNode) -> bool:
        """Whether a tensor that a call makes for itself is changed before the call puts it into a field."""
        place = self.given(node) if isinstance(node, cst.Attribute) else None
        roots = self.value(place).roots if place is not None else frozenset()
        made = self.effects.values.makers(roots)
        inside = own_nodes(function.node)  # the last one first
        if not roots or len(made) != len(roots) or not all(item in inside for item in (*made, change, node)):
            return False
        return inside.index(change) > inside.index(node) and not self.is_repeated(node)

    def made_under_two_names(self) -> Iterator[Problem]:
        """`self.first = self.second = x` where a module is made, one of which changes in place later."""
        for item in self.program.module_classes() if any(self.changed.values()) else ():
            init = item.methods.get("__init__")
            if init is None or init.node not in self.program.functions:
                continue
            changed = self.changed_in(item)
            before: list[tuple[str, frozenset[str], cst.BaseExpression]] = []
            for node, name, value in self.tensors_given(init):
                roots = self.value(value).roots | {f"field:{name}"}
                same = (
                    other
                    for other, own, first in before
                    if other != name and own & roots and not self.are_entries_apart(first, value)
                )
                other = next(same, None)
                if other is not None and not changed.isdisjoint((name, other)):
                    yield Problem(node, "T2J303", {"name": f"self.{name}", "other": f"self.{other}"})
                before.append((name, roots, value))

    def loaded_under_second_names(self) -> Iterator[Problem]:
        """`net.load_state_dict(saved)` where `__init__` has given a buffer of a part a second name: `self.scale = self.part.scale`."""
        for call in self.program.index.calls:
            if not is_loading(call) or not isinstance(call.func, cst.Attribute):
                continue
            inside = [
                item for value in self.inside(self.value(call.func.value)) for item in self.effects.classes_of(value)
            ]
            inits = [item.methods.get("__init__") for item in inside]
            for init in (item for item in inits if item is not None and item.node in self.program.functions):
                for _, name, value in self.tensors_given(init):
                    if isinstance(value, cst.Attribute) and self.is_buffer_of_part(value, init):
                        yield Problem(call, "T2J303", {"name": code(value), "other": f"self.{name}"})
                        break

    def is_buffer_of_part(self, node: cst.Attribute, init: Function) -> bool:
        """Whether a place is a buffer that the class of another module registers."""
        parts = [part for item in self.effects.classes_of(self.value(node.value)) for part in item.lineage]
        return not _is_own(node.value, init) and any(part.is_registered(node.attr.value) for part in parts)

    def are_entries_apart(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions are different entries of a dict, `tables["a"]` and `tables["b"]`, that holds no tensor twice."""
        if not (isinstance(one, cst.Subscript) and isinstance(other, cst.Subscript)):
            return False
        keys = [_key_of(item) for item in (one, other)]
        if None in keys or keys[0] == keys[1] or code(one.value) != code(other.value):
            return False
        roots = self.value(one).roots
        if self.value(one.value).kind is not Kind.DICT or self.value(other).roots != roots:
            return False
        found = [entries for entries in self.written_dicts() if any(not entry.isdisjoint(roots) for entry in entries)]
        return len(found) == 1 and frozenset[str]().union(*found[0]) == roots and sum(map(len, found[0])) == len(roots)

    def written_dicts(self) -> Iterator[list[frozenset[str]]]:
        """What the entries of each dict that is written out in the file may share."""
        for node in self.program.index.every(cst.Dict):
            assert isinstance(node, cst.Dict)
            yield [self.value(item.value).roots for item in node.elements]

    def changed_in(self, item: Class) -> set[str]:
        """The fields that methods of a class, of what it is made of, or functions outside of classes change in place."""
        found = set[str]()
        for function, names in self.changed.items():
            owner = function.owner if function is not None else None
            if owner is None or owner in item.lineage or item in owner.lineage or not owner.is_module:
                found |= names
        return found

    def tensors_given(self, init: Function) -> Iterator[tuple[cst.CSTNode, str, cst.BaseExpression]]:
        """The fields and buffers that a constructor makes of tensors, in source order."""
        for node in reversed(own_nodes(init.node)):
            match node:
                case cst.Assign(targets=targets, value=value) if self.value(value).kind is Kind.TENSOR:
                    for target in targets:
                        if isinstance(target.target, cst.Attribute) and _is_own(target.target.value, init):
                            yield node, target.target.attr.value, value
                case cst.Call(
                    func=cst.Attribute(value=owner, attr=cst.Name("register_buffer")), args=[name, given, *_]
                ):
                    const = self.value(name.value).const
                    if _is_own(owner, init) and isinstance(const, str) and self.value(given.value).kind is Kind.TENSOR:
                        yield node, const, given.value

    def is_seen_outside(self, function: Function, roots: frozenset[str]) -> bool:
        """Whether a tensor of a method may be one that the caller has given, or one that it gets."""
        if any(root.startswith("param:") for root in roots):
            return True
        return bool(roots) and any(
            _roots(self.value(item.value)) & roots
            for item in own_nodes(function.node)
            if isinstance(item, cst.Return) and item.value is not None
        )

    def given(self, node: cst.Attribute) -> cst.BaseExpression | None:
        parents = self.program.index.parents
        target = parents.get(node)
        row = parents.get(target) if isinstance(target, cst.Element) else None
        if isinstance(row, cst.Tuple):
            outer = parents.get(row)
            assign = parents.get(outer) if isinstance(outer, cst.AssignTarget) else None
            values = assign.value if isinstance(assign, cst.Assign) else None
            if not isinstance(values, cst.Tuple) or len(values.elements) != len(row.elements):
                return None
            return values.elements[row.elements.index(target)].value
        assign = parents.get(target) if isinstance(target, cst.AssignTarget) else None
        return assign.value if isinstance(assign, cst.Assign) else None

    def reads_later(self, function: Function, line: cst.CSTNode, roots: frozenset[str]) -> bool:
        assert self.flows is not None
        statement = self.program.index.statement_of(line)
        env = self.effects.values.after.get(statement, function.env)
        live = self.flows.liveness(function).after_statement(statement)
        return any(name in env and env[name].kind is Kind.TENSOR and env[name].roots & roots for name in live)


def _key_of(node: cst.Subscript) -> str | None:
    """The key of `tables["a"]`, if it is written out."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString(value=text)))]:
            return text
    return None


def _is_own(node: cst.BaseExpression, method: Function) -> bool:
    return isinstance(node, cst.Name) and node.value == method.self_name


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
    for part in value.parts:
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
