"""Functions that change tensors they are given: they give them back, and their callers take them.

def bump(t, k):               def bump(t, k):
    t += k                        t += k
    return t.sum()        ->      return t, t.sum()

s = bump(y, 1)                y, s = bump(y, 1)

A function whose callers never look at the changed tensor again owns it, and stays as it is. A nested function that changes
a tensor of the function around it declares its name `nonlocal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import field
from enum import Enum
from functools import partial

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.facts.infer import (
    FILLS,
    GIVES,
    LOOKED_AT,
    OWNED,
    PASSING_LAYERS,
    RESTATED_CALLS,
    all_marks,
)
from torch2jax.facts.mutations import changes_values, surely_changes
from torch2jax.facts.star_arguments import is_given_in_sight, may_be_in_stars
from torch2jax.normalize.absent_arguments import fills_absent
from torch2jax.normalize.escape import contained_names, is_given_inside, keeps_result
from torch2jax.normalize.evaluation_order import evaluated_before
from torch2jax.normalize.rebound_arguments import part_names
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.python import method_does
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted, root_name
from torch2jax.program.statements import bound_in, bound_parts, statement_above
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import INNER_SCOPES, bound_names, children, descendants
from torch2jax.values import INPLACE, UNKNOWN, WITHOUT_TENSORS, Kind, Value, files_of

_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
_KEPT_DECORATORS = {"staticmethod", "classmethod"}
_CALLED = {"forward", "__call__"}
_NO_CHANGE = {"requires_grad_", "share_memory_", "retain_grad_"}


class Form(Enum):
    """How a function gives back what it changes: its result is that and nothing else, was that already, or comes behind."""

    ALONE = "alone"
    SAME = "same"
    FRONT = "front"


_PARTED = "parted"  # names of arguments, so many times
_MOST_PARTED = 5
_AS_VALUE = ""  # of functions that other files hand on as values: any argument may be looked at


@dataclass(frozen=True, slots=True)
class _Site:
    """A place that a function changes: by an operation of its own, or by `call`. One that is `quiet` is an activation in
    place; one that is `open` is called with a layer that may be such an activation.
    """

    node: cst.BaseExpression
    function: Function | None
    call: cst.Call | None = None
    quiet: bool = False
    guards: frozenset[tuple[str, bool]] = frozenset()  # parameters that must be true, or false, to get there
    open: bool = False


@dataclass(slots=True)
class _Group:
    """Functions that one call may reach: they give back the same. `changed` and `needed` are positions of parameters."""

    functions: list[Function]
    changed: dict[int, list[_Site]] = field(default_factory=dict)
    needed: set[int] = field(default_factory=set)
    given_already: dict[int, bool] = field(default_factory=dict)
    form: Form = Form.FRONT
    is_hidden: bool = False  # some callers are not in sight
    is_fixed: bool = False  # its results cannot be changed
    is_foreign: bool = False  # it belongs to another file, which has been normalized

    @property
    def given(self) -> list[int]:
        return sorted(self.needed)

    @property
    def is_normalized(self) -> bool:
        return bool(self.needed) and (self.is_foreign or not (self.is_hidden or self.is_fixed))

    def names(self, position: int) -> list[tuple[Function, str]]:
        """Its functions with the names of their parameters at a position: some may have fewer."""
        found = [(item, item.parameter_names[position : position + 1]) for item in self.functions]
        return [(item, names[0]) for item, names in found if names]


def normalize_arguments(work: NormalizationRound) -> None:
    """Normalize the functions of a file that change their arguments, and all calls of them."""
    if (RESTATED_CALLS,) in work.program.marks:
        return
    normalization = _Arguments(work)
    normalization.note_looked_at()
    if normalization.find():
        normalization.normalize()
        if normalization.has_parted:
            return
    if work.marks or work.edits.touched():
        work.marks.add((RESTATED_CALLS,))


def tidy_arguments(work: NormalizationRound) -> None:
    """`y.copy_(f(y))` is `y = f(y)`, once what shares storage with `y` has got its new values."""
    gives = {mark[1] for mark in all_marks(work.program) if mark[0] == GIVES}
    if not gives:
        return
    for line in work.program.settled:
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Expr(
                        value=cst.Call(
                            func=cst.Attribute(value=place, attr=cst.Name("copy_")), args=[cst.Arg(value=new, star="")]
                        )
                    )
                ]
            ) if line in work.index.parents and isinstance(place, (cst.Name, cst.Subscript)):
                _tidy(work, line, place, new, gives)


def _tidy(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    place: cst.BaseExpression,
    new: cst.BaseExpression,
    gives: set[str],
) -> None:
    if isinstance(place, cst.Subscript) and work.values(place.value).kind not in (Kind.LIST, Kind.DICT):
        return
    target = code(place)
    if isinstance(new, cst.Call):
        if any(item.key in gives for item in work.values.callees.get(new, ())):
            work.edits.rewrite_statement(line, lambda rewrite: [_bind(target, _inside(rewrite, new))])
        return
    above = statement_above(work.index, line)
    match above, new:
        case (
            cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Tuple(elements=elements))], value=cst.Call() as call
                    )
                ]
            ),
            cst.Name(value=name),
        ) if any(item.key in gives for item in work.values.callees.get(call, ())):
            for element in elements:
                if isinstance(element.value, cst.Name) and element.value.value == name:
                    work.edits.replace(element.value, lambda rewrite: cst.parse_expression(target))
                    work.edits.remove(line)


class _Arguments:
    def __init__(self, work: NormalizationRound) -> None:
        assert work.effects is not None and work.flows is not None
        self.work = work
        self.program = work.program
        self.values = work.values
        self.effects = work.effects
        self.flows = work.flows
        self.sites: list[_Site] = []
        self.groups: dict[Function, _Group] = {}
        self.names: dict[cst.CSTNode, FreshNames] = {}
        self.hoisted: set[cst.CSTNode] = set()
        self.finished: set[cst.CSTNode] = set()
        self.ended: set[cst.CSTNode] = set()
        self.declared: set[tuple[Function, str]] = set()
        self._bound: dict[Function, frozenset[str]] = {}
        self.handed_on: set[Function] = set()  # functions that are used as values
        self.open_calls: list[cst.Call] = []  # of which it is not known what they reach
        self.has_parted = False
        self.listed: set[Function] = set()  # the `forward` of each class whose modules stand in Sequentials

    # what changes what

    def note_looked_at(self) -> None:
        """Note which parameters, of functions of other files that change them, get what may be looked at behind a call."""
        changed: dict[str, list[str]] = {}
        for mark in all_marks(self.program):
            if mark[0] == FILLS:
                changed.setdefault(mark[1], []).append(mark[2])
        foreign = {key for key in changed if self.program.by_key[key].node not in self.program.functions}
        if not foreign:
            return
        escaping = {item.key for item in self.escaping()}
        for function in map(self.program.by_key.__getitem__, sorted(foreign)):
            calls = [call for call in self.work.index.calls if self.may_reach(call, function)]
            if function.key in escaping:
                self.work.marks.add((LOOKED_AT, function.key, _AS_VALUE))
            for name in changed[function.key]:
                position = function.parameter_names.index(name)
                if function.key in escaping or any(not self.is_temporary(function, position, call) for call in calls):
                    self.work.marks.add((LOOKED_AT, function.key, name))

    def may_reach(self, call: cst.Call, function: Function) -> bool:
        """Whether a call is one of a function, or of something of which nothing is known that may be it."""
        if call in self.open_calls:
            return function.owner is not None and _may_name(call.func, function.name)
        callees = self.values.callees.get(call, ())
        return function in callees or function in self.first_forwards(self.values(call.func), own=False)

    def is_temporary(self, callee: Function, position: int, call: cst.Call) -> bool:
        """Whether a call gives a function a tensor that nobody looks at behind it."""
        argument = self.argument(callee, position, call)
        if argument is None:
            return not any(item.star for item in call.args)
        is_new = all(root.startswith("new:") for root in self.values(argument).roots)
        return is_new and not self.is_needed(argument, call)

    def find(self) -> bool:
        """Find all sites; whether there is anything to do."""
        self.sites = list(self.direct_sites())
        foreign = self.foreign_groups()
        if not self.sites and not foreign:
            return False
        self.make_groups(foreign)
        waiting = list(self.sites)
        calls = self.calls_by_callee()
        while waiting:
            site = waiting.pop()
            for function, name in self.parameters_of(site):
                group = self.groups[function]
                position = function.parameter_names.index(name)
                known = group.changed.setdefault(position, [])
                is_new = not any(
                    (item.quiet, item.guards, item.open) == (site.quiet, site.guards, site.open) for item in known
                )
                known.append(site)
                if not is_new:
                    continue
                for member in group.functions:
                    for call in calls.get(member, ()):
                        waiting += self.site_of_call(member, position, call, site.quiet, site.open)
        for group in foreign:
            for member in group.functions:
                for call in calls.get(member, ()):
                    for position in group.needed:
                        for site in self.site_of_call(member, position, call, False):
                            self.sites.append(site)
        return True

    def direct_sites(self) -> Iterator[_Site]:
        """Every place whose tensor an operation of torch changes."""
        index, values = self.work.index, self.values
        for node in index.every(cst.AugAssign, cst.Assign):
            if isinstance(node, cst.AugAssign):
                yield from self.stored(node.target, is_update=True)
            elif isinstance(node, cst.Assign):
                for target in node.targets:
                    yield from self.stored(target.target, is_update=False)
        for call in index.calls:
            for place, quiet in self.changed_by_torch(call):
                if values(place).kind is Kind.TENSOR:
                    called = values(call.func)
                    is_open = quiet and called.kind is Kind.MODULE and not surely_changes(called)
                    yield self.site(place, call, quiet=quiet, is_open=is_open)

    def stored(self, target: cst.CSTNode, is_update: bool) -> Iterator[_Site]:
        if isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                yield from self.stored(element.value, is_update)
            return
        if isinstance(target, cst.Subscript):
            place: cst.BaseExpression = target
            while isinstance(place, cst.Subscript) and self.values(place.value).kind is Kind.TENSOR:
                place = place.value
            if place is not target:
                yield self.site(_bare(place), target)
        elif isinstance(target, cst.Attribute) and target.attr.value == "data":
            if self.values(target.value).kind is Kind.TENSOR:
                yield self.site(target.value, target)
        elif is_update and isinstance(target, cst.Name) and self.values(target).kind is Kind.TENSOR:
            yield self.site(target, target)

    def changed_by_torch(self, call: cst.Call) -> Iterator[tuple[cst.BaseExpression, bool]]:
        """The expressions whose tensors a call of torch changes, and whether it is an activation in place."""
        name = self.values.torch_name(call.func)
        function = self.values(call.func)
        first = call.args[0].value if call.args and not call.args[0].star else None
        if name is not None:
            short = name.split(".")[-1]
            for item in call.args:
                if item.keyword is not None and item.keyword.value == "out":
                    whole = item.value
                    for part in whole.elements if isinstance(whole, (cst.Tuple, cst.List)) else [cst.Element(whole)]:
                        yield _bare(part.value), False
            if self.values.is_inplace(call) and first is not None:
                yield _bare(first), True
            if changes_values(short) and first is not None:
                yield _bare(first), False
        elif function.kind is Kind.MODULE:
            if INPLACE in function.among and first is not None:
                yield _bare(first), True
        elif isinstance(call.func, cst.Attribute) and self.values(call.func.value).kind is Kind.TENSOR:
            if changes_values(call.func.attr.value) and call.func.attr.value not in _NO_CHANGE:
                yield _bare(self.first_of_chain(call.func.value)), False

    def first_of_chain(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """`x` of `x.add_(1).mul_(2)`."""
        while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            if not changes_values(node.func.attr.value):
                break
            node = node.func.value
        return node

    def parameters_of(self, site: _Site) -> Iterator[tuple[Function, str]]:
        """The parameters, of the function or of one around it, whose tensors may be changed at a site."""
        for root in sorted(self.values(site.node).roots):
            if not root.startswith("param:"):
                continue
            name = root.removeprefix("param:")
            function = site.function
            while function is not None and name not in function.parameter_names:
                function = function.outer
            if function is not None and self.is_tensor(function, name):
                yield function, name

    def is_tensor(self, function: Function, name: str) -> bool:
        param = next(item for item in function.parameters if item.name.value == name)
        return self.values(param.name).kind is Kind.TENSOR

    # groups

    def calls_by_callee(self) -> dict[Function, list[cst.Call]]:
        found: dict[Function, list[cst.Call]] = {}
        for call in self.work.index.calls:
            for callee in (*self.values.callees.get(call, ()), *self.first_forwards(self.values(call.func))):
                found.setdefault(callee, []).append(call)
        return found

    def first_forwards(self, module: Value, own: bool = True) -> Iterator[Function]:
        """The `forward`, of this file or of others, that gets the argument of a Sequential itself, also behind layers that hand
        it on."""
        if module.types != {"torch.nn.Sequential"}:
            return
        for member in _members(module):
            is_passing = bool(member.types & PASSING_LAYERS)
            for name in sorted(member.types):
                item = self.program.class_by_key.get(name)
                forward = item.method("forward") if item is not None else None
                if forward is not None:
                    is_passing = is_passing or forward.returns is None or forward.returns.shares(_given(forward))
                    if own is (forward.node in self.program.functions):
                        yield forward
            yield from self.first_forwards(member, own)
            if not is_passing and member.types != {"torch.nn.Sequential"}:
                return

    def foreign_groups(self) -> list[_Group]:
        """Functions of imported files that give something back."""
        marks = {mark[1]: mark for mark in all_marks(self.program) if mark[0] == GIVES}
        if not marks:
            return []
        groups: dict[str, _Group] = {}
        for call in self.work.index.calls:
            for callee in self.values.callees.get(call, ()):
                mark = marks.get(callee.key)
                if mark is not None and callee.node not in self.program.functions and callee.key not in groups:
                    positions = {callee.parameter_names.index(name) for name in mark[3:]}
                    groups[callee.key] = _Group([callee], needed=positions, form=Form(mark[2]), is_foreign=True)
        return list(groups.values())

    def make_groups(self, foreign: Sequence[_Group]) -> None:
        for group in foreign:
            for function in group.functions:
                self.groups[function] = group
        for function in self.program.functions.values():
            self.groups[function] = _Group([function])
        for callees in self.values.callees.values():
            for other in callees[1:]:
                self.join(callees[0], other)
        for item in self.program.classes.values():
            for name, method in item.methods.items():
                for base in item.lineage[1:]:
                    if name in base.methods and name != "__init__":
                        self.join(method, base.methods[name])
        escaping = self.escaping()
        for function, group in self.groups.items():
            if not group.is_foreign:
                is_handed_on = (function.key, _AS_VALUE) in self.program.looked_at
                group.is_hidden = group.is_hidden or function in escaping or is_handed_on
                is_fixed = function in self.listed or _is_fixed(function, self.values.torch_name)
                group.is_fixed = group.is_fixed or is_fixed

    def join(self, one: Function, other: Function) -> None:
        left, right = self.groups.get(one), self.groups.get(other)
        if left is None or right is None or left is right:
            return
        left.functions += right.functions
        left.is_fixed = left.is_fixed or left.is_foreign or right.is_foreign
        for function in right.functions:
            self.groups[function] = left

    def escaping(self) -> set[Function]:
        """Functions that are used as values, or that something unknown may call."""
        found: set[Function] = set()
        index, by_key = self.work.index, self.program.by_key
        for node in (*index.names, *index.attributes):
            value = self.values.of_node.get(node)
            if value is None or value.kind is not Kind.FUNCTION or not value.types:
                continue
            parent = index.parents.get(node)
            if isinstance(parent, cst.Call) and parent.func is node:
                continue
            if isinstance(parent, cst.Attribute) and parent.attr is node:
                continue
            if isinstance(parent, (cst.AssignTarget, cst.FunctionDef)):
                continue
            found |= {by_key[key] for key in value.types if key in by_key}
        self.handed_on = set(found)
        self.open_calls = [call for call in index.calls if self.is_open(call)]
        unknown: set[str] = set()
        for call in index.calls:
            made, called = self.values(call), self.values(call.func)
            for value in (made, called):
                if "torch.nn.Sequential" in value.types and not value.items and value.elem is None:
                    continue  # an empty one, or layers of torch beside it: it runs nothing of the program
                if value.kind is Kind.MODULE and "torch.nn.Sequential" in value.types:
                    forwards = self.forwards_in(value)
                    is_known = value.types == {"torch.nn.Sequential"} and _is_written_out(value)
                    is_known = is_known and not any(keeps_result(self.work, item) for item in forwards)
                    (self.listed if is_known else found).update(forwards)
            if isinstance(call.func, cst.Attribute) and call not in self.values.callees:
                if self.values(call.func.value).kind is Kind.UNKNOWN:
                    unknown.add(call.func.attr.value)
        if any(self.is_unknown_callable(call.func) for call in index.calls):
            found |= {item for item in self.program.functions.values() if item.owner and item.name in _CALLED}
        if unknown:
            found |= {item for item in self.program.functions.values() if item.owner and item.name in unknown}
        return found

    def is_open(self, call: cst.Call) -> bool:
        """Whether a call may be one of a method of any class: of a parameter or field of which nothing is known, or a method of it."""
        if call in self.values.callees:
            return False
        is_method = isinstance(call.func, cst.Attribute) and self.values(call.func.value).kind is Kind.UNKNOWN
        return is_method or self.is_unknown_callable(call.func)

    def forwards_in(self, value: Value) -> set[Function]:
        """The `forward` of each class that a Sequential may hold: of all classes where it may hold anything."""
        members = list(self.effects.members(value))
        classes = [item for member in members for item in self.effects.classes_of(member)]
        if not members or any(member.kind is not Kind.MODULE for member in members):
            classes = self.program.module_classes()
        return {forward for item in classes if (forward := item.method("forward")) is not None}

    def is_unknown_callable(self, node: cst.BaseExpression) -> bool:
        """Whether a parameter or field is called of which nothing is known: it may be any module."""
        if not isinstance(node, (cst.Name, cst.Attribute)) or self.values(node).kind is not Kind.UNKNOWN:
            return False
        if isinstance(node, cst.Attribute):
            classes = self.effects.classes_of(self.values(node.value))
            return any(item.field_value(node.attr.value) is not None for item in classes)
        return any(root.startswith("param:") for root in self.values(node).roots) and not self.gets_no_module(node)

    def gets_no_module(self, node: cst.Name) -> bool:
        """Whether a parameter gets functions, numbers or tensors by every call of its function."""
        function = self.program.function_around(node)
        if function is None or node.value not in function.parameter_names or function.owner is not None:
            return False
        calls = [call for call in self.work.index.calls if function in self.values.callees.get(call, ())]
        position = function.parameter_names.index(node.value)
        given = [self.argument(function, position, call) for call in calls]
        known = WITHOUT_TENSORS | {Kind.FUNCTION, Kind.TENSOR}
        is_closed = function not in self.handed_on and not function.seen_elsewhere and bool(calls)
        return is_closed and all(item is not None and self.values(item).kind in known for item in given)

    def site_of_call(
        self, callee: Function, position: int, call: cst.Call, quiet: bool, is_open: bool = False
    ) -> Iterator[_Site]:
        argument = self.argument(callee, position, call)
        if argument is not None and self.values(argument).kind is Kind.TENSOR:
            if self.may_change(callee, position, call):
                yield self.site(self.source(argument), call, call, quiet, is_open)

    def may_change(self, callee: Function, position: int, call: cst.Call) -> bool:
        """Whether a call changes an argument, as far as `inplace=False` and the like tell."""
        sites = self.groups[callee].changed.get(position)
        if not sites or any(item.star for item in call.args):
            return True
        given = dict(arguments_by_parameter(callee, call, self.values))
        defaults = {param.name.value: param.default for param in callee.parameters}

        def holds(name: str, wanted: bool) -> bool:
            if name in given:
                value = self.values(given[name]).const
                return not isinstance(value, bool) or value is wanted
            default = defaults.get(name)
            return default is None or {"True": True, "False": False, "None": False}.get(code(default), wanted) is wanted

        return any(all(holds(*guard) for guard in site.guards) for site in sites)

    def site(
        self,
        place: cst.BaseExpression,
        node: cst.CSTNode,
        call: cst.Call | None = None,
        quiet: bool = False,
        is_open: bool = False,
    ) -> _Site:
        """A site at a node, with what must hold for control to get there."""
        function = self.program.function_around(node)
        guards: set[tuple[str, bool]] = set()
        if function is not None and not quiet:
            child = node
            for ancestor in self.work.index.ancestors(node):
                if ancestor is function.node:
                    break
                if isinstance(ancestor, (cst.If, cst.IfExp)) and child is not ancestor.test:
                    guards |= set(_conditions(ancestor.test, child is ancestor.body))
                child = ancestor
            flags = [item for item in guards if item[0] in function.parameter_names]
            guards = {item for item in flags if not self.is_rebound(function, item[0])}
        return _Site(place, function, call, quiet, frozenset(guards), is_open)

    def is_rebound(self, function: Function, name: str) -> bool:
        flow = self.flows.liveness(function).flow
        return any(name in (*item.defs, *item.may_defs) for item in flow.accesses_by_index[1:])

    def argument(self, callee: Function, position: int, call: cst.Call) -> cst.BaseExpression | None:
        names = callee.parameter_names
        if position >= len(names):
            return None
        return dict(arguments_by_parameter(callee, call, self.values)).get(names[position])

    def source(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """`x` of `scale_(x.data, 2)`, where `scale_` gives back the very tensor that it is given and changes."""
        while True:
            node = _bare(node)
            callees = self.values.callees.get(node, ()) if isinstance(node, cst.Call) else ()
            group = self.groups.get(callees[0]) if callees else None
            if group is None or not isinstance(node, cst.Call) or len(group.changed or group.needed) != 1:
                return node
            (position,) = group.changed or group.needed
            inner = self.argument(callees[0], position, node)
            is_same = group.form is Form.SAME if group.is_foreign else self.all_give_already(group, position)
            if inner is None or not is_same or self.values(inner).kind is not Kind.TENSOR:
                return node
            node = inner

    def all_give_already(self, group: _Group, position: int) -> bool:
        if position not in group.given_already:
            group.given_already[position] = all(
                self.gives_already(item, position, group) for item, _ in group.names(position)
            )
        return group.given_already[position]

    # what callers look at again

    def decide(self) -> None:
        """Which changes are needed by callers, as the least fixpoint over the calls."""
        calls = self.calls_by_callee()
        groups = self.distinct_groups()
        for group in groups:
            is_called = any(calls.get(item) or item in self.listed or item.seen_elsewhere for item in group.functions)
            if not is_called or group.is_hidden:
                group.needed |= set(group.changed)
            group.needed |= {position for position in group.changed if self.is_looked_at(group, position)}
        changed = True
        while changed:
            changed = False
            for group in groups:
                for position in group.changed:
                    if position in group.needed:
                        continue
                    if any(
                        self.may_change(member, position, call) and self.is_passed_and_needed(member, position, call)
                        for member in group.functions
                        for call in calls.get(member, ())
                    ):
                        group.needed.add(position)
                        changed = True

    def is_looked_at(self, group: _Group, position: int) -> bool:
        """Whether other files may look at what they have given for a parameter."""
        return any((item.key, name) in self.program.looked_at for item, name in group.names(position))

    def distinct_groups(self) -> list[_Group]:
        found = {id(group): group for group in self.groups.values() if group.changed and not group.is_foreign}
        return list(found.values())

    def is_passed_and_needed(self, callee: Function, position: int, call: cst.Call) -> bool:
        argument = self.argument(callee, position, call)
        return self.is_needed(argument, call) if argument is not None else self.is_starred(callee, position, call)

    def is_starred(self, callee: Function, position: int, call: cst.Call) -> bool:
        """Whether a call may pass something for a parameter in `*args` or `**kwargs`."""
        if position >= len(callee.parameters) or not any(item.star for item in call.args):
            return False
        return may_be_in_stars(self.program, self.values, call, callee.parameter_names[position], self.calls_in_sight)

    def calls_in_sight(self, function: Function) -> list[cst.Call] | None:
        """The calls of a function, and of what may be it; None if it is handed on as a value."""
        if function in self.handed_on:
            return None
        found = [call for call in self.work.index.calls if function in self.values.callees.get(call, ())]
        if function.owner is not None:
            found += [call for call in self.open_calls if _may_name(call.func, function.name)]
        return found

    def is_needed(self, argument: cst.BaseExpression, call: cst.Call) -> bool:
        """Whether the change of an argument is seen behind its call."""
        argument = self.source(argument)
        value = self.values(argument)
        if value.kind is not Kind.TENSOR:
            return value.kind is Kind.UNKNOWN
        if not value.roots or any(not root.startswith(("new:", "param:")) for root in value.roots):
            return True
        function = self.program.function_around(call)
        if is_given_inside(self.values, function, value.roots) or self.is_made_elsewhere(argument, value):
            return True
        if isinstance(argument, cst.Attribute) and files_of(self.values(argument.value)):
            return True
        for name in self.names_of_parameters(value):
            owner = function
            while owner is not None and name not in owner.parameter_names:
                owner = owner.outer
            if owner is None or owner is not function:
                return True
            if owner.parameter_names.index(name) in self.groups[owner].needed:
                return True
        root = argument
        while isinstance(root, (cst.Attribute, cst.Subscript)):
            root = root.value
            if isinstance(argument, cst.Subscript) and self.values(root).kind in (Kind.OBJECT, Kind.MODULE):
                return True  # in a container that this has
        if isinstance(root, cst.Name) and function is not None and root.value not in self.bound(function):
            return self.values(root).kind is not Kind.TORCH
        if self.inner_scope(call) is not None:
            return isinstance(root, cst.Name)
        if isinstance(root, cst.Name) and root.value in contained_names(self.work, function):
            return True
        return any(True for _ in self.sharing(call, value, None))

    def is_made_elsewhere(self, node: cst.BaseExpression, value: Value) -> bool:
        """Whether an argument may be a tensor that another function has made and kept: `t = self.buffers[0]`."""
        if isinstance(node, cst.Attribute):
            return False
        around = self.program.function_around(node)
        made = (maker for maker in self.values.makers(value.roots) if maker in self.work.index.parents)
        return any(self.program.function_around(maker) is not around for maker in made)

    def names_of_parameters(self, value: Value) -> list[str]:
        return sorted(root.removeprefix("param:") for root in value.roots if root.startswith("param:"))

    def inner_scope(self, call: cst.Call) -> cst.CSTNode | None:
        """The lambda or comprehension that a call stands in; what a comprehension goes through is there before it."""
        inner: cst.CSTNode = call
        first: cst.CSTNode | None = None
        for ancestor in self.work.index.ancestors(call):
            if isinstance(ancestor, cst.CompFor) and inner is ancestor.iter:
                first = ancestor
            elif isinstance(ancestor, (cst.Lambda, *_COMPREHENSIONS)) and inner is not first:
                return ancestor
            if isinstance(ancestor, (cst.BaseStatement, cst.BaseSmallStatement)):
                return None
            inner = ancestor
        return None

    def sharing(self, call: cst.Call, value: Value, without: str | None) -> Iterator[str]:
        """The variables that are read behind a call, in its statement or later, and share storage with a value."""
        function = self.program.function_around(call)
        statement = self.work.index.statement_of(call)
        env = self.values.after.get(statement) or (function.env if function is not None else self.program.module_env)
        for name in sorted(self.live_behind(call)):
            if name != without and name in env and env[name].shares(value.roots):
                yield name
        bound, targets, inside = _bound_by(statement), _targets(statement), {call, *descendants(call)}
        for node in descendants(statement if isinstance(statement, cst.SimpleStatementLine) else _head(statement)):
            if isinstance(node, cst.Name) and node.value in bound - {without} and node not in inside:
                if node not in targets and self.values(node).shares(value.roots):
                    yield node.value

    def live_behind(self, call: cst.Call) -> set[str]:
        """The variables that are read behind a call, in its statement or later."""
        function = self.program.function_around(call)
        statement = self.work.index.statement_of(call)
        liveness = self.flows.liveness(function)
        if isinstance(statement, cst.SimpleStatementLine):
            live = set(liveness.after_statement(statement)) - _bound_by(statement)
        else:
            live = set(liveness.after(statement))
        inside = set(descendants(call))
        around = statement if isinstance(statement, cst.SimpleStatementLine) else _head(statement)
        bound = set(_bound_by(statement))  # and what a comprehension takes from what the call gives
        bound = bound.union(*(bound_in(item.target) for item in descendants(around, cst.CompFor)))
        for node in descendants(around):
            if isinstance(node, cst.Name) and node not in inside and node.value not in bound:
                live.add(node.value)
        return live

    # names

    def bound(self, function: Function) -> frozenset[str]:
        """The names that belong to a function."""
        if function not in self._bound:
            flow = self.flows.liveness(function).flow
            names = {name for item in flow.accesses_by_index for name in (*item.defs, *item.may_defs)}
            self._bound[function] = frozenset(names - flow.global_names - flow.nonlocal_names)
        return self._bound[function]

    def fresh(self, node: cst.CSTNode, wish: str) -> str:
        function = self.work.index.function_of(node) or self.work.index.module
        if function not in self.names:
            self.names[function] = self.work.local(function)
        return self.names[function](wish)

    # normalizing

    def normalize(self) -> None:
        self.decide()
        if self.part_names():
            self.has_parted = True
            return
        for group in self.distinct_groups():
            self.settle(group)
        normalized = [group for group in self.distinct_groups() if group.is_normalized]
        for group in normalized:
            for function in group.functions:
                self.end_early(function, group)
        for call in self.work.index.calls:
            self.check_unneeded(call)
        for call in self.ordered_calls():
            groups = {
                id(self.groups[item]): self.groups[item] for item in self.values.callees[call] if item in self.groups
            }
            for group in groups.values():
                if group.is_normalized:
                    self.call(call, group)
        for group in normalized:
            for function in group.functions:
                self.definition(function, group)
        for site in self.sites:
            if isinstance(site.node, cst.Name):
                self.declare(site.function, site.node)

    def part_names(self) -> bool:
        """Whether names of arguments that have to be given back, and stand for something else at the end, have been parted."""
        calls, done = self.calls_by_callee(), sum(mark[0] == _PARTED for mark in self.program.marks)
        if done == _MOST_PARTED:
            return False
        found = False
        for group in self.distinct_groups():
            if group.is_hidden or group.is_fixed or self.is_unseen(group):
                continue
            for function in group.functions:
                if function.node not in self.program.functions or not (calls.get(function) or function.seen_elsewhere):
                    continue
                places = (*self.unreturned(function, group), *self.changed_by_rows(function, group))
                place = next(iter(places), None)
                found |= place is not None and part_names(self.work, function, *place)
        if found:
            self.work.marks.add((_PARTED, str(done)))
        return found

    def changed_by_rows(self, function: Function, group: _Group) -> Iterator[tuple[str, cst.BaseStatement]]:
        """The parameters whose rows are changed where their names may stand for something else, with what makes them that."""
        for position, sites in group.changed.items():
            for name in function.parameter_names[position : position + 1]:
                rows = _names_of_rows(function, {name})
                if any(isinstance(site.node, cst.Name) and site.node.value in rows for site in sites):
                    rebinding = self.first_rebinding(function, name, group, position)
                    if rebinding is not None and rebinding not in function.node.body.body:
                        yield name, rebinding

    def settle(self, group: _Group) -> None:
        """Decide how a group gives back what it changes, and what of that must be told."""
        calls = self.calls_by_callee()
        self.mark(FILLS, group)
        is_alone = not any(calls.get(item) or item.seen_elsewhere for item in group.functions)
        group.is_fixed = (group.is_fixed and not self.gives_as_forward(group)) or any(
            site.open for position in group.needed for site in group.changed[position]
        )
        if is_alone and self.is_unseen(group):
            self.report_unseen(group)
            group.needed.clear()
            self.mark_owned(group)
            return
        if is_alone and not group.is_fixed and not group.is_hidden:
            gives_itself = len(group.needed) == 1 and all(self.all_give_already(group, item) for item in group.needed)
            plain = all(self.is_plain(group, item, with_rows=gives_itself) for item in group.needed)
            group.is_fixed = not plain or any(_is_called_by_others(item) for item in group.functions)
        if group.needed and not (group.is_hidden or group.is_fixed):
            group.is_fixed = not all(self.can_return(item, group) for item in group.functions)
        if group.needed and not group.is_normalized:
            self.report_transitive(group)
            return
        if group.needed:
            group.form = self.form_of(group)
        self.mark_owned(group)
        for function in group.functions if group.needed else ():
            names = function.parameter_names
            self.work.marks.add((GIVES, function.key, group.form.value, *(names[item] for item in group.given)))
        if is_alone and group.needed:
            self.report_public(group)

    def gives_as_forward(self, group: _Group) -> bool:
        """Whether modules give back the one tensor that they are given and change, as their result is: `return x.mul_(self.scale)`."""
        return (
            len(group.needed) == 1
            and all(
                _is_forward(item) and item not in self.listed and not _has_fixed_results(item, self.values.torch_name)
                for item in group.functions
            )
            and all(self.all_give_already(group, position) for position in group.needed)
        )

    def mark_owned(self, group: _Group) -> None:
        """What is changed may be: all has been told of it, or will be given back."""
        self.mark(OWNED, group)

    def mark(self, word: str, group: _Group) -> None:
        for position in group.changed:
            self.work.marks.update((word, item.key, name) for item, name in group.names(position))

    def is_plain(self, group: _Group, position: int, with_rows: bool) -> bool:
        """Whether every change of a parameter is one of the variable itself, or of the rows that a loop goes through."""
        (function,) = group.functions[:1]
        names = {name for _, name in group.names(position)}
        if with_rows:
            names |= _names_of_rows(function, names)
        return all(
            isinstance(site.node, cst.Name) and site.node.value in names and _is_within(site.function, group.functions)
            for site in group.changed[position]
        ) and bool(function)

    def report_transitive(self, group: _Group) -> None:
        """Nobody else sees that a function changes its argument by a call of another one that is normalized."""
        for position, sites in group.changed.items():
            for site in sites:
                if position in group.needed and (site.call is not None or site.quiet) and site.function is not None:
                    name = (
                        site.function.parameter_names[position] if site.function in group.functions else code(site.node)
                    )
                    self.report(site.node, "T2J300", name=name, function=site.function.name)

    def is_unseen(self, group: _Group) -> bool:
        """Whether nobody in sight sees what is changed: activations in place, or what modules do with the arguments of `forward`."""
        if all(site.quiet for sites in group.changed.values() for site in sites):
            return True
        is_called = group.is_hidden or any(item in self.listed for item in group.functions)
        return all(map(_is_forward, group.functions)) and not is_called

    def report_unseen(self, group: _Group) -> None:
        """The text is that of other operations; that activations in `forward` save memory is nothing to tell."""
        is_forward = any(_is_forward(item) for item in group.functions)
        for position in group.needed:
            gives = len(group.needed) == 1 and self.all_give_already(group, position)
            for site in group.changed[position]:
                if site.function in group.functions and site.call is None and not (is_forward and site.quiet):
                    name = site.function.parameter_names[position]
                    hint = _hint(site.function, name) if gives and not is_forward else ""
                    identifier = "T2J304" if is_forward or gives else "T2J300"
                    self.report(site.node, identifier, name=name, function=site.function.name, hint=hint)

    def report_public(self, group: _Group) -> None:
        for function in group.functions:
            names = [function.parameter_names[position] for position in group.given]
            order = self.work.index.order
            site = min(group.changed[group.given[0]], key=lambda item: order[item.node])
            hint = _hint(function, *names, *(["result"] if group.form is Form.FRONT else []))
            identifier = "T2J304" if group.form is Form.SAME else "T2J300"
            self.report(site.node, identifier, name=names[0], function=function.name, hint=hint)

    def report(self, node: cst.CSTNode, identifier: str, **fields: str) -> None:
        leaf = next((item for item in descendants(node) if isinstance(item, cst.Name)), node)
        self.work.lasting.append(Problem(leaf, identifier, fields))

    # definitions

    def form_of(self, group: _Group) -> Form:
        functions = group.functions
        if all(all(item.value is None for item in _returns(function)) for function in functions):
            return Form.ALONE
        if len(group.needed) == 1:
            (position,) = group.needed
            if self.all_give_already(group, position):
                return Form.SAME
        return Form.FRONT

    def gives_already(self, function: Function, position: int, group: _Group) -> bool:
        name = function.parameter_names[position]
        return (
            not _falls_through(function.node.body)
            and self.first_rebinding(function, name, group, position) is None
            and all(
                item.value is not None and self.is_same(item.value, name, group, position)
                for item in _returns(function)
            )
        )

    def is_same(self, node: cst.BaseExpression, name: str, group: _Group, position: int) -> bool:
        """Whether an expression is the very tensor that a variable holds, changed or not."""
        match node:
            case cst.Name():
                return node.value == name
            case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=method))) if changes_values(method):
                return self.values(receiver).kind is Kind.TENSOR and self.is_same(receiver, name, group, position)
            case cst.Call():
                if self.values(node.func).kind is Kind.MODULE and not self.values.is_inplace_layer(node):
                    return False
                if (changed := next(self.changed_by_torch(node), None)) is not None and node.args:
                    return changed[0] is _bare(node.args[0].value) and self.is_same(changed[0], name, group, position)
                callees = self.values.callees.get(node, ())
                if not callees or any(self.groups.get(item) is not group for item in callees):
                    return False
                arguments = [self.argument(item, position, node) for item in callees]
                return all(item is not None and self.is_same(item, name, group, position) for item in arguments)
        return False

    def may_fill(self, function: Function, name: str) -> bool:
        """Whether a function makes a tensor of its own where it is given None."""
        return any(
            isinstance(node, cst.Assign)
            and any(name in bound_in(target.target) for target in node.targets)
            and fills_absent(self.work.index, self.values, node, node.value, name)
            for node in _own(function.node.body)
        )

    def first_rebinding(self, function: Function, name: str, group: _Group, position: int) -> cst.BaseStatement | None:
        """The first statement that gives a parameter's name to something else."""
        for node in _own(function.node.body):
            target: cst.CSTNode | None = None
            value: cst.BaseExpression | None = None
            match node:
                case cst.Assign():
                    for item in node.targets:
                        if any(isinstance(part, cst.Name) and part.value == name for part in bound_parts(item.target)):
                            target, value = item.target, node.value
                case cst.AnnAssign() | cst.For() | cst.CompFor() | cst.NamedExpr() | cst.Del():
                    target = node.target
                    value = getattr(node, "value", None)
                case cst.AsName():
                    target = node.name
                case cst.Import() | cst.ImportFrom() | cst.Global() | cst.Nonlocal() | cst.Match():
                    continue
            if target is None or isinstance(node, cst.CompFor):
                continue
            if any(isinstance(part, cst.Name) and part.value == name for part in bound_parts(target)):
                if isinstance(target, cst.Name) and value is not None:
                    fills = fills_absent(self.work.index, self.values, node, value, name)
                    if fills or self.is_same(value, name, group, position):
                        continue
                return self.work.index.statement_of(node)
        return None

    def can_return(self, function: Function, group: _Group) -> bool:
        """Whether the parameters to give back can be named wherever a function ends."""
        if any(position >= len(function.parameters) for position in group.needed):
            return False
        return next(self.unreturned(function, group), None) is None

    def unreturned(self, function: Function, group: _Group) -> Iterator[tuple[str, cst.BaseStatement]]:
        """The parameters that cannot be named wherever a function ends, each with the statement that binds its name to something else."""
        for position in group.given:
            if position >= len(function.parameters):
                continue
            name = function.parameter_names[position]
            rebinding = self.first_rebinding(function, name, group, position)
            if rebinding is None:
                continue
            if not isinstance(function.node.body, cst.IndentedBlock) or rebinding not in function.node.body.body:
                yield name, rebinding
                continue
            behind = function.node.body.body[list(function.node.body.body).index(rebinding) :]
            below = {node for statement in behind for node in descendants(statement)}
            if any(
                site.node in below and f"param:{name}" in self.values(site.node).roots
                for site in self.sites_of(group, position)
            ):
                yield name, rebinding

    def sites_of(self, group: _Group, position: int) -> list[_Site]:
        return group.changed.get(position, [])

    def definition(self, function: Function, group: _Group) -> None:
        """Let a function return what it gives back."""
        if group.form is Form.SAME:
            return
        edits, node = self.work.edits, function.node
        names: list[str] = []
        saved: dict[str, cst.BaseStatement] = {}
        for position in group.given:
            name = function.parameter_names[position]
            names.append(name)
            rebinding = self.first_rebinding(function, name, group, position)
            if rebinding is not None:
                saved[name] = rebinding
        renamed = {name: self.fresh(node.body, f"changed_{name}") for name in saved}
        for name, statement in saved.items():
            edits.before(statement, partial(_assigned, renamed[name], name))
        for item in _returns(function):
            if item in self.ended:
                continue
            line = self.work.index.statement_of(item)
            given = [
                renamed[name] if name in saved and self.is_behind(function, saved[name], line) else name
                for name in names
            ]
            if group.form is Form.FRONT and item.value is not None and self.changes_something(item.value):
                edits.rewrite_statement(line, partial(self.ending, given, group, item.value))
            else:
                result = "None" if group.form is Form.FRONT else ""
                edits.replace(item, partial(_returned, item, given, item.value, result))
        if _falls_through(node.body) and node not in self.ended:
            given = [renamed.get(name, name) for name in names]
            tail = [*given, "None"] if group.form is Form.FRONT else given
            last = node.body.body[-1]
            edits.after(last, lambda rewrite: self.placed(last, [cst.parse_statement(f"return {', '.join(tail)}")]))
        self.annotate(function, group)

    def ending(
        self, given: list[str], group: _Group, value: cst.BaseExpression, rewrite: Rewriter
    ) -> list[cst.BaseStatement]:
        """`return t.add_(1) if c else t * 2` in statements that change `t` before they return it."""
        if isinstance(value, cst.IfExp):
            inner, outer = (self.ending(given, group, part, rewrite) for part in (value.body, value.orelse))
            test = cst.If(rewrite.expression(value.test), cst.IndentedBlock(inner))
            return [*self.placed(value, [test]), *outer]
        names = ", ".join(given)
        (position, *others) = group.given
        if not others and given[0] in {name for _, name in group.names(position)}:
            if isinstance(value, cst.Call) and self.is_same(value, given[0], group, position):
                change = cst.SimpleStatementLine([cst.Expr(rewrite.expression(value))])
                return self.placed(value, [change, cst.parse_statement(f"return {names}, {names}")])
        if not self.changes_something(value):
            whole = quote(
                "{*given}, {value}", given=[cst.Name(name) for name in given], value=rewrite.expression(value)
            )
            return self.placed(value, [cst.SimpleStatementLine([cst.Return(whole)])])
        result = self.fresh(value, "result")
        bound = _bind(result, rewrite.expression(value))
        return self.placed(value, [bound, cst.parse_statement(f"return {names}, {result}")])

    def end_early(self, function: Function, group: _Group) -> None:
        """What changes an argument last may return it."""
        if group.form is not Form.ALONE:
            return
        for item in _returns(function):
            line = self.work.index.statement_of(item)
            if item.value is None and self.return_last(function, group, statement_above(self.work.index, line), item):
                self.ended.add(item)
        last = function.node.body.body[-1]
        if _falls_through(function.node.body) and self.return_last(function, group, last, None):
            self.ended.add(function.node)

    def return_last(self, function: Function, group: _Group, line: cst.CSTNode | None, end: cst.Return | None) -> bool:
        """`t.add_(1)` at the end becomes `return t.add_(1)`."""
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or len(group.needed) != 1:
            return False
        (position,) = group.needed
        name, small = function.parameter_names[position], line.body[0]
        if not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
            return False
        call = small.value
        if call in self.values.callees:
            other = self.groups.get(self.values.callees[call][0]) if self.values.callees[call] else None
            if other is None or not other.is_normalized or len(other.needed) != 1 or self.form_of(other) is Form.FRONT:
                return False
            (place,) = other.needed
            argument = self.argument(self.values.callees[call][0], place, call)
            if not isinstance(argument, cst.Name) or argument.value != name:
                return False
        elif not self.is_same(call, name, group, position):
            return False
        if self.first_rebinding(function, name, group, position) is not None:
            return False
        if line in self.work.edits.statements:
            return False
        self.finished.add(call)
        self.work.edits.rewrite_statement(
            line, lambda rewrite: [quote_statement("return {x}", x=_inside(rewrite, call))]
        )
        if end is not None:
            self.work.edits.remove(self.work.index.statement_of(end))
        return True

    def is_behind(self, function: Function, first: cst.BaseStatement, line: cst.CSTNode) -> bool:
        body = list(function.node.body.body)
        top = line
        while top not in body:
            top = self.work.index.parents[top]
        return body.index(top) >= body.index(first)

    def changes_something(self, node: cst.BaseExpression) -> bool:
        """Whether an expression changes a tensor while it is evaluated."""
        below = set(descendants(node))
        return any(site.call is None and site.node in below for site in self.sites)

    def annotate(self, function: Function, group: _Group) -> None:
        returns = function.node.returns
        if returns is None:
            return
        params = [function.parameters[position] for position in group.given]
        given = [item.annotation.annotation if item.annotation is not None else None for item in params]
        parts = given if group.form is Form.ALONE else [*given, returns.annotation]
        if any(item is None for item in parts):
            node = function.node
            self.work.edits.replace(node, lambda rewrite: rewrite.inside(node).with_changes(returns=None))
            return
        texts = [code(item) for item in parts if item is not None]
        text = texts[0] if len(texts) == 1 else f"tuple[{', '.join(texts)}]"
        new = cst.parse_expression(text)
        self.work.copies[new] = returns.annotation
        self.work.edits.replace(returns.annotation, lambda rewrite: new)

    # calls

    def ordered_calls(self) -> list[cst.Call]:
        """The calls of functions that are normalized, in the order in which they are made."""
        found = [
            call
            for call in self.work.index.calls
            if any(self.groups[item].is_normalized for item in self.values.callees.get(call, ()) if item in self.groups)
        ]
        if len(found) < 2:
            return found
        order: dict[cst.CSTNode, int] = {}
        for call in found:
            statement = self.work.index.statement_of(call)
            if call not in order:
                for node in _evaluated(statement):
                    order.setdefault(node, len(order))
        return sorted(found, key=lambda call: order[call])

    def call(self, call: cst.Call, group: _Group) -> None:
        """Let a call hand what it changes back to where it came from."""
        callee = next(item for item in self.values.callees[call] if self.groups.get(item) is group)
        if callee.name == "__init__" or call in self.finished:
            return
        if any(self.groups.get(item) is not group for item in self.values.callees[call]):  # which does not give it back
            self.report(call.func, "T2J300", name=callee.parameter_names[group.given[0]], function=callee.name)
            return
        arguments = [self.argument(callee, position, call) for position in group.given]
        self.check_twice(call, callee, group, arguments)
        places = [
            self.place(call, callee, position, item) for position, item in zip(group.given, arguments, strict=True)
        ]
        for place, argument in zip(places, arguments, strict=True):
            if place is not None and argument is not None:
                place.argument = argument
        match group.form:
            case Form.SAME:
                self.call_same(call, places[0])
            case Form.ALONE:
                self.call_alone(call, places)
            case Form.FRONT:
                names = [callee.parameter_names[position] for position in group.given]
                self.check_result(call, callee, places, names)
                self.call_front(call, places)

    def check_result(
        self, call: cst.Call, callee: Function, places: Sequence[_Place | None], names: Sequence[str]
    ) -> None:
        """A result that is a part of what the function gives back must be known as one."""
        if isinstance(self.work.index.parents[call], cst.Expr):
            return
        result = callee.returns or UNKNOWN
        if self.groups[callee].is_foreign and result.items:
            result = result.items[-1]  # behind what is given back
        for place, name in zip(places, names, strict=True):
            shared = frozenset({f"param:{name}", f"new:param:{name}"})
            if place is None or not (place.is_written or place.is_view or place.is_store):
                continue
            if result.shares(shared):
                self.report(place.node, "T2J301", name=code(call), base=code(place.node))
                return

    def check_unneeded(self, call: cst.Call) -> None:
        """A function that owns what it changes still must not be given that tensor by another parameter that it reads then."""
        for callee in self.values.callees.get(call, ()):
            group = self.groups.get(callee)
            if group is None or group.is_foreign or group.is_normalized:
                continue
            every = arguments_by_parameter(callee, call, self.values)
            for position, sites in group.changed.items():
                changed = self.argument(callee, position, call)
                if changed is None:
                    continue
                for name, other in every:
                    if changed is not other and self.is_same_place(changed, other) and self.reads_behind(sites, name):
                        self.report(other, "T2J303", name=code(changed), other=callee.parameter_names[position])

    def is_same_place(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two expressions give one tensor, or one of them a part of the other's."""
        if self.values(other).kind is not Kind.TENSOR or not self.values(other).shares(self.values(one).roots):
            return False
        names = [dotted(one), dotted(other)]
        return names[0] == names[1] is not None or (any(names) and root_name(one) == root_name(other) is not None)

    def reads_behind(self, sites: Sequence[_Site], name: str) -> bool:
        """Whether a parameter is read behind one of the places that change another one."""
        for site in sites:
            statement = self.work.index.statement_of(site.node)
            if site.function is None or name not in site.function.parameter_names:
                return True
            liveness = self.flows.liveness(site.function)
            is_simple = isinstance(statement, cst.SimpleStatementLine)
            live = liveness.after_statement(statement) if is_simple else liveness.after(statement)
            inside = site.call is not None and any(
                isinstance(node, cst.Name) and node.value == name for node in descendants(site.call)
            )
            if name in live or inside:
                return True
        return False

    def check_twice(
        self, call: cst.Call, callee: Function, group: _Group, arguments: Sequence[cst.BaseExpression | None]
    ) -> None:
        """One tensor that is given twice is changed under both names."""
        every = arguments_by_parameter(callee, call, self.values)
        for argument in arguments:
            if argument is None:
                continue
            roots = self.values(argument).roots
            for _, other in every:
                if other is not argument and self.values(other).shares(roots):
                    self.report(argument, "T2J303", name=code(argument), other=code(other))
                    return

    def place(
        self, call: cst.Call, callee: Function, position: int, argument: cst.BaseExpression | None
    ) -> _Place | None:
        """Where the changed argument goes; None: nowhere."""
        name = callee.parameter_names[position]
        if argument is None:
            if self.is_starred(callee, position, call):
                around = self.program.function_around(call)
                is_open = around is not None and _is_forward(around)
                if is_open and not is_given_in_sight(self.program, self.values, call, name, self.calls_in_sight):
                    self.report(call.func, "T2J304", name=name, function=callee.name, hint="")
                else:
                    self.report(call.func, "T2J300", name=name, function=callee.name)
            return None
        if not self.may_change(callee, position, call) or not self.is_needed(argument, call):
            return None
        bare = self.source(argument)
        value = self.values(bare)
        if value.kind is not Kind.TENSOR:
            self.report(argument, "T2J303", name=code(argument), other="something that is not known to be a tensor")
            return None
        if value.optional and self.may_fill(callee, name):  # the caller would have a tensor where it has None
            self.report(argument, "T2J303", name=code(argument), other="None")
            return None
        match bare:
            case cst.Name():
                return self.variable(call, bare, value)
            case cst.Attribute() if self.values(bare.value).kind is not Kind.TENSOR:
                return self.attribute(call, argument, bare, value)
            case cst.Subscript():
                return self.element(call, bare)
        if isinstance(bare, cst.Attribute) and bare.attr.value in ("grad", "real", "imag"):
            self.report(argument, "T2J303", name=code(argument), other=code(bare.value))
            return None
        return _Place(code(bare), bare, is_view=True)

    def variable(self, call: cst.Call, node: cst.Name, value: Value) -> _Place:
        function = self.program.function_around(call)
        self.declare(function, node)
        foreign = [name for name in self.names_of_parameters(value) if name != node.value]
        is_shared = not value.roots or any(not root.startswith(("new:", "param:")) for root in value.roots)
        is_shared = is_shared or bool(foreign)
        is_shared = is_shared or node.value in contained_names(self.work, function, besides=call)
        is_shared = is_shared or is_given_inside(self.values, function, value.roots)
        is_shared = is_shared or self.is_made_elsewhere(node, value)
        if is_shared or any(True for _ in self.sharing(call, value, node.value)):
            return _Place(node.value, node, is_written=True)
        return _Place(node.value, node)

    def attribute(
        self, call: cst.Call, argument: cst.BaseExpression, node: cst.Attribute, value: Value
    ) -> _Place | None:
        function = self.program.function_around(call)
        holder = self.values(node.value)
        is_named = dotted(node) is not None or (holder.kind is Kind.MODULE and _is_path(node.value))
        is_other = holder.kind in (Kind.TORCH, Kind.UNKNOWN, Kind.PYTHON, Kind.CLASS) and not files_of(holder)
        if not is_named or is_other:
            self.report(argument, "T2J303", name=code(argument), other="an object")
            return None
        if other := next(self.sharing(call, value, None), None):
            self.report(argument, "T2J303", name=code(argument), other=other)
            return None
        text = code(node)
        is_own = function is not None and dotted(node.value) == (function.self_name or "self")
        if holder.kind is Kind.OBJECT and not is_own:
            given = contained_names(self.work, function) & self.live_behind(call)
            if given:  # perhaps what this object has been given
                self.report(argument, "T2J303", name=code(argument), other=min(given))
                return None
        if holder.kind is Kind.MODULE and is_own and function is not None and function.name != "__init__":
            return _Place(text, node, is_written="parameter" in value.types)
        if holder.kind is Kind.MODULE and ("buffer" not in value.types or argument is not node):
            return _Place(f"{text}.data", node)
        return _Place(text, node)

    def element(self, call: cst.Call, node: cst.Subscript) -> _Place | None:
        """`y[0]`, `items[i]` or `table["k"]`."""
        base = self.values(node.value)
        if any(isinstance(part, (cst.Call, cst.Await, cst.NamedExpr)) for part in descendants(node)):
            if base.kind is Kind.TENSOR:
                return _Place(code(node), node, is_view=True)
            self.refuse(node)
            return None
        if base.kind is Kind.TENSOR:
            kinds = [self.index_kind(element.slice) for element in node.slice]
            if all(kind in (Kind.INT, Kind.NONE, Kind.SIZE) for kind in kinds):
                return _Place(code(node), node, is_store=True)
            if not any(kind in (Kind.TENSOR, Kind.LIST) for kind in kinds):  # else it is a copy
                self.refuse(node)
            return None
        if base.kind not in (Kind.LIST, Kind.DICT) or not isinstance(node.value, cst.Name):
            self.refuse(node)
            return None
        is_shared = self.is_held_elsewhere(call, node.value) or self.is_made_elsewhere(node, self.values(node))
        return _Place(code(node), node, is_written=is_shared)

    def refuse(self, node: cst.Subscript) -> None:
        self.report(node, "T2J303", name=code(node), other=code(node.value))

    def index_kind(self, node: cst.BaseSlice) -> Kind:
        """What an index is; a slice or `...` counts as a size."""
        if isinstance(node, cst.Slice):
            return Kind.SIZE
        assert isinstance(node, cst.Index)
        value = self.values(node.value)
        return Kind.SIZE if value.const is ... else value.kind

    def is_held_elsewhere(self, call: cst.Call, container: cst.Name) -> bool:
        """Whether the tensors in a list or dictionary may be known under other names."""
        value = self.values(container)
        function = self.program.function_around(call)
        if value.roots or (function is not None and container.value not in self.bound(function)):
            return True
        if any(item.kind is not Kind.TENSOR for item in value.parts):
            return True
        roots = frozenset(root for item in value.parts for root in item.roots)
        if not roots or any(not root.startswith("new:") for root in roots):
            return True
        scope = function.node if function is not None else self.work.index.module
        if any(
            isinstance(node, cst.BinaryOperation) and self.values(node).kind is Kind.LIST for node in descendants(scope)
        ):
            return True
        env = function.env if function is not None else self.program.module_env
        return any(name != container.value and item.shares(roots) for name, item in env.items())

    def call_same(self, call: cst.Call, place: _Place | None) -> None:
        """The result is the changed argument itself."""
        if place is None:
            return
        line, parent = self.work.index.statement_of(call), self.work.index.parents[call]
        is_simple = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        if is_simple and isinstance(parent, cst.Expr):
            self.work.edits.rewrite_statement(line, partial(self.taken, call, [place], None))
            return
        if is_simple and not place.is_view:
            if isinstance(parent, cst.Assign) and len(parent.targets) == 1 and parent.value is call:
                target = code(parent.targets[0].target)
                if target == place.text and not place.is_written:
                    return
                if f"{target}.data" == place.text:  # the parameter of a module goes to where it lies
                    self.work.edits.rewrite_statement(line, partial(self.taken, call, [place], None))
                    return
            if isinstance(parent, cst.Return) and self.is_last_look(call, place):
                return
        if not self.hoist(call, [place], None):
            self.refuse_expression(call, place)
            return
        shown = place.name or place.text.removesuffix(".data")
        self.work.edits.replace(call, lambda rewrite: cst.parse_expression(shown))

    def is_last_look(self, call: cst.Call, place: _Place) -> bool:
        """Whether `return f(x)` gives back the one thing that the caller needs."""
        function = self.program.function_around(call)
        if function is None or not isinstance(place.node, cst.Name) or place.is_written:
            return False
        group = self.groups[function]
        if place.node.value not in self.bound(function):
            return False
        return group.is_normalized and group.form is Form.SAME

    def call_alone(self, call: cst.Call, places: Sequence[_Place | None]) -> None:
        line = self.work.index.statement_of(call)
        is_simple = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        if is_simple and isinstance(self.work.index.parents[call], cst.Expr):
            if any(places):
                self.work.edits.rewrite_statement(line, partial(self.taken, call, places, None))
        elif self.hoist(call, places, None):  # where its result stood there was None
            self.work.edits.replace(call, lambda rewrite: cst.Name("None"))
        else:
            self.refuse_expression(call, next((place for place in places if place is not None), None))

    def call_front(self, call: cst.Call, places: Sequence[_Place | None]) -> None:
        line, parent = self.work.index.statement_of(call), self.work.index.parents[call]
        is_simple = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        if is_simple and isinstance(parent, cst.Expr):
            if any(places):
                self.work.edits.rewrite_statement(line, partial(self.taken, call, places, "_"))
            return
        if is_simple and isinstance(parent, cst.Assign) and len(parent.targets) == 1:
            target = parent.targets[0].target
            is_store = any(
                isinstance(part, cst.Subscript) and self.values(part.value).kind is Kind.TENSOR
                for part in descendants(target)
            )
            # whoever else holds what `x = f(x)` changes is given it before the name goes on as that of the result
            written = {code(part) for part in (target, *descendants(target)) if isinstance(part, cst.BaseExpression)}
            goes_on = any(place is not None and place.text in written for place in places)
            if not is_store and not goes_on:
                text = f"({code(target)})" if isinstance(target, cst.Tuple) and not target.lpar else code(target)
                self.work.edits.rewrite_statement(line, partial(self.taken, call, places, text))
                return
        if any(places) and self.hoist(call, places, "result"):
            return
        if any(places):
            self.refuse_expression(call, next(place for place in places if place is not None))
        place = len(places)
        self.work.edits.replace(
            call, lambda rewrite: quote("{call}[{place}]", call=_inside(rewrite, call), place=place)
        )

    def refuse_expression(self, call: cst.Call, place: _Place | None) -> None:
        node = place.node if place is not None else call.func
        self.report(node, "T2J302", name=code(node), operation=code(call))

    def taken(
        self, call: cst.Call, places: Sequence[_Place | None], result: str | None, rewrite: Rewriter
    ) -> list[cst.BaseStatement]:
        """`y, s = f(y)`, and what must be done before and behind it."""
        above: list[cst.BaseStatement] = []
        below: list[cst.BaseStatement] = []
        targets: list[str] = []
        made = _inside(rewrite, call)
        alone = len(places) == 1 and result is None
        for place in places:
            if place is None:
                targets.append("_")
                continue
            if place.is_view:
                place.name = place.name or self.fresh(call, "part")
                above.append(_bind(place.name, rewrite.expression(place.node)))
                made = _exchanged(made, call, place.argument, cst.Name(place.name))
            elif place.text.endswith(".data") and not isinstance(place.argument, cst.Call):
                made = _exchanged(made, call, place.argument, place.node)
            text = place.name or place.text
            if alone and (place.is_view or place.is_written):
                return self.placed(call, [*above, quote_statement("{x}.copy_({call})", x=text, call=made)])
            if place.is_view or place.is_written or (place.is_store and not alone):
                new = self.fresh(call, "changed")
                targets.append(new)
                template = f"{text} = {new}" if place.is_store and not place.is_view else f"{text}.copy_({new})"
                below.append(cst.parse_statement(template))
            else:
                targets.append(text)
        if result is not None:
            targets.append(result)
        changing = [_bind(", ".join(targets), made), *below]
        if any(place is not None and isinstance(place.node, cst.Attribute) for place in places):
            self.work.in_place.update(changing)
        return self.placed(call, [*above, *changing])

    def placed(self, origin: cst.CSTNode, statements: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """New statements stand where an original node does."""
        for line in statements:
            self.work.copies[line] = origin
            for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                self.work.copies[small] = origin
        return statements

    # calls inside of expressions

    def hoist(self, call: cst.Call, places: Sequence[_Place | None], wish: str | None) -> bool:
        """Make a call in a statement of its own before the one that it stands in, where the order of things allows it."""
        earlier = evaluated_before(self.work.index, call)
        if earlier is None:
            return False
        roots = frozenset(root for place in places if place is not None for root in self.values(place.node).roots)
        line = self.work.index.statement_of(call)
        kept = [node for node in earlier if not self.is_independent(node, roots)]
        if any(not isinstance(node, cst.BaseExpression) or node in self.work.edits.nodes for node in kept):
            return False
        if wish is not None:
            for node in descendants(call):
                if node is not call and node in self.work.edits.statements:
                    return False
        for node in kept:
            assert isinstance(node, cst.BaseExpression)
            name = self.fresh(call, "value")
            self.work.edits.before(line, partial(self.kept, name, node))
            self.work.edits.replace(node, partial(_named, name))
            self.hoisted.add(node)
        result = self.fresh(call, wish) if wish is not None else None
        for place in places:
            if place is not None and place.is_view:
                place.name = self.fresh(call, "part")
        self.work.edits.before(line, partial(self.taken, call, places, result))
        self.hoisted.add(call)
        if result is not None:
            self.work.edits.replace(call, partial(_named, result))
        return True

    def kept(self, name: str, node: cst.BaseExpression, rewrite: Rewriter) -> list[cst.BaseStatement]:
        inner = rewrite.inside(node)
        assert isinstance(inner, cst.BaseExpression)
        return self.placed(node, [_bind(name, inner)])

    def is_independent(self, node: cst.CSTNode, roots: frozenset[str]) -> bool:
        """Whether an expression gives the same before and after a call that changes what has these roots."""
        if node in self.hoisted or isinstance(node, (cst.Name, cst.BaseNumber, cst.BaseString)):
            return True
        if isinstance(node, cst.Attribute) and dotted(node) is not None:
            return True
        for item in (node, *descendants(node)):
            if isinstance(item, cst.Call):
                if self.values.callees.get(item) or self.effects.draw_of(item) is not Draw.NONE:
                    return False
                if any(True for _ in self.changed_by_torch(item)):
                    return False
            if isinstance(item, (cst.Name, cst.Attribute)):
                value = self.values(item)
                if (
                    value.kind is Kind.UNKNOWN
                    and item in self.values.of_node
                    and not isinstance(self.work.index.parents.get(item), cst.Call)
                ):
                    return False
                if value.shares(roots) or (value.kind is Kind.TENSOR and "*" in value.roots | roots):
                    return False
        return True

    # variables of the functions around

    def declare(self, function: Function | None, node: cst.Name) -> None:
        """A function that gives a new value to a variable of a function around it, or of the module, says so."""
        name = node.value
        if function is None or name in self.bound(function) or self.values(node).kind is not Kind.TENSOR:
            return
        flow = self.flows.liveness(function).flow
        if name in flow.global_names or name in flow.nonlocal_names or (function, name) in self.declared:
            return
        if self.inner_scope_of_name(node) or not isinstance(function.node.body, cst.IndentedBlock):
            return
        self.declared.add((function, name))
        outer = function.outer
        while outer is not None and name not in self.bound(outer):
            outer = outer.outer
        env = outer.env if outer is not None else self.program.module_env
        if name not in env:
            return
        for other, value in sorted(env.items()):
            if other != name and value.shares(env[name].roots):
                self.report(node, "T2J301", name=name, base=other)
                return
        word = "nonlocal" if outer is not None else "global"
        self.work.edits.prologue(function.node.body, lambda rewrite: [cst.parse_statement(f"{word} {name}")])

    def inner_scope_of_name(self, node: cst.Name) -> bool:
        for ancestor in self.work.index.ancestors(node):
            if isinstance(ancestor, (cst.Lambda, *_COMPREHENSIONS)):
                return True
            if isinstance(ancestor, cst.BaseSmallStatement):
                return False
        return False


@dataclass(slots=True)
class _Place:
    """Where a changed tensor goes: `text` is bound again, or written into where others may share it; a view gets a `name`
    first.
    """

    text: str
    node: cst.BaseExpression
    is_written: bool = False
    is_store: bool = False
    is_view: bool = False
    name: str = ""
    argument: cst.BaseExpression | None = None


# trees


def _bare(node: cst.BaseExpression) -> cst.BaseExpression:
    """`x.data` and `x.detach()` name the same storage as `x`."""
    while True:
        match node:
            case cst.Attribute(value=inner, attr=cst.Name(value="data")):
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value="detach")), args=[]):
                node = inner
            case _:
                return node


