"""Which objects of Python code changes that live on behind it: lists, dicts, objects, and variables of scopes around it.

    def note(log, x):              note changes what its parameter `log` holds
        entry = log.setdefault("n", [])
        entry.append(x)

    def step(x):
        seen = []                  made here: nobody else sees it
        note({"n": seen}, x)
        note(history, x)           step changes `history`

Forward over definitions, flow-sensitive in variables: the objects that an expression may stand for are sets of roots, the variables
that were bound outside; join is union, a may-analysis. Summaries of functions are the least fixpoint over the call graph, across
files. Tensors are no objects in this sense: in-place operations are values (normalize/), and fields of modules are state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.module_state import is_state
from torch2jax.facts.mutations import changes_values
from torch2jax.ops.python import CHANGES_FIRST, SHALLOW_COPIES, Does, changes_container, gives_parts, method_does
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Function, Program, dotted
from torch2jax.program.scopes import Variable
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

Ref = tuple[Variable, bool]  # the object, or a part of it; True: something new that holds parts of it
Refs = frozenset[Ref]
_NONE: Refs = frozenset()
_PLACES = (cst.Attribute, cst.Subscript)
_DISPLAYS = (cst.List, cst.Tuple, cst.Dict, cst.Set)
_BINDING = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.CompFor, cst.Del, cst.AsName)
# What stores to these mean is decided elsewhere.
_NOT_HELD = (Kind.TENSOR, Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.PARAMETERS, Kind.GENERATOR, Kind.TORCH)
_NEW_EACH_TIME = (Kind.LOADER, Kind.DATASET)


@dataclass(frozen=True, slots=True)
class Change:
    """An object that code changes, or (`rebinds`) a variable around it that it binds: at `node` in `function`, by `stores`."""

    variable: Variable
    rebinds: bool
    node: cst.CSTNode
    function: Function | None
    stores: frozenset[cst.CSTNode] = frozenset()


Changes = Mapping[tuple[Variable, bool], Change]


@dataclass(slots=True)
class _Code:
    """What a function, or a module outside of all functions, does itself: the stores and changing calls, and all calls."""

    stores: list[tuple[cst.CSTNode, cst.BaseExpression]] = field(default_factory=list)
    calls: list[cst.Call] = field(default_factory=list)
    rebinds: list[tuple[cst.CSTNode, str]] = field(default_factory=list)


@dataclass(slots=True)
class ObjectChanges:
    """The objects that the functions and other code of a file change."""

    program: Program
    values: Values
    _code: dict[Function | None, _Code] = field(init=False)
    _summaries: dict[Function, Changes] | None = None
    _returned: dict[Function, Refs] = field(default_factory=dict)
    _homes: dict[Function, ObjectChanges | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._code = self._find_code()

    def of(self, function: Function) -> Changes:
        """What a function changes that it has not made: objects in its parameters, and in variables around it."""
        home = self._home(function)
        return home._solved().get(function, {}) if home is not None else {}

    def parameters(self, function: Function) -> dict[str, cst.CSTNode]:
        """The parameters whose objects a function changes, each with a place where it does."""
        found = self.of(function).values()
        return {
            item.variable.name: item.node for item in found if item.variable.owner is function.node and not item.rebinds
        }

    def every(self) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
        """The stores and calls of the file that change an object, each with the expression that gives it."""
        for code in self._code.values():
            yield from code.stores
            for call in code.calls:
                for callee in self.values.reached_by(call):
                    for name in self.parameters(callee):
                        yield from ((call, given) for given in self._arguments(callee, call, name))

    def _arguments(self, callee: Function, call: cst.Call, name: str) -> list[cst.BaseExpression]:
        """What a call gives a parameter of a function that it runs."""
        passed = [value for parameter, value in arguments_by_parameter(callee, call, self.values) if parameter == name]
        if passed or name != callee.self_name or callee.name == "__init__":
            return passed
        is_method = isinstance(call.func, cst.Attribute) and call.func.attr.value == callee.name
        return [call.func.value if is_method else call.func]  # type: ignore[attr-defined]

    def within(self, nodes: Sequence[cst.CSTNode]) -> list[Change]:
        """What some code, with all that it calls, changes that was there before it."""
        return list(self._changes(self.program.function_around(nodes[0]), nodes).values())

    def returned(self, function: Function) -> Refs:
        """What the result of a function may be: what it is given, something around it, or new with parts of these."""
        home = self._home(function)
        return home._find_returned(function) if home is not None else _NONE

    def _home(self, function: Function) -> ObjectChanges | None:
        """The changes of the file of a function."""
        if function.node in self.program.functions:
            return self
        if function not in self._homes:
            others = (item for item in self.program.modules.values() if function.node in item.functions)
            other = next(others, None)
            self._homes[function] = _changes_of_file(other, self.values) if other is not None else None
        return self._homes[function]

    # the fixpoint

    def _solved(self) -> Mapping[Function, Changes]:
        if self._summaries is None:
            self._summaries = {}
            users = self._users()
            waiting = [item for item, code in self._code.items() if item is not None and (code.stores or code.rebinds)]
            for used in users:
                if used.node not in self.program.functions and self.of(used):
                    waiting += [user for user in users[used] if user not in waiting]
            while waiting:
                function = waiting.pop()
                found = self._changes(function, [function.node.body])
                if found != self._summaries.get(function, {}):
                    self._summaries[function] = found
                    waiting += [user for user in users.get(function, ()) if user not in waiting]
        return self._summaries

    def _users(self) -> dict[Function, list[Function]]:
        """The functions that call a function, or pass it on."""
        found: dict[Function, list[Function]] = {}
        for function, code in self._code.items():
            for call in code.calls if function is not None else ():
                for used in (*self.values.reached_by(call), *self._passed(call)):
                    found.setdefault(used, []).append(function)  # type: ignore[arg-type]
        return found

    def _find_code(self) -> dict[Function | None, _Code]:
        program = self.program
        found: dict[Function | None, _Code] = {None: _Code()} | {item: _Code() for item in program.functions.values()}
        for call in program.index.calls:
            code = found[program.function_running(call)]
            code.calls.append(call)
            changed = self._changed_by_call(call)
            if changed is not None:
                code.stores.append((call, changed))
        for node in program.index.every(*_BINDING):
            for place in _stored(node):
                if isinstance(place, _PLACES) and (holder := self._holder(place.value)) is not None:
                    found[program.function_running(node)].stores.append((node, holder))
                elif isinstance(place, _PLACES) and self._is_object(place.value):
                    found[program.function_running(node)].stores.append((node, place.value))
                elif isinstance(place, cst.Name) and isinstance(node, cst.AugAssign) and self._is_container(place):
                    found[program.function_running(node)].stores.append((node, place))
        for item in program.index.every(cst.NameItem):  # of `global` and `nonlocal`
            found[program.function_running(item)].rebinds.append((item, item.name.value))
        return found

    def _changed_by_call(self, call: cst.Call) -> cst.BaseExpression | None:
        """The object that a call of Python's own changes."""
        function = call.func
        if dotted(function) in CHANGES_FIRST or self.values(function).const in CHANGES_FIRST:
            first = call.args[0].value if call.args else None
            return first if first is not None and self._is_object(first) else None
        if not isinstance(function, cst.Attribute) or self.values.reached_by(call):
            return None
        receiver, name, kind = function.value, function.attr.value, self.values(function.value).kind
        if kind is Kind.TENSOR and changes_values(name):
            is_held = isinstance(receiver, _PLACES) and self._is_container(receiver.value)
            return receiver.value if is_held and isinstance(receiver, _PLACES) else self._holder(receiver)
        if kind in _NOT_HELD or not changes_container(name, kind) or not self._is_object(receiver):
            return None
        # Those methods of containers that give nothing back stand alone: `x.add(y) * 2` is none.
        alone = isinstance(self.program.index.parents.get(call), (cst.Expr, cst.Lambda)) or Does.GIVES in method_does(
            name
        )
        return receiver if alone else None

    def _holder(self, place: cst.BaseExpression) -> cst.BaseExpression | None:
        """The object in whose field a tensor lies that changes in place: in JAX the field is set anew."""
        while isinstance(place, cst.Subscript):
            place = place.value
        is_field = isinstance(place, cst.Attribute) and self.values(place).kind is Kind.TENSOR
        holder = place.value if is_field and isinstance(place, cst.Attribute) else None
        return holder if holder is not None and self.values(holder).kind is Kind.OBJECT else None

    def _is_object(self, node: cst.BaseExpression) -> bool:
        """Whether a store into a value is a change of an object of Python's, and not of a tensor or the state of a module."""
        if self.values(node).kind in _NOT_HELD:
            return False
        while isinstance(node, _PLACES):
            if isinstance(node, cst.Attribute) and is_state(self.program, self.values, node):
                return False
            node = node.value
        return True

    def _is_container(self, node: cst.BaseExpression) -> bool:
        return self.values(node).kind in (Kind.LIST, Kind.DICT)

    # what code changes

    def _changes(self, function: Function | None, nodes: Sequence[cst.CSTNode]) -> Changes:
        code, scopes = self._code[function], self.program.definitions.scopes
        is_whole = function is not None and list(nodes) == [function.node.body]
        inside = None if is_whole else frozenset(item for node in nodes for item in descendants(node))
        work = _Objects(self, function, inside)
        found: dict[tuple[Variable, bool], Change] = {}

        def add(refs: Refs, node: cst.CSTNode, where: Function | None, stores: frozenset[cst.CSTNode]) -> None:
            for variable, is_new in refs:
                if not is_new:
                    known = found.get((variable, False)) or Change(variable, False, node, where)
                    found[variable, False] = replace(known, stores=known.stores | stores)

        for node, changed in code.stores:
            if inside is None or node in inside:
                add(work.refs(changed), node, function, frozenset({node}))
        for node, name in code.rebinds:
            variable = scopes.lookup(name, scopes.around(node))
            if variable is not None and (inside is None or node in inside):
                found.setdefault((variable, True), Change(variable, True, node, function))
        for call in code.calls:
            if inside is None or call in inside:
                for change, refs in self._changed_through(work, call):
                    if change.rebinds:
                        found.setdefault((change.variable, True), change)
                    else:
                        add(refs, change.node, change.function, change.stores)
        return found

    def _changed_through(self, work: _Objects, call: cst.Call) -> Iterator[tuple[Change, Refs]]:
        """What the functions that a call runs change, and what that is here."""
        for callee in self.values.reached_by(call):
            for change in self.of(callee).values():
                if change.rebinds:
                    if not work.is_own(change.variable):
                        yield change, _NONE
                elif change.variable.owner is callee.node:
                    yield change, work.given(callee, call, change.variable.name)
                else:
                    yield change, work.variable_refs(change.variable)
        for passed in self._passed(call):
            for change in self.of(passed).values():
                if change.variable.owner is not passed.node and not (change.rebinds and work.is_own(change.variable)):
                    yield change, work.variable_refs(change.variable)

    def _passed(self, call: cst.Call) -> Iterator[Function]:
        """The functions that a call is given: `map(f, x)`, `module.apply(f)`."""
        by_key = self.program.by_key
        for argument in call.args:
            value = self.values(argument.value)
            if value.kind is Kind.FUNCTION:
                yield from (by_key[key] for key in sorted(value.types) if key in by_key)

    def _find_returned(self, function: Function) -> Refs:
        if function not in self._returned:
            self._returned[function] = _NONE
            work = _Objects(self, function, None)
            results = [node for node in own_nodes(function.node) if isinstance(node, (cst.Return, cst.Yield))]
            given = [node.value for node in results if isinstance(node.value, cst.BaseExpression)]
            self._returned[function] = _NONE.union(*map(work.refs, given))
        return self._returned[function]


