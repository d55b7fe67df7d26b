"""Which parameters a training step computes its loss from: torch has no gradients for the others, and leaves them as they are.

loss = model.encode(x).sum()         reaches `model.encoder`, not `model.decoder`
h = self.body(x).detach()            does not reach `self.body`
return self.a(x) if i else self.b(x) reaches neither of the two in every step

A backward analysis from the loss: the lattice holds which variables are still needed, and the fields of modules that every way
from here reads for one of them. It is a must-analysis (`Ways.ALL`: conditions that are not known meet in the intersection), or
a may-analysis (`Ways.ANY`: in the union). What is handed to code that is not known is taken to be reached.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from functools import cached_property

import libcst as cst

from torch2jax.facts.choices import Choices
from torch2jax.facts.contexts import enabling, gradient_set, turns_off
from torch2jax.facts.infer import Values
from torch2jax.ops.contexts import Gradient
from torch2jax.program.program import Class, Function, Program, dotted, root_name
from torch2jax.records import dataclass
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, children, descendants
from torch2jax.values import NOTHING, Kind, Value

WHOLE = "*"
_CUT = frozenset({"argmax", "argmin", "detach", "dim", "item", "numel", "numpy", "size", "tolist"})
_CUT_FIELDS = frozenset({"data", "device", "dtype", "ndim", "requires_grad", "shape"})
_LISTS_PARTS = frozenset(
    {"__dict__", "_modules", "_parameters", "children", "modules", "named_children", "named_modules"}
)
_BRANCHES = {"jax.lax.cond": (1, 2), "lax.cond": (1, 2)}
_PURE = frozenset({"hasattr", "isinstance", "len"})


class Ways(Enum):
    """Which ways through a program count: those that every step takes; those that the steps of one run all take, or none;
    or any.
    """

    ALL = "all"
    ONE_RUN = "one run"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Key:
    """A field of the modules of a class (`*`: all of them), or a member of the container there. `entry` is the method of the
    class that was called from outside of it to read the field.
    """

    cls: str
    field: str
    member: object = WHOLE
    entry: str = ""


_NO_PARTS: frozenset[object] = frozenset()


def _joined(one: frozenset[object] | None, other: frozenset[object] | None) -> frozenset[object] | None:
    return None if one is None or other is None else one | other


@dataclass(frozen=True, slots=True)
class _State:
    """What is known before a statement. `reads` is None where no way goes on; `needed` has the parts of variables that are
    needed (None: all of them).
    """

    reads: frozenset[Key] | None = frozenset()
    needed: Mapping[str, frozenset[object] | None] = field(default_factory=dict)

    def reading(self, *keys: Key) -> _State:
        return self.reading_all(frozenset(keys))

    def reading_all(self, keys: frozenset[Key]) -> _State:
        return self if self.reads is None or keys <= self.reads else _State(self.reads | keys, self.needed)

    def needing(self, name: str, parts: frozenset[object] | None) -> _State:
        known = self.needed.get(name, _NO_PARTS)
        both = _joined(known, parts)
        return self if both == known and name in self.needed else _State(self.reads, {**self.needed, name: both})

    def without(self, names: Collection[str]) -> _State:
        if not any(name in self.needed for name in names):
            return self
        return _State(self.reads, {name: parts for name, parts in self.needed.items() if name not in names})

    def and_needed(self, other: _State) -> _State:
        if other.needed is self.needed:
            return self
        needed = dict(self.needed)
        for name, parts in other.needed.items():
            needed[name] = _joined(needed.get(name, _NO_PARTS), parts)
        return _State(self.reads, needed)


@dataclass(frozen=True, slots=True)
class _Exits:
    """Where `break` and `continue` go on, which parts of the result are needed, and what is taken to be of contexts that
    record gradients if a value says so (None: either).
    """

    leave: _State = field(default_factory=_State)
    again: _State = field(default_factory=_State)
    wanted: frozenset[object] | None = None
    records: bool | None = None


@dataclass(frozen=True, slots=True)
class _Test:
    """What is known of a condition: whether it is the same in all steps, and the `fields` that it asks to be there."""

    is_stable: bool
    fields: frozenset[str]


_NOWHERE = _State(None)


class Reach:
    """What the losses of steps are computed from. `by_value` are the fields that a value of a tensor chooses
    in compiled code: what is chosen by Python is seen where the gradient is taken."""

    def __init__(self, program: Program, values: Values, choices: Choices, ways: Ways) -> None:
        self.program, self.values, self.choices, self.ways = program, values, choices, ways
        self.by_value: set[Key] = set()
        self._functions: dict[tuple[Function, frozenset[object] | None], frozenset[Key] | None] = {}
        self._entered: dict[tuple[Function, frozenset[object] | None], frozenset[Key]] = {}
        self._tests: dict[cst.BaseExpression, _Test] = {}
        self._read = frozenset[str]().union(*(file.read_fields for file in program.files))

    def of_step(self, forward: Sequence[cst.BaseStatement], loss: cst.BaseExpression) -> frozenset[Key]:
        """The fields that the loss of a step is computed from. Where it would be computed from none, gradients are recorded."""
        records = None
        if any(self._mode(node) is Gradient.EITHER for part in forward for node in descendants(part, cst.With)):
            records = None if self._read_by(forward, loss, _Exits(records=False)) else True
        return self._read_by(forward, loss, _Exits(records=records))

    def _read_by(self, forward: Sequence[cst.BaseStatement], loss: cst.BaseExpression, exits: _Exits) -> frozenset[Key]:
        return self._block(forward, self._value(loss, _State(), None), exits).reads or frozenset()

    def _function(self, function: Function, wanted: frozenset[object] | None) -> frozenset[Key] | None:
        """What the result of a function is computed from."""
        function = self.program.by_key.get(function.key, function)
        if function.node not in self.program.home(function.node).functions:
            return frozenset(self._all_of([function.owner])) if function.owner is not None else frozenset()
        if any(turns_off(item.decorator, self.values) for item in function.node.decorators):
            return frozenset()
        key = (function, wanted)
        if key not in self._functions:
            self._functions[key] = None  # of a recursive call: the ways without one count
            body = function.node.body.body
            self._functions[key] = self._block(body, _State(), _Exits(wanted=wanted)).reads
        return self._functions[key]

    # statements

    def _block(self, body: Sequence[cst.CSTNode], after: _State, exits: _Exits) -> _State:
        for statement in reversed(body):
            after = self._statement(statement, after, exits)
        return after

    def _statement(self, node: cst.CSTNode, after: _State, exits: _Exits) -> _State:
        match node:
            case cst.SimpleStatementLine() | cst.SimpleStatementSuite():
                return self._block(node.body, after, exits)
            case cst.If():
                body = self._block(node.body.body, after, exits)
                other = self._statement(node.orelse, after, exits) if node.orelse is not None else after
                return self._choose(node.test, body, other)
            case cst.Else():
                return self._block(node.body.body, after, exits)
            case cst.For() | cst.While():
                return self._loop(node, after, exits)
            case cst.With():
                return self._below(node, after, exits)
            case cst.Try():
                rest = [part for part in (node.orelse, node.finalbody) if part is not None]
                inner = [item for part in rest for item in part.body.body]
                return self._block([*node.body.body, *inner], after, exits)
            case cst.FunctionDef(name=cst.Name(value=name)):
                return self._definition(node, name, after)
            case _:
                return self._small(node, after, exits)

    def _below(self, node: cst.With, after: _State, exits: _Exits) -> _State:
        """What is computed without gradients reaches nothing."""
        mode = self._mode(node)
        constant = after.without({name for part in node.body.body for name in _bound_in(part)})
        if mode is Gradient.OFF or (mode is Gradient.EITHER and exits.records is False):
            return constant
        body = self._block(node.body.body, after, exits)
        if mode is not Gradient.EITHER or exits.records:
            return body
        switches = (enabling(item.item, self.values) for item in node.items)
        test = next((item for item in switches if item is not None), node.items[0].item)
        return self._choose(test, body, constant)

    def _mode(self, node: cst.With) -> Gradient | None:
        """What the contexts of a `with` set recording of gradients to."""
        modes = {gradient_set(item.item, self.values) for item in node.items}
        return next((mode for mode in (Gradient.OFF, Gradient.EITHER, Gradient.ON) if mode in modes), None)

    def _definition(self, node: cst.FunctionDef, name: str, after: _State) -> _State:
        if name not in after.needed:
            return after
        reads = self._function(self.program.home(node).functions[node], None)
        after = after.without({name}).reading(*(reads or ()))
        for free in sorted(names_in(node.body)):
            after = after.needing(free, None)
        return after

    def _loop(self, node: cst.For | cst.While, after: _State, exits: _Exits) -> _State:
        """A loop whose body is taken to run at least once."""
        if node.orelse is not None:
            after = self._block(node.orelse.body.body, after, exits)
        again, state = after, after
        for _ in range(3):
            state = self._block(node.body.body, again, _Exits(after, again, exits.wanted, exits.records))
            before, again = again, _State(after.reads, again.and_needed(state).needed)
            if again == before:
                break
        if isinstance(node, cst.For):
            names = bound_names(node.target)
            if names & set(state.needed):
                chooses = any(isinstance(item, cst.If) for item in descendants(node.body))
                state = self._iterated(node.iter, state.without(names), chooses and self._are_parameters(node.iter))
        return state

    def _iterated(self, node: cst.BaseExpression, state: _State, is_chosen: bool) -> _State:
        """The state before what is iterated over; only some of its items are used where they are chosen among."""
        before = self._value(node, state, None)
        return _State(state.reads, before.needed) if is_chosen and self.ways is not Ways.ANY else before

    def _are_parameters(self, node: cst.BaseExpression) -> bool:
        """Whether an expression gives, or holds, what `model.parameters()` gives."""
        return any(self.values(item).kind is Kind.PARAMETERS for item in (node, *descendants(node)))

    def _small(self, node: cst.CSTNode, after: _State, exits: _Exits) -> _State:
        match node:
            case cst.Return(value=value):
                return _State() if value is None else self._value(value, _State(), exits.wanted)
            case cst.Raise():
                return _NOWHERE
            case cst.Break():
                return exits.leave
            case cst.Continue():
                return exits.again
            case cst.Assign():
                for target in node.targets:
                    after = self._assigned(target.target, node.value, after)
                return after
            case cst.AnnAssign(value=value) if value is not None:
                return self._assigned(node.target, value, after)
            case cst.AugAssign():
                root = root_name(node.target)
                return (
                    self._value(node.value, after, None)
                    if root in after.needed or self._is_kept(node.target)
                    else after
                )
            case cst.Expr(value=cst.Yield(value=value)) if isinstance(value, cst.BaseExpression):
                return self._value(value, after, None)
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=receiver)) as call) if (
                root_name(receiver) in after.needed
            ):
                return self._value(call, after, None)
        return after

    def _assigned(self, target: cst.BaseExpression, value: cst.BaseExpression, after: _State) -> _State:
        match target, value:
            case cst.Name(value=name), _:
                if name not in after.needed:
                    return after
                return self._value(value, after.without({name}), after.needed[name])
            case cst.Tuple() | cst.List(), cst.Tuple() if len(target.elements) == len(value.elements):
                state = after.without(bound_names(target))
                for one, other in zip(target.elements, value.elements, strict=True):
                    kept = _State(state.reads, {**state.needed, **_needed_of(one.value, after)})
                    state = self._assigned(one.value, other.value, kept)
                return state
            case cst.Tuple() | cst.List(), _:
                elements = list(enumerate(target.elements))
                used = [place for place, item in elements if self._is_used(item.value, after)]
                if not used:
                    return after
                starred = any(isinstance(item, cst.StarredElement) for _, item in elements)
                return self._value(value, after.without(bound_names(target)), None if starred else frozenset(used))
        return self._value(value, after, None) if self._is_used(target, after) else after

    def _is_used(self, target: cst.BaseExpression, after: _State) -> bool:
        names = bound_names(target) or {root_name(target) or ""}
        return not names.isdisjoint(after.needed) or self._is_kept(target)

    def _is_kept(self, target: cst.BaseExpression) -> bool:
        """Whether a field is given a value that something reads."""
        return isinstance(target, cst.Attribute) and target.attr.value in self._read

    def _choose(self, test: cst.BaseExpression, one: _State, other: _State) -> _State:
        outcome = self.choices.outcome(test)
        if outcome is not None:
            return one if outcome else other
        if one.reads is None or other.reads is None:
            return (other if one.reads is None else one).and_needed(one).and_needed(other)
        asked = self._asked(test)
        both = one.reads | other.reads
        union = self.ways is Ways.ANY or (self.ways is Ways.ONE_RUN and asked.is_stable)
        reads = both if union else one.reads & other.reads
        if asked.fields and not union:
            reads |= {key for key in both if key.field in asked.fields}
        return _State(reads, one.and_needed(other).needed)

    def _asked(self, test: cst.BaseExpression) -> _Test:
        if test not in self._tests:
            self._tests[test] = _Test(self._is_stable(test), frozenset(self._asks_for(test)))
        return self._tests[test]

    def _asks_for(self, test: cst.BaseExpression) -> set[str]:
        """The fields that a condition asks to be there: `if self.downsample is not None`, `if hasattr(self, "head")`."""
        found: set[str] = set()
        for node in (test, *descendants(test)):
            if isinstance(node, cst.Attribute) and self.values(node.value).kind is Kind.MODULE:
                found.add(node.attr.value)
            if isinstance(node, cst.Call) and dotted(node.func) == "hasattr" and len(node.args) == 2:
                found.add(str(self.values(node.args[1].value).const))
        return found

    def _is_stable(self, test: cst.BaseExpression) -> bool:
        """Whether a condition has one outcome in all steps: it asks for fields that no step changes."""
        function = self.program.home(test).function_around(test)
        known = {*_PURE, *([function.self_name] if function is not None and function.self_name is not None else [])}
        for node in (test, *descendants(test)):
            if isinstance(node, cst.Attribute) and node.attr.value in self._changed:
                return False
            if (
                isinstance(node, cst.Name)
                and node.value not in known
                and not self.program.home(node).index.is_label(node)
            ):
                if self.values(node).kind not in (Kind.CLASS, Kind.TORCH):
                    return False
            if isinstance(node, cst.Call) and dotted(node.func) not in _PURE:
                return False
        return True

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The names of fields that get another value outside of `__init__`."""
        return frozenset[str]().union(*(file.changed_fields for file in self.program.files))

    # expressions

    def _values(self, nodes: Sequence[cst.BaseExpression], state: _State) -> _State:
        for node in nodes:
            state = self._value(node, state, None)
        return state

    def _value(self, node: cst.BaseExpression, state: _State, wanted: frozenset[object] | None) -> _State:
        """The state before an expression whose value, or the `wanted` parts of it, is needed."""
        match node:
            case cst.Name(value=name):
                return state.needing(name, wanted)
            case cst.Attribute():
                return self._attribute(node, state)
            case cst.Subscript():
                return self._subscript(node, state)
            case cst.Call():
                return self._call(node, state, wanted)
            case cst.IfExp(test=test, body=body, orelse=orelse):
                one, other = (self._value(item, state, wanted) for item in (body, orelse))
                return self._choose(test, one, other)
            case cst.BooleanOperation(left=left, right=right):
                state = self._value(left, state, wanted)
                return self._choose(left, self._value(right, state, wanted), state)
            case cst.Tuple() | cst.List() if wanted is not None:
                chosen = [item.value for place, item in enumerate(node.elements) if place in wanted]
                return self._values(chosen, state)
            case cst.Dict() if wanted is not None:
                return self._values(
                    [
                        item.value
                        for item in node.elements
                        if not isinstance(item, cst.DictElement) or self.values(item.key).const in wanted
                    ],
                    state,
                )
            case cst.Comparison():
                return state
            case cst.ListComp() | cst.SetComp() | cst.GeneratorExp() | cst.DictComp():
                return self._comprehension(node, state)
            case cst.NamedExpr(value=value):
                return self._value(value, state, wanted)
        return self._values(list(_expressions(node)), state)

    def _attribute(self, node: cst.Attribute, state: _State) -> _State:
        name, owner = node.attr.value, self.values(node.value)
        if name in _CUT_FIELDS and owner.kind is not Kind.MODULE:
            return state
        state = state.reading(*self._fields(owner, name))
        for item in self._classes(owner):
            method = item.method(name)
            if method is not None and "property" in method.decorators:
                state = self._running(method, state, None)
            if name in _LISTS_PARTS:
                state = state.reading(*self._all_of([item]))
        if owner.kind is Kind.MODULE and isinstance(node.value, cst.Name):
            return state
        return self._value(node.value, state, None if owner.kind is Kind.MODULE else frozenset({name}))

    def _subscript(self, node: cst.Subscript, state: _State) -> _State:
        index = node.slice[0].slice if len(node.slice) == 1 else None
        inner = index.value if isinstance(index, cst.Index) else None
        constant = self.values(inner).const if inner is not None else None
        known = constant is not NOTHING and isinstance(constant, (int, str))
        if self._are_parameters(node.value):
            return self._iterated(node.value, state, is_chosen=True)
        if inner is None or self._is_of_loop(inner):
            return self._value(node.value, state, None)
        held = self.values(node.value)
        if isinstance(node.value, (cst.List, cst.Tuple, cst.Dict)) or _holds_modules(held):
            if known:
                return self._member(node.value, constant, state)
            whole = self._value(node.value, state, None)
            return whole if self.ways is Ways.ANY else state
        return self._value(node.value, state, frozenset({constant}) if known else None)

    def _member(self, node: cst.BaseExpression, constant: object, state: _State) -> _State:
        if isinstance(node, cst.Attribute):
            keys = [
                Key(item.cls, item.field, constant) for item in self._fields(self.values(node.value), node.attr.value)
            ]
            return state.reading(*keys)
        return self._value(node, state, frozenset({constant}))

    def _is_of_loop(self, index: cst.BaseExpression) -> bool:
        """Whether an index goes through the values of a loop around it."""
        names = {node.value for node in (index, *descendants(index)) if isinstance(node, cst.Name)}
        for item in self.program.home(index).index.ancestors(index):
            if isinstance(item, cst.For) and bound_names(item.target) & names:
                return True
            if (
                isinstance(item, (cst.GeneratorExp, cst.ListComp, cst.DictComp))
                and bound_names(item.for_in.target) & names
            ):
                return True
            if isinstance(item, cst.FunctionDef):
                return False
        return False

    def _comprehension(self, node: cst.BaseComp, state: _State) -> _State:
        made = [node.key, node.value] if isinstance(node, cst.DictComp) else [node.elt]  # type: ignore[attr-defined]
        loop: cst.CompFor | None = node.for_in
        names: set[str] = set()
        inner = self._values(made, state)
        while loop is not None:
            if loop.ifs and self.ways is not Ways.ANY:
                inner = _State(state.reads, inner.needed)
            names |= bound_names(loop.target)
            inner = self._iterated(loop.iter, inner, bool(loop.ifs))
            loop = loop.inner_for_in
        return _State(
            inner.reads,
            {name: parts for name, parts in inner.needed.items() if name not in names or name in state.needed},
        )

    def _call(self, node: cst.Call, state: _State, wanted: frozenset[object] | None) -> _State:
        arguments = [argument.value for argument in node.args]
        callees = self.values.reached_by(node)
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in _CUT and not callees:
            return state
        if dotted(node.func) in ("torch.argmax", "torch.argmin"):
            return state
        if dotted(node.func) in _BRANCHES:
            return self._branches(node, state)
        if dotted(node.func) == "getattr" and arguments and self.values(arguments[0]).kind is Kind.MODULE:
            return self._getattr(arguments, state)
        if wanted is not None and not callees and self._makes_record(node):
            arguments = [item.value for item in node.args if item.keyword is None or item.keyword.value in wanted]
        for callee in callees:
            state = self._running(callee, state, wanted, self._enters(node, callee))
        state = self._values(arguments, state)
        if not callees:
            handed = [self.values(item) for item in arguments]
            if self.values(node).kind is Kind.PARAMETERS and isinstance(node.func, cst.Attribute):
                handed.append(self.values(node.func.value))
            state = state.reading(*self._all_of(item for value in handed for item in self._classes(value)))
        return self._value(node.func, state, None)

    def _makes_record(self, node: cst.Call) -> bool:
        return dotted(node.func) == "dict" or self.values(node.func).kind is Kind.CLASS

    def _enters(self, call: cst.Call, callee: Function) -> bool:
        """Whether a call of a method is one of an object other than that whose method makes the call."""
        if callee.owner is None or not callee.owner.is_module:
            return False
        around = self.program.home(call).function_around(call)
        receiver = call.func.value if isinstance(call.func, cst.Attribute) else call.func
        if isinstance(receiver, cst.Call):
            return dotted(receiver.func) != "super"
        return around is None or around.self_name is None or dotted(receiver) != around.self_name

    def _running(
        self, function: Function, state: _State, wanted: frozenset[object] | None, enters: bool = False
    ) -> _State:
        reads = self._function(function, wanted)
        if reads is None:
            return state
        if enters and function.owner is not None:
            reads = self._entering(function, function.owner, wanted, reads)
            state = state.reading(Key(function.owner.key, "", entry=function.name))
        return state.reading_all(reads)

    def _entering(
        self, function: Function, owner: Class, wanted: frozenset[object] | None, reads: frozenset[Key]
    ) -> frozenset[Key]:
        """What a method that is called from outside of its class reads."""
        if (function, wanted) not in self._entered:
            family = {item.key for item in owner.lineage}
            family |= {item.key for item in self.program.module_classes() if owner in item.lineage}
            self._entered[function, wanted] = frozenset(
                replace(key, entry=function.name) if not key.entry and key.cls in family else key for key in reads
            )
        return self._entered[function, wanted]

    def _branches(self, node: cst.Call, state: _State) -> _State:
        """`jax.lax.cond(test, one, other, ...)`, which a condition on a tensor has become."""
        first, second = _BRANCHES[dotted(node.func) or ""]
        rest = [argument.value for argument in node.args[second + 1 :]]
        one, other = (self._branch(node.args[place].value, state) for place in (first, second))
        if one.reads is not None and other.reads is not None:
            self.by_value |= one.reads ^ other.reads
        return self._values(rest, self._choose(node.args[0].value, one, other))

    def _branch(self, node: cst.BaseExpression, state: _State) -> _State:
        if isinstance(node, cst.Lambda):
            return self._value(node.body, state, None)
        if isinstance(node, cst.Name):
            home = self.program.home(node)
            scope = home.function_around(node)
            for function in home.functions.values():
                if function.name == node.value and function.outer is scope:
                    return self._running(function, state, None)
        return self._value(node, state, None)

    def _getattr(self, arguments: Sequence[cst.BaseExpression], state: _State) -> _State:
        owner, name = self.values(arguments[0]), self.values(arguments[1]).const
        if isinstance(name, str):
            return state.reading(*self._fields(owner, name))
        if self.ways is Ways.ANY or self._is_of_loop(arguments[1]):
            return state.reading(*self._all_of(self._classes(owner)))
        return state

    # classes

    def _classes(self, value: Value) -> list[Class]:
        if value.kind is not Kind.MODULE:
            return [item for part in value.parts for item in self._classes(part)] if value.is_sequence else []
        own = [self.program.class_by_key[name] for name in sorted(value.types) if name in self.program.class_by_key]
        return [*own, *(item for part in value.parts for item in self._classes(part))]

    def _fields(self, owner: Value, name: str) -> Iterator[Key]:
        if owner.kind is Kind.MODULE:
            for cls in owner.types:
                yield Key(cls, name)

    def _all_of(self, items: Iterator[Class] | Sequence[Class]) -> Iterator[Key]:
        """All fields of some classes and of the modules in them."""
        seen: set[str] = set()
        waiting = list(items)
        while waiting:
            item = waiting.pop()
            if item.key not in seen:
                seen.add(item.key)
                yield Key(item.key, WHOLE)
                waiting += [part for _, value in item.all_fields() for part in self._classes(value)]


def _holds_modules(value: Value) -> bool:
    if value.kind is Kind.MODULE:
        return any(part.kind is Kind.MODULE for part in value.parts) or not value.types.isdisjoint(
            {"torch.nn.ModuleDict", "torch.nn.ModuleList", "torch.nn.Sequential"}
        )
    return any(part.kind is Kind.MODULE for part in value.parts)


def _needed_of(target: cst.BaseExpression, after: _State) -> dict[str, frozenset[object] | None]:
    return {name: after.needed[name] for name in bound_names(target) if name in after.needed}


def _bound_in(node: cst.CSTNode) -> set[str]:
    return {
        name
        for item in (node, *descendants(node))
        if isinstance(item, (cst.AssignTarget, cst.AnnAssign))
        for name in bound_names(item.target)
    }


def _expressions(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The nearest expressions below a node."""
    for child in children(node):
        if isinstance(child, cst.BaseExpression):
            yield child
        else:
            yield from _expressions(child)


__all__ = ["WHOLE", "Key", "Reach", "Ways"]