def _is_fixed(function: Function, torch_name: object) -> bool:
    """Whether the results of a function cannot be changed: others than its callers use them, or it has none."""
    return _is_forward(function) or _has_fixed_results(function, torch_name)


def _has_fixed_results(function: Function, torch_name: object) -> bool:
    if function.name.startswith("__") and function.name.endswith("__") and function.name != "__call__":
        return True
    if function.node.asynchronous is not None or not isinstance(function.node.body, cst.IndentedBlock):
        return True
    for decorator in function.node.decorators:
        expression = decorator.decorator
        name = torch_name(expression.func if isinstance(expression, cst.Call) else expression)  # type: ignore[operator]
        if name is None and code(expression) not in _KEPT_DECORATORS:
            return True
    for node in _own(function.node.body):
        if isinstance(node, (cst.Yield, cst.Await)) or (isinstance(node, cst.Try) and node.finalbody is not None):
            return True
    return False


def _may_name(node: cst.BaseExpression, method: str) -> bool:
    """Whether a call of an expression of which nothing is known may be one of a method."""
    if isinstance(node, cst.Attribute) and node.attr.value != method:
        return method in _CALLED and not method_does(node.attr.value)  # a field may hold the module
    return isinstance(node, cst.Attribute) or method in _CALLED


def _given(function: Function) -> frozenset[str]:
    """The roots of what a function is given."""
    return frozenset(f"param:{name}" for name in function.parameter_names)


