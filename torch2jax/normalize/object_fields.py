"""Plain objects that change tensors in place which they were given, or have given away: whoever else holds one sees it.

box = Box(x)          # self.x = x
box.reset()           # self.x.zero_()
return x              # has changed, too

log.append(box.x)     # and so has what the list holds
box.reset()

In JAX the field of the object is rebound, and nobody else sees it: such programs are refused.

A may-analysis over the whole file: fields are told apart by their names and classes, and functions change what those change
that they call. What is kept must be seen by no change that may run behind; what a variable holds, by none while it is live.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

import libcst as cst

from torch2jax.facts.changed_parts import changes_tensor
from torch2jax.facts.infer import NEW_ARRAYS
from torch2jax.facts.listed_optimizers import lists_put_back
from torch2jax.facts.mutations import filled_arguments
from torch2jax.facts.storage import index_step
from torch2jax.facts.training import Flows
from torch2jax.normalize.escape import kept_names, puts_in_container
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import arguments_by_parameter, spread_to_callers
from torch2jax.program.definitions import How
from torch2jax.program.flow import Flow
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import bound_in
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_CONTAINERS = (Kind.LIST, Kind.DICT, Kind.TUPLE)


def shared_fields(work: NormalizationRound) -> Iterator[Problem]:
    """What must be told of the objects of a file."""
    written = {item: fields for item in work.program.classes.values() if (fields := _written_fields(work, item))}
    if work.flows is None:
        return
    by_key = {item.key: item for item in written}
    for call in work.index.calls if written else ():
        value = work.values(call.func)
        for key in value.types if value.kind is Kind.CLASS else ():
            if key in by_key:
                yield from _given(work, call, by_key[key], written[by_key[key]])
    changes = _Changes(work, work.flows)
    changes.find()
    if changes.owners:
        changes.find_takers()
        yield from changes.seen_by_variables()
        yield from changes.seen_by_lines()
        yield from changes.seen_where_kept()


def _written_fields(work: NormalizationRound, item: Class) -> frozenset[str]:
    """The fields of a plain class whose tensors its methods change in place."""
    if item.is_module:
        return frozenset()
    return frozenset(
        place.attr.value
        for method in item.methods.values()
        for _, place in _field_writes(work, method.node.body)
        if isinstance(place.value, cst.Name) and place.value.value == method.self_name
    )


def _field_writes(work: NormalizationRound, scope: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.Attribute]]:
    """The fields that some code changes in place, of plain objects and those of modules that are no parameters, and where."""
    for node in descendants(scope, cst.AugAssign, cst.AssignTarget, cst.Call):
        for changed in _changed_places(work, node):
            for place in _fields_behind(work, _stored_into(work, node, changed), set()):
                kind = work.values(place).kind
                is_open = kind is Kind.UNKNOWN and work.values(place.value).kind is Kind.OBJECT
                is_slot = kind in _CONTAINERS and _is_slot_changed(work, node, changed)
                if _is_kept(work, place) and (kind is Kind.TENSOR or is_open or is_slot):
                    yield node, place


def _stored_into(work: NormalizationRound, node: cst.CSTNode, changed: cst.BaseExpression) -> cst.BaseExpression:
    """The tensor that a store goes into, whatever its index picks: `self.best` of `self.best[is_better] = x`."""
    is_store = isinstance(node, (cst.AssignTarget, cst.AugAssign)) and isinstance(changed, cst.Subscript)
    if is_store and isinstance(changed, cst.Subscript) and work.values(changed.value).kind is Kind.TENSOR:
        return changed.value
    return changed


def _is_kept(work: NormalizationRound, place: cst.Attribute) -> bool:
    """Whether a field is one of a plain object, or a tensor or container of a module that is no parameter."""
    owner = work.values(place.value).kind
    return owner is Kind.OBJECT or (owner is Kind.MODULE and "parameter" not in work.values(place).types)


def _fields_behind(
    work: NormalizationRound, node: cst.CSTNode | None, seen: set[cst.CSTNode]
) -> Iterator[cst.Attribute]:
    """The fields whose tensor an expression may give, or a view of it: `t` of `t, k = self.pair[0].T, 2`."""
    if node is None or node in seen:
        return
    seen.add(node)
    if not isinstance(node, cst.Name) and work.values(node).kind is Kind.TENSOR and work.values.makes_its_own(node):
        return
    inner = _inside(work, node)
    match node:
        case cst.Name():
            inner, is_parameter = _held(work, node)
            inner += _passed(work, node) if is_parameter else []
        case cst.Attribute(value=owner):
            if work.values(owner).kind is Kind.TENSOR or (node.attr.value == "data" and not _is_object(work, owner)):
                inner = [owner]
            elif (getter := _property(work, node)) is not None:
                inner = [*_results(getter)]
            else:
                yield node
    for item in inner:
        yield from _fields_behind(work, item, seen)


def _inside(work: NormalizationRound, node: cst.CSTNode) -> list[cst.CSTNode | None]:
    """The expressions in an expression one of which it may give, or hold."""
    inner: list[cst.CSTNode | None] = []
    match node:
        case cst.Subscript(value=owner):
            is_copy = work.values(owner).kind is Kind.TENSOR and index_step(node, work.values) == "copy"
            inner = [] if is_copy else [owner]
        case cst.Call():
            inner = _givers(work, node)
        case cst.List() | cst.Tuple() | cst.Set() | cst.Dict():
            inner = [item.value for item in node.elements]
        case cst.ListComp(elt=made) | cst.SetComp(elt=made) | cst.GeneratorExp(elt=made) | cst.DictComp(value=made):
            inner = [made]
        case cst.IfExp(body=one, orelse=other) | cst.BooleanOperation(left=one, right=other):
            inner = [one, other]
        case cst.NamedExpr(value=value):
            inner = [value]
        case cst.BinaryOperation(left=one, operator=cst.Add(), right=other) if work.values(node).is_a(*_CONTAINERS):
            inner = [one, other]
    return inner


def _held(work: NormalizationRound, name: cst.Name) -> tuple[list[cst.CSTNode | None], bool]:
    """The expressions one of which a variable may hold, or a part of it; whether it may hold what its function is given."""
    found = work.program.definitions.of(name)
    return [item.value for item in found if item.how in _GIVING], any(item.how is How.PARAMETER for item in found)


_GIVING = (How.ASSIGNED, How.PART, How.NEXT)


def _passed(work: NormalizationRound, parameter: cst.Name) -> Iterator[cst.BaseExpression]:
    """What calls give a function for a parameter."""
    function = work.program.function_around(parameter)
    for call in work.index.calls if function is not None else ():
        if function in work.values.callees.get(call, ()):
            for name, given in arguments_by_parameter(function, call, work.values):
                if name == parameter.value:
                    yield given


def _is_object(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    return work.values(node).kind is Kind.OBJECT


def _property(work: NormalizationRound, node: cst.Attribute) -> Function | None:
    """The method that computes an attribute, `x` of `@property def x(self)`."""
    if work.effects is None or not _is_object(work, node.value):
        return None
    found = (item.method(node.attr.value) for item in work.effects.classes_of(work.values(node.value)))
    return next((item for item in found if item is not None and "property" in item.decorators), None)


def _results(function: Function) -> list[cst.BaseExpression]:
    """What a function gives."""
    found = descendants(function.node.body, cst.Return, cst.Yield)
    values = (node.value for node in found if isinstance(node, (cst.Return, cst.Yield)))
    return [value for value in values if isinstance(value, cst.BaseExpression)]


def _givers(work: NormalizationRound, call: cst.Call) -> list[cst.CSTNode | None]:
    """The expressions one of which a call may give, or a view or part of it."""
    callees = work.values.callees.get(call, ())
    found: list[cst.CSTNode | None] = []
    for callee in callees:
        results = _results(callee)
        names = {item.value for item in results if isinstance(item, cst.Name)}
        found += results
        found += [given for name, given in arguments_by_parameter(callee, call, work.values) if name in names]
    if not callees and work.values(call.func).const not in NEW_ARRAYS:
        found += [item.value for item in call.args]
        if isinstance(call.func, cst.Attribute) and work.values.torch_name(call.func) is None:
            found.append(call.func.value)
    return found


def _is_slot_changed(work: NormalizationRound, node: cst.CSTNode, changed: cst.CSTNode | None) -> bool:
    """Whether a change is one of a tensor in a container: `self.keys[0][i] = k` and `self.keys[0] += k`, not `self.keys[0] = k`."""
    is_store = isinstance(node, cst.AssignTarget) and isinstance(node.target, cst.Subscript)
    if isinstance(changed, cst.Subscript) and work.values(changed.value).kind is Kind.TENSOR:
        return True
    return not is_store and changed is not None and work.values(changed).kind is Kind.TENSOR


@dataclass(frozen=True, slots=True)
class SlotWrite:
    """A line that changes a tensor in a slot of a list or dict, a field of a plain object: `node` does."""

    line: cst.SimpleStatementLine
    node: cst.CSTNode
    place: cst.Attribute


def slot_writes(work: NormalizationRound) -> Iterator[SlotWrite]:
    """The lines that change the tensor in one slot of a field, and nothing else."""
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget() as node])] | [cst.AugAssign() as node]:
                changed: cst.BaseExpression = node.target
            case [cst.Expr(value=cst.Call(func=cst.Attribute(value=changed, attr=cst.Name(name))) as node)]:
                if not is_inplace_name(name):
                    continue
            case _:
                continue
        if isinstance(changed, cst.Subscript) and work.values(changed.value).kind is Kind.TENSOR:
            changed = changed.value
        elif isinstance(node, cst.AssignTarget) or work.values(changed).kind is not Kind.TENSOR:
            continue
        place: cst.BaseExpression = changed
        while isinstance(place, cst.Subscript) and work.values(place.value).kind in (Kind.LIST, Kind.DICT):
            place = place.value
        if isinstance(place, cst.Attribute) and work.values(place.value).kind is Kind.OBJECT and place is not changed:
            yield SlotWrite(line, node, place)


def _changed_places(work: NormalizationRound, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """What a statement, or a call in it, changes in place."""
    values = work.values
    match node:
        case cst.AugAssign(target=target) | cst.AssignTarget(target=cst.Subscript() as target):
            return [target]
        case cst.AssignTarget(target=cst.Attribute(value=target, attr=cst.Name("data"))):
            return [target] if work.values(target).kind is Kind.TENSOR else []
        case cst.Call(func=func) if work.values.torch_name(func) is not None:
            return list(filled_arguments(node))
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=name))) if is_inplace_name(name):
            return [receiver]
        case cst.Call():
            return [
                given
                for callee in values.callees.get(node, ())
                for parameter, given in arguments_by_parameter(callee, node, values)
                if isinstance(given, (cst.Attribute, cst.Subscript, cst.Name))
                and values(given).kind is Kind.TENSOR
                and changes_tensor(values, callee.node.body, parameter)
            ]
    return []


def _given(work: NormalizationRound, call: cst.Call, item: Class, fields: frozenset[str]) -> Iterator[Problem]:
    """`Box(x)` where `x` is read later, and the box changes it."""
    maker = item.method("__init__")
    if maker is None or work.flows is None:
        return
    names = maker.parameter_names[1:]
    kept = dict(_kept_parameters(work, maker, fields))
    line = work.index.statement_of(call)
    live = work.flows.liveness(work.program.function_around(call)).after_statement(line)
    for position, argument in enumerate(call.args):
        name = argument.keyword.value if argument.keyword is not None else None
        name = name or (names[position] if position < len(names) else None)
        if name not in kept:
            continue
        if work.values(argument.value).is_a(Kind.TENSOR, Kind.UNKNOWN):
            root = argument.value
            while isinstance(root, (cst.Subscript, cst.Attribute)):
                root = root.value
            is_seen = isinstance(root, cst.Name) and _is_seen(work, call, line, root, live)
        else:
            is_seen = any(root.value in live for root in _tensors_behind(work, argument.value))
        if is_seen:
            yield Problem(call, "T2J303", {"name": f"self.{kept[name]}", "other": code(argument.value)})


def _tensors_behind(work: NormalizationRound, node: cst.BaseExpression) -> Iterator[cst.Name]:
    """The variables for the tensors that a container may hold: `[a, b]`, or what holds such a list."""
    seen = set[cst.CSTNode]()
    waiting: list[cst.CSTNode | None] = [node]
    while waiting:
        item = waiting.pop()
        if item is None or item in seen:
            continue
        seen.add(item)
        value = work.values(item)
        if isinstance(item, cst.Name) and value.is_a(Kind.TENSOR, *_CONTAINERS):
            yield item
            if value.kind is not Kind.TENSOR:
                waiting += _held(work, item)[0]
        elif not isinstance(item, cst.Name):
            waiting += _inside(work, item)


def _is_seen(
    work: NormalizationRound, call: cst.Call, line: cst.BaseStatement, root: cst.Name, live: frozenset[str]
) -> bool:
    """Whether a variable, or another one of its storage, is read behind a line."""
    value = work.values(root)
    if value.kind not in (Kind.TENSOR, Kind.UNKNOWN) or not value.roots:
        return value.kind is Kind.TENSOR and root.value in live
    if root.value in live or any(item.startswith(("param:", "field:")) or item == "*" for item in value.roots):
        return True
    after = work.values.after.get(line, {})
    return any(after[name].roots & value.roots for name in live if name in after)


def _kept_parameters(work: NormalizationRound, maker: Function, fields: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The parameters that become fields as they are, or what is in them: `self.params = list(params)`."""
    for node in descendants(maker.node.body):
        match node:
            case cst.Assign(
                targets=[
                    cst.AssignTarget(target=cst.Attribute(value=cst.Name(value=owner), attr=cst.Name(value=name)))
                ],
                value=value,
            ) if owner == maker.self_name and name in fields:
                yield from ((parameter, name) for parameter in sorted(_parameters_behind(work, value, set())))