_SAME, _PART, _HELD = (
    None,
    False,
    True,
)  # what a value is of another: that itself, a part of it, or new with parts of it
_Source = tuple[cst.BaseExpression | Variable, bool | None]


@dataclass(slots=True)
class _Objects:
    """The objects that expressions of some code may stand for. `inside` are its nodes; None: all of a function's body."""

    changes: ObjectChanges
    function: Function | None
    inside: frozenset[cst.CSTNode] | None

    def refs(self, node: cst.BaseExpression) -> Refs:
        """The variables from outside whose objects, or parts of them, an expression may give."""
        return self._follow([(node, _SAME)])

    def variable_refs(self, variable: Variable) -> Refs:
        """The objects that a variable may hold at any time."""
        if not self._is_of_code(variable):
            return frozenset({(variable, False)})
        return self._follow(
            [
                source
                for item in self.changes.program.definitions.every(variable)
                for source in self._of_definition(item)
            ]
        )

    def given(self, callee: Function, call: cst.Call, name: str) -> Refs:
        """What a call gives a parameter of a function."""
        return self._follow(self._given(callee, call, name))

    def is_own(self, variable: Variable) -> bool:
        """Whether a variable is one of the code's own: of a function that it holds as a whole."""
        owner = variable.owner
        if self.inside is not None:
            return owner in self.inside
        return self.function is not None and owner is self.function.node

    def _follow(self, sources: Sequence[_Source]) -> Refs:
        """The outermost of the steps on the way to a root says whether that is the object or held by it."""
        found: set[Ref] = set()
        waiting = list(sources)
        seen = set(waiting)
        while waiting:
            item, how = waiting.pop()
            if isinstance(item, Variable):
                found.add((item, bool(how)))
                continue
            for source, step in self._sources(item):
                new = (source, step if how is _SAME else how)
                if new not in seen:
                    seen.add(new)
                    waiting.append(new)
        return frozenset(found)

    def _sources(self, node: cst.BaseExpression) -> Iterator[_Source]:
        """What the value of an expression may be, be a part of, or hold."""
        values = self.changes.values
        match node:
            case cst.Name():
                yield from self._of_name(node)
            case cst.Attribute():
                yield node.value, _PART
            case cst.Subscript():
                is_copy = values(node.value).is_sequence and any(
                    isinstance(part.slice, cst.Slice) for part in node.slice
                )
                yield node.value, _HELD if is_copy else _PART
            case cst.Call():
                yield from self._of_call(node)
            case cst.IfExp():
                yield from ((node.body, _SAME), (node.orelse, _SAME))
            case cst.BooleanOperation():
                yield from ((node.left, _SAME), (node.right, _SAME))
            case cst.NamedExpr() | cst.StarredElement():
                yield node.value, _SAME
            case cst.Await():
                yield node.expression, _SAME
            case cst.List() | cst.Tuple() | cst.Set() | cst.Dict():
                yield from ((item.value, _HELD) for item in node.elements)
            case cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
                yield node.elt, _HELD
            case cst.DictComp():
                yield node.value, _HELD
            case cst.BinaryOperation(operator=cst.Add() | cst.BitOr()):
                yield from ((node.left, _HELD), (node.right, _HELD))

    def _of_name(self, name: cst.Name) -> Iterator[_Source]:
        variable = (
            None if self.changes.values(name).is_number else self.changes.program.definitions.scopes.variable(name)
        )
        if variable is None:
            return
        if self._is_of_code(variable):
            for item in self.changes.program.definitions.of(name):
                yield from self._of_definition(item)
        else:
            yield variable, _SAME

    def _is_of_code(self, variable: Variable) -> bool:
        """Whether a variable belongs to the function that the code stands in, or to what is inside of that."""
        if isinstance(variable.owner, (cst.CompFor, cst.Lambda, cst.ClassDef)):
            return True
        return variable.owner is (
            self.function.node if self.function is not None else self.changes.program.index.module
        )

    def _of_definition(self, item: Definition) -> Iterator[_Source]:
        if item.how is How.PARAMETER:
            star = item.node.star if isinstance(item.node, cst.Param) else ""
            if star != "**" and not isinstance(item.variable.owner, cst.Lambda):
                yield item.variable, _HELD if star else _SAME
        elif self.inside is not None and item.node not in self.inside:
            if not self._is_new_each_time(item):
                yield item.variable, _SAME
        elif item.how is How.AUGMENTED and isinstance(item.node, cst.AugAssign):
            yield item.node.target, _SAME
        elif item.value is not None and item.how in (How.ASSIGNED, How.ENTERED):
            yield item.value, _SAME
        elif item.value is not None and item.how in (How.PART, How.NEXT):
            if item.how is How.PART or self.changes.values(item.value).kind not in _NEW_EACH_TIME:
                yield item.value, _PART

    def _is_new_each_time(self, item: Definition) -> bool:
        """Whether a loop gives another object each time, of which nobody reads anything behind the code."""
        if item.how is not How.NEXT or item.value is None or self.inside is None:
            return False
        kind = self.changes.values(item.value).kind
        if kind is not Kind.UNKNOWN:
            return kind in _NEW_EACH_TIME
        order = self.changes.program.index.nodes
        uses = set(self.changes.program.definitions.uses(item)) - self.inside
        last = max((place for place, node in enumerate(order) if node in self.inside), default=0)
        return not any(node in uses for node in order[last:])

    def _of_call(self, call: cst.Call) -> Iterator[_Source]:
        values, function = self.changes.values, call.func
        callees = values.reached_by(call)
        if callees and values(function).kind is not Kind.CLASS:
            for callee in callees:
                yield from self._of_result(callee, call)
            return
        name = dotted(function)
        given = [argument.value for argument in call.args]
        copies = name in SHALLOW_COPIES or values(function).const in SHALLOW_COPIES
        if values(function).kind is Kind.CLASS or copies:
            yield from ((item, _PART if name == "next" else _HELD) for item in given)
        elif name == "super" and self.function is not None and self.function.self_name is not None:
            yield Variable(self.function.node, self.function.self_name), _SAME
        elif isinstance(function, cst.Attribute) and values(function.value).kind is not Kind.TENSOR:
            if function.attr.value == "copy":
                yield function.value, _HELD
            elif gives_parts(function.attr.value, values(function.value).kind):
                yield from ((item, _PART) for item in (function.value, *given))

    def _of_result(self, callee: Function, call: cst.Call) -> Iterator[_Source]:
        for variable, is_new in self.changes.returned(callee):
            if variable.owner is callee.node:
                sources: Sequence[_Source] = list(self._given(callee, call, variable.name))
            elif self._is_of_code(variable):
                every = self.changes.program.definitions.every(variable)
                sources = [source for item in every for source in self._of_definition(item)]
            else:
                sources = [(variable, _SAME)]
            yield from ((item, _HELD if is_new else how) for item, how in sources)

    def _given(self, callee: Function, call: cst.Call, name: str) -> list[_Source]:
        """What a call gives a parameter; a default of which nothing else is known stays the function's own."""
        arguments = arguments_by_parameter(callee, call, self.changes.values)
        passed = [value for parameter, value in arguments if parameter == name]
        if not passed and name == callee.self_name:
            if callee.name == "__init__" and self.changes.values(call.func).kind is Kind.CLASS:
                return []
            is_method = isinstance(call.func, cst.Attribute) and call.func.attr.value == callee.name
            passed = [call.func.value if is_method else call.func]  # type: ignore[attr-defined]
        if passed:
            return [(item, _SAME) for item in passed]
        if starred := [argument.value for argument in call.args if argument.star]:
            return [(item, _PART) for item in starred]
        default = next((item.default for item in callee.parameters if item.name.value == name), None)
        return [(Variable(callee.node, name), _SAME)] if isinstance(default, (*_DISPLAYS, cst.Call)) else []


def _stored(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The places and names that a statement, or a target, gives values."""
    match node:
        case cst.AnnAssign(value=None):
            return
        case cst.AssignTarget() | cst.AugAssign() | cst.AnnAssign() | cst.For() | cst.CompFor() | cst.Del():
            yield from _stored(node.target)
        case cst.AsName():
            yield from _stored(node.name)
        case cst.Tuple() | cst.List():
            for element in node.elements:
                yield from _stored(element.value)
        case _:
            yield node


def _changes_of_file(program: Program, values: Values) -> ObjectChanges:
    if program.object_changes is None:
        program.object_changes = ObjectChanges(program, values)
    assert isinstance(program.object_changes, ObjectChanges)
    return program.object_changes


def object_changes(values: Values) -> ObjectChanges:
    """The objects that the code of a file changes; worked out when first asked for."""
    return _changes_of_file(values.program, values)


__all__ = ["Change", "ObjectChanges", "object_changes"]