def _is_written_out(sequence: Value) -> bool:
    """Whether all members of a Sequential, and of those in it, are known: each gets what the one before it gives."""
    members = _members(sequence)
    return bool(members) and all(
        item.kind is Kind.MODULE
        and bool(item.types)
        and (item.types != {"torch.nn.Sequential"} or item.items == () or _is_written_out(item))
        for item in members
    )


def _members(sequence: Value) -> tuple[Value, ...]:
    """What a Sequential runs one after the other; of one of any length all at once."""
    if sequence.items is not None:
        return sequence.items
    return () if sequence.elem is None else (sequence.elem,)


def _is_called_by_others(function: Function) -> bool:
    """Whether a method overrides one of torch's, which then calls it."""
    owner = function.owner
    return (
        owner is not None
        and any(value.kind is Kind.TORCH for item in owner.lineage for value in item.bases)
        and (not owner.is_module or function.name in ("extra_repr", "reset_parameters"))
    )


def _is_within(function: Function | None, others: Sequence[Function]) -> bool:
    """Whether a function is one of several, or defined in one of them."""
    while function is not None and function not in others:
        function = function.outer
    return function is not None


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What lies below a node, inner functions and classes left out."""
    for child in children(node):
        if not isinstance(child, INNER_SCOPES):
            yield child
            yield from _own(child)


def _returns(function: Function) -> list[cst.Return]:
    return [node for node in _own(function.node.body) if isinstance(node, cst.Return)]


def _conditions(test: cst.BaseExpression, holds: bool) -> Iterator[tuple[str, bool]]:
    """The variables that are true, or false, where a test holds, or does not."""
    match test:
        case cst.Name(value=name):
            yield name, holds
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            yield from _conditions(inner, not holds)
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            if isinstance(operator, cst.And if holds else cst.Or):
                yield from _conditions(left, holds)
                yield from _conditions(right, holds)


def _falls_through(suite: cst.CSTNode) -> bool:
    """Whether control may reach the end of a block."""
    body: Sequence[cst.CSTNode] = getattr(suite, "body", ())
    if isinstance(suite, cst.SimpleStatementSuite):
        return not any(isinstance(item, (cst.Return, cst.Raise)) for item in body)
    last = body[-1] if body else None
    match last:
        case cst.SimpleStatementLine():
            return not any(isinstance(item, (cst.Return, cst.Raise)) for item in last.body)
        case cst.If(body=positive, orelse=negative):
            if isinstance(negative, cst.If):
                return _falls_through(positive) or _falls_through(cst.IndentedBlock([negative]))
            return negative is None or _falls_through(positive) or _falls_through(negative.body)
        case cst.With():
            return _falls_through(last.body)
        case cst.While(test=cst.Name(value="True")):
            return any(isinstance(node, cst.Break) for node in descendants(last))
        case cst.Try(handlers=handlers, body=inner):
            if last.orelse is not None:
                return True
            return _falls_through(inner) or any(_falls_through(item.body) for item in handlers)
    return True


def _bound_by(statement: cst.CSTNode) -> set[str]:
    """The variables that a statement gives other values."""
    return {part.value for part in _targets(statement)}


def _targets(statement: cst.CSTNode) -> set[cst.Name]:
    """The names of these variables where the statement binds them."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return set()
    return {
        part
        for small in statement.body
        if isinstance(small, cst.Assign)
        for target in small.targets
        for part in bound_parts(target.target)
        if isinstance(part, cst.Name)
    }