def _parameters_behind(work: NormalizationRound, node: cst.CSTNode | None, seen: set[cst.CSTNode]) -> Iterator[str]:
    """The parameters of a function one of which an expression in it may give, or a view or a part of it."""
    if node is None or node in seen:
        return
    seen.add(node)
    if not isinstance(node, cst.Name) and work.values(node).kind is Kind.TENSOR and work.values.makes_its_own(node):
        return
    inner = _inside(work, node)
    if isinstance(node, cst.Attribute):
        inner = [node.value]
    if isinstance(node, cst.Name):
        inner, is_parameter = _held(work, node)
        if is_parameter:
            yield node.value
    for item in inner:
        yield from _parameters_behind(work, item, seen)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A field that an expression gives; `is_local`: of an object that the function itself has made, and keeps to itself."""

    name: str
    is_local: bool


@dataclass(frozen=True, slots=True)
class _Taking:
    """A statement behind which a variable holds fields: it binds it, or puts them into the list or dict that it holds."""

    line: cst.CSTNode
    taken: frozenset[_Taken]
    binds: bool


@dataclass(slots=True)
class _Changes:
    """Who changes fields of plain objects in place, and who has taken them."""

    work: NormalizationRound
    flows: Flows
    owners: dict[str, set[str]] = field(default_factory=dict)  # by field, the classes whose objects are changed
    by_function: dict[Function | None, set[str]] = field(default_factory=dict)
    calls: dict[Function | None, list[cst.Call]] = field(default_factory=dict)
    takers: dict[tuple[Function | None, str], set[_Taking]] = field(default_factory=dict)
    given: dict[Function, frozenset[str]] = field(default_factory=dict)  # the fields that functions give back

    def find(self) -> None:
        """Which fields are changed, and by which functions, those that they call included."""
        program = self.work.program
        for node, place in _field_writes(self.work, self.work.index.module):
            function = program.function_around(node)
            if function is None or function.name != "__init__":
                name = place.attr.value
                self.owners.setdefault(name, set()).update(self.work.values(place.value).types)
                self.by_function.setdefault(function, set()).add(name)
        foreign = {
            item
            for call in self.work.index.calls
            for item in self.work.values.callees.get(call, ())
            if item.node not in program.functions
        }
        for item in foreign:
            self.note_foreign(item)
        if not self.owners:
            return
        for call in self.work.index.calls:
            self.calls.setdefault(program.function_around(call), []).append(call)
        spread_to_callers(self.by_function, self.calls, self.changed_by)
        for item in foreign:
            self.given[item] = frozenset(self.given_by_foreign(item))

    def note_foreign(self, function: Function) -> set[str]:
        """The fields that a function of another file changes, or what it calls."""
        if function in self.by_function:
            return self.by_function[function]
        found = self.by_function[function] = set[str]()
        if function.name != "__init__":
            for _, place in _field_writes(self.work, function.node.body):
                self.owners.setdefault(place.attr.value, set()).update(self.work.values(place.value).types)
                found.add(place.attr.value)
        for call in descendants(function.node.body, cst.Call):
            for item in self.work.values.callees.get(call, ()):
                found |= self.note_foreign(item) if item.node not in self.work.program.functions else set()
        return found

    def given_by_foreign(self, function: Function) -> Iterator[str]:
        """The fields that a function of another file may give back."""
        for node in descendants(function.node.body, cst.Return, cst.Yield):
            value = node.value if isinstance(node, (cst.Return, cst.Yield)) else None
            if isinstance(value, cst.BaseExpression) and not self.work.values.makes_its_own(value):
                nodes = (value, *descendants(value))
                methods = {item.func for item in nodes if isinstance(item, cst.Call)}
                names = (item.attr.value for item in nodes if isinstance(item, cst.Attribute) and item not in methods)
                yield from (name for name in names if name in self.owners)

    def changed_by(self, call: cst.Call) -> set[str]:
        callees = self.work.values.callees.get(call, ())
        return {name for item in callees if item.name != "__init__" for name in self.by_function.get(item, ())}

    # what is taken

    def find_takers(self) -> None:
        """What variables hold of fields, and what functions give, until nothing new is found."""
        again = True
        while again:
            before = {key: set(found) for key, found in self.takers.items()}, dict(self.given)
            for line in self.work.index.every(cst.Assign):
                for target in line.targets if (taken := self.taken(line.value)) else ():
                    self.take(line, target.target, taken)
            for loop in self.work.index.every(cst.For):
                for bound, iterated in self.sides(loop.target, loop.iter):
                    if taken := self.taken(iterated):
                        self.take(loop, bound, taken)
            for call in self.work.index.calls:
                if (holder := self.holder_of(call)) is not None:
                    for item in call.args:
                        self.put(call, holder, self.taken(item.value))
            for node in self.work.index.every(cst.Return, cst.Yield):
                if isinstance(node, (cst.Return, cst.Yield)):
                    self.give(node)
            again = (self.takers, self.given) != before

    def give(self, node: cst.Return | cst.Yield) -> None:
        function = self.work.program.function_around(node)
        if function is not None and isinstance(node.value, cst.BaseExpression):
            names = frozenset(item.name for item in self.taken(node.value))
            self.given[function] = self.given.get(function, frozenset()) | names

    def sides(
        self, target: cst.BaseExpression, iterated: cst.BaseExpression
    ) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
        """What a loop binds to what: `for i, (a, b) in enumerate(zip(x, y))` binds a to what is in x. Keys are no tensors."""
        elements = [item.value for item in target.elements] if isinstance(target, cst.Tuple) else []
        match iterated:
            case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner), *_]) if len(elements) == 2:
                yield from self.sides(elements[1], inner)
            case cst.Call(func=cst.Name("zip"), args=args) if len(args) == len(elements) and not any(
                item.star for item in args
            ):
                for element, item in zip(elements, args, strict=True):
                    yield from self.sides(element, item.value)
            case cst.Call(func=cst.Attribute(attr=cst.Name("items")), args=[]) if len(elements) == 2:
                yield elements[1], iterated
            case _:
                if self.work.values(iterated).kind is not Kind.DICT:
                    yield target, iterated

    def take(self, line: cst.CSTNode, target: cst.BaseExpression, taken: frozenset[_Taken]) -> None:
        if isinstance(target, cst.Subscript):
            self.put(line, target.value, taken)
            return
        function = self.work.program.function_around(line)
        for name in bound_in(target):
            self.takers.setdefault((function, name), set()).add(_Taking(line, taken, True))

    def put(self, line: cst.CSTNode, holder: cst.BaseExpression, taken: frozenset[_Taken]) -> None:
        if taken and self.is_own_container(holder):
            function = self.work.program.function_around(line)
            self.takers.setdefault((function, code(holder)), set()).add(_Taking(line, taken, False))

    def holder_of(self, call: cst.Call) -> cst.BaseExpression | None:
        """The container into which a call puts its arguments."""
        if self.work.values.torch_name(call.func) is not None:  # `torch.add`
            return None
        is_storing = isinstance(call.func, cst.Attribute) and puts_in_container(self.work.values, call)
        return call.func.value if is_storing and isinstance(call.func, cst.Attribute) else None

    def is_own_container(self, node: cst.BaseExpression) -> bool:
        """Whether a container is held by a variable of the function: what becomes of it is seen by who holds it."""
        function = self.work.program.function_around(node)
        if not isinstance(node, cst.Name) or self.work.values(node).kind in (Kind.TENSOR, Kind.OBJECT, Kind.MODULE):
            return False
        return function is None or (node.value in function.env and node.value not in function.parameter_names)

    def taken(self, node: cst.BaseExpression) -> frozenset[_Taken]:
        """The fields that an expression gives, or holds."""
        values = self.work.values
        value = values(node)
        if not _may_hold(value):
            return frozenset()
        is_given = isinstance(node, cst.Call) and any(map(self.given.get, values.callees.get(node, ())))
        if value.kind is Kind.TENSOR and not is_given and values.makes_its_own(node):
            return frozenset()
        match node:
            case cst.List() | cst.Tuple() | cst.Set() | cst.Dict():
                return self.taken_of(item.value for item in node.elements)
            case cst.ListComp(elt=made) | cst.SetComp(elt=made) | cst.GeneratorExp(elt=made) | cst.DictComp(value=made):
                return self.taken(made)
            case cst.IfExp(body=one, orelse=other) | cst.BooleanOperation(left=one, right=other):
                return self.taken(one) | self.taken(other)
            case cst.Name(name):
                if (source := self.gone_through(node)) is not None:
                    return self.taken(source)
                function = self.work.program.function_around(node)
                found = self.takers.get((function, name), ())
                return frozenset[_Taken]().union(
                    *(item.taken for item in found if self.is_behind(function, node, item.line))
                )
            case cst.Subscript():
                is_copy = values(node.value).kind is Kind.TENSOR and index_step(node, values) == "copy"
                return frozenset() if is_copy else self.taken(node.value)
            case cst.Attribute():
                return self.taken_field(node)
            case cst.Call():
                return self.taken_by_call(node)
        return frozenset()

    def gone_through(self, node: cst.Name) -> cst.BaseExpression | None:
        """What the variable of a comprehension takes its values from."""
        for above in self.work.index.ancestors(node):
            loop = above.for_in if isinstance(above, cst.BaseComp) else None
            while loop is not None:
                if node.value in bound_in(loop.target):
                    return loop.iter
                loop = loop.inner_for_in
        return None

    def taken_of(self, nodes: Iterable[cst.BaseExpression]) -> frozenset[_Taken]:
        return frozenset[_Taken]().union(*map(self.taken, nodes))

    def taken_field(self, node: cst.Attribute) -> frozenset[_Taken]:
        owner, name = self.work.values(node.value), node.attr.value
        if owner.kind is Kind.TENSOR:
            return self.taken(node.value) if self.work.values(node).kind is Kind.TENSOR else frozenset()
        if (getter := _property(self.work, node)) is not None:
            return frozenset(_Taken(field, self.is_local(node.value)) for field in self.given.get(getter, ()))
        if not _is_kept(self.work, node) or self.work.values(node).kind not in (Kind.TENSOR, *_CONTAINERS):
            return frozenset()
        if name not in self.owners or not are_related(self.work, owner.types, self.owners[name]):
            return frozenset()
        return frozenset({_Taken(name, self.is_local(node.value))})

    def taken_by_call(self, node: cst.Call) -> frozenset[_Taken]:
        values = self.work.values
        callees = values.callees.get(node, ())
        receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
        if not callees:
            if receiver is not None and values(receiver).kind is Kind.TENSOR:  # a view, or several
                return self.taken(receiver) if values(node).kind in (Kind.TENSOR, *_CONTAINERS) else frozenset()
            if receiver is not None and values(receiver).kind in _CONTAINERS:  # what is in it
                return self.taken(receiver)
            passes = dotted(node.func) in ("list", "tuple", "dict", "zip", "enumerate", "reversed", "iter", "next")
            return self.taken_of(item.value for item in node.args) if passes else frozenset()
        if values(node).kind is Kind.OBJECT:
            return self.taken_of(value for value, _ in self.kept_by_call(node))
        given = [*([receiver] if receiver is not None else []), *(item.value for item in node.args)]
        objects = [item for item in given if values(item).kind is Kind.OBJECT]
        is_local = bool(objects) and all(self.is_local(item) for item in objects)
        return frozenset(_Taken(name, is_local) for callee in callees for name in self.given.get(callee, ()))

    def is_local(self, node: cst.BaseExpression) -> bool:
        """Whether an object is a variable of this function alone: nothing else is given it, or keeps it."""
        function = self.work.program.function_around(node)
        if not isinstance(node, cst.Name):
            return False
        name = node.value
        if function is not None and (name not in function.env or name in function.parameter_names):
            return False
        scope: cst.CSTNode = function.node.body if function is not None else self.work.index.module
        return not any(self.is_handed_on(item) for item in descendants(scope, cst.Name) if item.value == name)

    def is_handed_on(self, node: cst.Name) -> bool:
        parent = self.work.index.parents[node]
        if isinstance(parent, cst.Arg):
            call = self.work.index.parents[parent]
            if not isinstance(call, cst.Call) or not self.work.values.callees.get(call):
                return True
            return any(value is node for value, _ in self.kept_by_call(call))
        return not isinstance(parent, (cst.Attribute, cst.AssignTarget, cst.AnnAssign))

    # who sees the changes

    def seen_by_variables(self) -> Iterator[Problem]:
        """`x = box.x` or `x = box.step()`, where `x` is read behind another call that changes it."""
        for function, calls in self.calls.items() if self.takers else ():
            for call in calls:
                changed = self.changed_by(call)
                calling = self.work.index.statement_of(call)
                for name in sorted(self.flows.liveness(function).after_statement(calling)) if changed else ():
                    if any(lists_put_back(self.work.program, self.work.values, calling, name)):
                        continue  # the list gets the new value
                    takings = self.takers.get((function, name), set())
                    if any(self.work.index.statement_of(item.line) is calling and item.binds for item in takings):
                        continue  # the variable gets the new value
                    before = [item for item in takings if self.is_behind(function, call, item.line)]
                    seen = {item.name for taking in before for item in taking.taken} & changed
                    if seen:
                        yield Problem(call, "T2J303", {"name": min(seen), "other": name})

    def seen_by_lines(self) -> Iterator[Problem]:
        """`k = box.keys[0]`, where `k` is read behind a line of the same function that changes the slot."""
        for write in slot_writes(self.work) if self.takers else ():
            function = self.work.program.function_around(write.line)
            for name in sorted(self.flows.liveness(function).after_statement(write.line)):
                before = [
                    item
                    for item in self.takers.get((function, name), ())
                    if self.is_behind(function, write.node, item.line)
                ]
                if write.place.attr.value in {item.name for taking in before for item in taking.taken}:
                    yield Problem(write.line, "T2J303", {"name": code(write.place), "other": name})

    def seen_where_kept(self) -> Iterator[Problem]:
        """`self.log.append(box.x)`, `self.best = box.x`: something keeps a field, and it may be changed behind that."""
        for node, holder in self.kept():
            seen = {item.name for item in self.taken(node) if self.may_change_behind(node, item)}
            if seen:
                yield Problem(node, "T2J303", {"name": min(seen), "other": holder})

    def kept(self) -> Iterator[tuple[cst.BaseExpression, str]]:
        """What is given to containers that others hold, and to objects, and the text of these."""
        for call in self.work.index.calls:
            holder = self.holder_of(call)
            if holder is not None and not self.is_own_container(holder):
                yield from ((item.value, code(holder)) for item in call.args)
            elif holder is None and self.work.values(call).kind is not Kind.OBJECT:
                yield from self.kept_by_call(call)
        for line in self.work.index.every(cst.Assign):
            for target in (item.target for item in line.targets):
                is_slot = isinstance(target, cst.Subscript) and self.work.values(target.value).kind is not Kind.TENSOR
                if is_slot and isinstance(target, cst.Subscript) and self.is_own_container(target.value):
                    continue
                if self.gives_back(line.value, target):
                    continue
                if (is_slot or isinstance(target, cst.Attribute)) and not _is_part_of(line.value, target):
                    yield line.value, code(target)
        for comp in self.work.index.every(cst.ListComp, cst.SetComp, cst.DictComp):
            made = comp.value if isinstance(comp, cst.DictComp) else comp.elt  # type: ignore[attr-defined]
            if any(self.changed_by(call) for call in descendants(comp, cst.Call)):
                yield made, "a container"

    def gives_back(self, value: cst.BaseExpression, target: cst.BaseAssignTargetExpression) -> bool:
        """Whether a field gets what a variable has taken from it: `t = self.x` before `self.x = t`."""
        return any(code(item) == code(target) for item in _fields_behind(self.work, value, set()))

    def kept_by_call(self, call: cst.Call) -> Iterator[tuple[cst.BaseExpression, str]]:
        """The arguments that something which lives on behind a call may come to hold."""
        for callee in self.work.values.callees.get(call, ()):
            names = kept_names(self.work, callee)
            pairs = arguments_by_parameter(callee, call, self.work.values) if names else ()
            yield from ((value, code(call.func)) for name, value in pairs if name in names)

    def may_change_behind(self, node: cst.BaseExpression, item: _Taken) -> bool:
        """Whether a field may be changed once it is kept: for objects that others hold, too, nobody knows when."""
        if not item.is_local:
            return True
        function = self.work.program.function_around(node)
        changing = [call for call in self.calls.get(function, ()) if item.name in self.changed_by(call)]
        comprehensions = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
        if any(isinstance(above, comprehensions) for above in self.work.index.ancestors(node)):
            inside = set(descendants(node))
            if any(call in inside for call in changing):
                return True
        return any(self.is_behind(function, call, node) for call in changing)

    def is_behind(self, function: Function | None, node: cst.CSTNode, other: cst.CSTNode) -> bool:
        """Whether a node may run once more, or at all, behind the statement of another one."""
        flow = self.flows.liveness(function).flow
        return self.point(flow, node) in flow.behind(self.point(flow, other))

    def point(self, flow: Flow, node: cst.CSTNode) -> cst.CSTNode:
        while node not in flow:
            node = self.work.index.parents[node]
        return node


def are_related(work: NormalizationRound, some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether some class shares a class that it is made from with one of the others."""
    by_key, others = work.program.class_by_key, set(others)
    lines = [{key, *(item.key for item in (by_key[key].lineage if key in by_key else ()))} for key in some]
    over = {item.key for key in others if key in by_key for item in by_key[key].lineage} | others
    return any(line & over for line in lines)


def _may_hold(value: Value) -> bool:
    return value.kind in (Kind.TENSOR, Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.UNKNOWN, Kind.PYTHON, Kind.OBJECT)


def _is_part_of(value: cst.BaseExpression, target: cst.BaseExpression) -> bool:
    """`self.x = self.x.view(-1)`: the field goes on with what it had."""
    names = (dotted(item) for item in descendants(value, cst.Name, cst.Attribute))
    return any(name is not None and name == dotted(target) for name in names)