def _head(statement: cst.CSTNode) -> cst.CSTNode:
    """What of a compound statement is evaluated before its body."""
    for name in ("test", "iter", "subject"):
        found = getattr(statement, name, None)
        if isinstance(found, cst.CSTNode):
            return found
    return statement


def _evaluated(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes below one, those first that are evaluated first."""
    for child in children(node):
        yield from _evaluated(child)
    yield node


def _is_forward(function: Function) -> bool:
    return function.name == "forward" and function.owner is not None and function.owner.is_module


def _names_of_rows(function: Function, names: Set[str]) -> set[str]:
    """The variables of loops that go through some parameters: `t` and `m` of `for t, m in zip(tensor, mean):`."""
    rows: set[str] = set()
    for loop in descendants(function.node.body, cst.For):
        given = [item.value for item in loop.iter.args] if isinstance(loop.iter, cst.Call) else [loop.iter]
        is_known = not isinstance(loop.iter, cst.Call) or dotted(loop.iter.func) in ("zip", "enumerate")
        if is_known and any(dotted(item) in names for item in given):
            rows |= bound_names(loop.target)
    return rows


def _hint(function: Function, *targets: str) -> str:
    return f": call it as `{', '.join(targets)} = {function.name}({', '.join(_spelled(function))})`"


def _spelled(function: Function) -> Iterable[str]:
    """The arguments of a call, by the names of the parameters."""
    params = function.node.params
    for param in (*params.posonly_params, *params.params):
        if param.name.value != function.self_name:
            yield param.name.value
    for param in params.kwonly_params:
        yield f"{param.name.value}={param.name.value}"


def _bind(targets: str, value: cst.BaseExpression) -> cst.BaseStatement:
    return quote_statement("{x} = {value}", x=targets, value=value)


def _assigned(target: str, value: str, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [cst.parse_statement(f"{target} = {value}")]


def _named(name: str, rewrite: Rewriter) -> cst.CSTNode:
    return cst.Name(name)


def _inside(rewrite: Rewriter, call: cst.Call) -> cst.BaseExpression:
    inner = rewrite.inside(call)
    assert isinstance(inner, cst.BaseExpression)
    return inner


def _returned(
    node: cst.Return, given: Sequence[str], value: cst.BaseExpression | None, result: str, rewrite: Rewriter
) -> cst.CSTNode:
    names = ", ".join(given)
    if value is not None and result:
        new = quote("{*given}, {value}", given=[cst.Name(name) for name in given], value=rewrite.expression(value))
    else:
        new = cst.parse_expression(f"{names}, {result}" if result else names)
    return node.with_changes(value=new, whitespace_after_return=cst.SimpleWhitespace(" "))


def _exchanged(
    made: cst.BaseExpression, call: cst.Call, old: cst.BaseExpression | None, new: cst.BaseExpression
) -> cst.BaseExpression:
    """What was made of a call, with another expression in the place of one argument."""
    assert isinstance(made, cst.Call)
    pairs = zip(call.args, made.args, strict=True)
    return made.with_changes(args=[now.with_changes(value=new) if was.value is old else now for was, now in pairs])


__all__ = ["Form", "normalize_arguments", "tidy_arguments"]


def _is_path(node: cst.BaseExpression) -> bool:
    """Whether an expression names a part by names, numbers and variables alone: `model.blocks[i].norm`."""
    match node:
        case cst.Name():
            return True
        case cst.Attribute(value=owner):
            return _is_path(owner)
        case cst.Subscript(value=owner, slice=[cst.SubscriptElement(slice=cst.Index(value=at, star=None))]):
            return _is_path(owner) and isinstance(at, (cst.Name, cst.Integer, cst.SimpleString))
    return False
