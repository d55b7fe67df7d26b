"""Optimizers that objects keep to ask for their options and set them: the objects are given them at each call.

class Warmup:                                           class Warmup:
    def __init__(self, optimizer, rate):                    def __init__(self, optimizer, rate):
        self.optimizer = optimizer
        self.rate = rate                                        self.rate = rate
    def step(self):                                         def step(self, optimizer):
        for group in self.optimizer.param_groups:     ->        for group in optimizer.param_groups:
            group["lr"] = self.rate                                 group["lr"] = self.rate

scheduler.step()                                        scheduler.step(optimizer)

What an optimizer has come to, its state, has one holder in the translation: the code that trains. An object whose methods
step the optimizer is such a holder, and is left as it is, as one is whose calls are not beside the optimizer.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import field
from functools import partial

import libcst as cst

from torch2jax.facts.infer import MADE, all_marks
from torch2jax.facts.kept_fields import trains
from torch2jax.facts.optimizer_pairs import OptimizerPairs, may_be_several
from torch2jax.facts.schedules import GIVEN, STEPPED_ELSEWHERE
from torch2jax.normalize.kept_modules import without_pairs
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, dotted, is_super
from torch2jax.program.statements import assigned_pairs
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import UNKNOWN, Kind, Value

_READ = frozenset({"param_groups", "defaults"})


def normalize_kept_optimizers(work: NormalizationRound) -> None:
    """Take such fields away where the states of optimizers are values."""
    if work.effects is None or not work.effects.threads:
        return
    gone: set[str] = set()
    for owner in work.program.classes.values():
        for keeper in _keepers(work, owner):
            if keeper.plan() and not keeper.stands_beside(gone):
                keeper.edit()
                gone.add(keeper.name)
    _give_others(work)


def _keepers(work: NormalizationRound, owner: Class) -> Iterator[_Keeper]:
    """The fields of a class in which `__init__` keeps an optimizer that it is given."""
    init = owner.methods.get("__init__")
    is_stepped = any(mark[:2] == (STEPPED_ELSEWHERE, owner.key) for mark in work.marks | work.program.marks)
    if owner.is_module or init is None or is_stepped:
        return
    for line in init.node.body.body:
        assign = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            continue
        for target, value in assigned_pairs(assign.targets[0].target, assign.value):
            match target, value:
                case cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=name)), cst.Name(value=given) if (
                    own == init.self_name
                    and given in init.parameter_names
                    and work.values(value).kind is Kind.OPTIMIZER
                    and isinstance(line, cst.SimpleStatementLine)
                ):
                    yield _Keeper(work, owner, init, name, given, line, target)


class _Stays(Exception):
    """That an object keeps its optimizer."""


@dataclass(slots=True)
class _Keeper:
    """A field `name` with an optimizer, the parameter `given` of `init`, which `store` in `line` sets."""

    work: NormalizationRound
    owner: Class
    init: Function
    name: str
    given: str
    line: cst.SimpleStatementLine
    store: cst.Attribute
    family: list[Class] = field(default_factory=list)
    taking: list[Function] = field(default_factory=list)  # the methods that are given the optimizer
    parameter: str = ""  # what they call it
    reads: dict[cst.Attribute, str] = field(default_factory=dict)  # of the field, with what stands for it
    calls: dict[cst.Call, str] = field(default_factory=dict)  # of these methods, with what they are given

    def plan(self) -> bool:
        """Whether all reads of the field, and all calls of methods that read it, have the optimizer beside them."""
        every = self.work.program.classes.values()
        self.family = [item for item in every if self.owner in item.lineage]
        if any(trains(self.work.values, item) for item in self.family):
            return False
        try:
            self.check_makers()
            self.find_reads()
            self.find_taking()
            self.parameter = self.free_parameter()
            self.name_reads()
            self.name_calls()
        except _Stays:
            return False
        return bool(self.taking)

    def check_makers(self) -> None:
        """Objects that are made in a loop have the optimizer that is made there as often."""
        work, values = self.work, self.work.values
        inits = [init for item in self.family if (init := item.method("__init__")) is not None]
        for call, callees in values.callees.items():
            if call not in work.index.parents or not isinstance(call, cst.Call):
                continue
            for init in (item for item in callees if item in inits and not _is_of_super(call)):
                parameter = handed_on(work, init, self.init, self.given)
                given = dict(arguments_by_parameter(init, call, values)).get(parameter or "")
                if given is None or not all(_made_as_often(work, key, call) for key in values(given).types):
                    raise _Stays

    def find_reads(self) -> None:
        parents = self.work.index.parents
        for node in self.work.index.attributes:
            if node.attr.value != self.name or node is self.store:
                continue
            if self.method_of(node) is None and not self.is_member(self.work.values(node.value)):
                continue
            parent = parents[node]
            if isinstance(parent, cst.Attribute) and parent.attr.value not in _READ:
                raise _Stays
            if not isinstance(parent, (cst.Attribute, cst.Arg)):
                raise _Stays
            self.reads[node] = ""

    def is_member(self, value: Value) -> bool:
        """Whether a value may be an object of the class."""
        return value.kind is Kind.OBJECT and bool(value.types & {item.key for item in self.family})

    def method_of(self, node: cst.Attribute) -> Function | None:
        """The method that reads a field of its own object."""
        around = self.work.program.function_around(node)
        is_own = around is not None and around.owner in self.family and dotted(node.value) == around.self_name
        return around if is_own else None

    def methods(self) -> Iterator[Function]:
        for item in self.family:
            yield from item.methods.values()

    def find_taking(self) -> None:
        """The methods that read the field, or call such ones, with all of their names."""
        names = {method.name for node in self.reads if (method := self.method_of(node)) is not None}
        while True:
            names -= {"__init__"}
            more = {item.name for item in self.methods() if any(self.own_calls(item, names))}
            if more - {"__init__"} <= names:
                break
            names |= more
        self.taking = [item for item in self.methods() if item.name in names]
        for method in self.taking:
            is_special = method.name.startswith("__") and method.name != "__call__"
            if is_special or method.node.decorators or method.node.params.posonly_params:
                raise _Stays

    def own_calls(self, method: Function, names: set[str]) -> Iterator[cst.Call]:
        """The calls of some methods on the object itself, or of those of its base class."""
        for node in descendants(method.node.body):
            if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in names:
                if dotted(node.func.value) == method.self_name or is_super(node.func.value):
                    yield node

    def free_parameter(self) -> str:
        used = set[str]().union(*(names_in(item.node) for item in self.taking), [""])
        if self.given not in used or all(self.is_only_argument(item) for item in self.taking):
            return self.given
        return self.name.lstrip("_") if self.name.lstrip("_") not in used else self.work.fresh(self.given)

    def is_only_argument(self, method: Function) -> bool:
        """Whether a method has the name only as that of a field or of an argument of calls."""
        index = self.work.index
        names = [node for node in descendants(method.node) if isinstance(node, cst.Name) and node.value == self.given]
        return all(index.is_label(node) for node in names)

    def name_reads(self) -> None:
        for node in self.reads:
            method = self.method_of(node)
            self.reads[node] = self.name_in(method) if method is not None else self.place_for(node.value, node)

    def name_in(self, method: Function) -> str:
        """What a method of the object calls the optimizer."""
        if method in self.taking:
            return self.parameter
        handed = handed_on(self.work, method, self.init, self.given)
        if handed is None:
            raise _Stays
        return handed

    def name_calls(self) -> None:
        """The calls of methods that take the optimizer; that of another method by such a name is none of them."""
        parents = self.work.index.parents
        for call, callees in self.work.values.callees.items():
            if call in parents and any(item in self.taking for item in callees):
                if not isinstance(call, cst.Call) or not all(item in self.taking for item in callees):
                    raise _Stays
                self.calls[call] = self.name_at(call)
        called = {call.func for call in self.calls}
        names = {item.name for item in self.taking}
        for node in self.work.index.attributes:
            if node.attr.value in names and node not in called:
                if self.method_of(node) is not None or self.is_member(self.work.values(node.value)):
                    raise _Stays

    def name_at(self, call: cst.Call) -> str:
        method = self.work.program.function_around(call)
        receiver = _receiver(call)
        if method is not None and method.owner in self.family:
            if dotted(receiver) == method.self_name or is_super(receiver):
                return self.name_in(method)
        return self.place_for(receiver, call)

    def place_for(self, receiver: cst.BaseExpression, node: cst.CSTNode) -> str:
        method = self.work.program.function_around(node)
        if method is not None and method.owner in self.family and self.is_the_only_one(receiver):
            return self.name_in(method)
        place = place_beside(self.work, receiver, node, self.init, self.given, self.name)
        if place is None:
            raise _Stays
        return place

    def is_the_only_one(self, receiver: cst.BaseExpression) -> bool:
        """Whether all objects of the class keep one optimizer, that of a receiver as well: `self.after_scheduler`."""
        work = self.work
        keys = (
            _kept_keys(work, receiver, self.init, self.given, self.name) | self.init.seen.get(self.given, UNKNOWN).types
        )
        return bool(keys) and not may_be_several(work.program, work.values, keys)

    def stands_beside(self, fields: Set[str]) -> bool:
        """Whether an optimizer is found in one of some fields, which go in this round: in the next one it is found elsewhere."""
        places = (*self.reads.values(), *self.calls.values())
        return any("." in place and place.rpartition(".")[2] in fields for place in places)

    def edit(self) -> None:
        work = self.work
        for node, place in self.reads.items():
            work.edits.replace(node, always(cst.parse_expression(place)))
        for method in self.taking:
            work.edits.replace(method.node.params, partial(_with_parameter, method, self.parameter))
            work.marks.add((GIVEN, method.key, self.parameter, self.init.key, self.given, self.name))
        for call, place in self.calls.items():
            work.edits.replace(call, partial(_with_first, call, place))
        work.edits.rewrite_statement(self.line, self.without_store)

    def without_store(self, rewrite: Rewriter) -> list[cst.BaseStatement]:
        assign = self.line.body[0]
        assert isinstance(assign, cst.Assign)
        pairs = assigned_pairs(assign.targets[0].target, assign.value)
        left = without_pairs(self.line, [pair for pair in pairs if pair[0] is not self.store], rewrite)
        return left or ([quote_statement("pass")] if len(self.init.node.body.body) == 1 else [])


def _give_others(work: NormalizationRound) -> None:
    """Give the methods of other files' classes the optimizers that they take."""
    marks = {mark[1]: mark for mark in all_marks(work.program) if mark[0] == GIVEN}
    for call, callees in work.values.callees.items() if marks else ():
        found = {marks[item.key] for item in callees if item.key in marks and item.node not in work.program.functions}
        if call not in work.index.parents or not isinstance(call, cst.Call) or len(found) != 1:
            continue
        _, _, parameter, init, given, name = found.pop()
        callee = callees[0]
        if work.values(dict(arguments_by_parameter(callee, call, work.values)).get(parameter, call)).kind is (
            Kind.OPTIMIZER
        ):
            continue
        maker = callee.owner.method("__init__") if callee.owner is not None else None
        if maker is None or maker.key != init:
            continue
        place = place_beside(work, _receiver(call), call, maker, given, name)
        if place is not None:
            work.edits.replace(call, partial(_with_first, call, place))


def _receiver(call: cst.Call) -> cst.BaseExpression:
    """The object whose method is called."""
    return call.func.value if isinstance(call.func, cst.Attribute) and call.func.attr.value != "__call__" else call.func


def _is_of_super(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__"


def _made_as_often(work: NormalizationRound, key: str, call: cst.Call) -> bool:
    """Whether an optimizer is made as often as the object that is given it, if both are made in one function."""
    number = key.removeprefix(f"{MADE}{work.program.prefix}")
    made = next((node for node, site in work.values.sites.items() if str(site) == number), None)
    if not isinstance(made, cst.CSTNode) or work.index.function_of(made) is not work.index.function_of(call):
        return True
    loops = _loops(work, call)
    return _loops(work, made) == loops and (not loops or _stand_together(work, made, call))


# where the optimizer of an object is


def place_beside(
    work: NormalizationRound, receiver: cst.BaseExpression, node: cst.CSTNode, init: Function, given: str, name: str
) -> str | None:
    """The variable or field that holds the optimizer which an object was made with, where the object is used."""
    call = _call_that_made(work, receiver)
    for maker in work.values.callees.get(call, ()) if call is not None else ():
        parameter = handed_on(work, maker, init, given)
        argument = dict(arguments_by_parameter(maker, call, work.values)).get(parameter or "")  # type: ignore[arg-type]
        place = _same_place(work, receiver, node, argument) if argument is not None else None
        if place is not None:
            return place
    keys = _kept_keys(work, receiver, init, given, name)
    place = _only_place(work, receiver, node, keys)
    return place if place is not None and _is_its_own(work, receiver, place, node, keys) else None


def _is_its_own(
    work: NormalizationRound, receiver: cst.BaseExpression, place: str, node: cst.CSTNode, keys: frozenset[str]
) -> bool:
    """Whether the optimizer in a place is the one that the object was made with, where several may be meant."""
    if not may_be_several(work.program, work.values, keys):
        return True
    pairs, name, own = OptimizerPairs(work.program, work.values), dotted(receiver), work.values(receiver).types
    together = pairs.are_stored_together(keys, lambda value: value.kind is Kind.OBJECT and bool(value.types & own))
    return together and name is not None and pairs.belongs(name, place, node)


def handed_on(work: NormalizationRound, maker: Function, init: Function, given: str, depth: int = 4) -> str | None:
    """The parameter of `maker` that becomes a parameter of `init`, which it calls by way of `super().__init__(...)`."""
    if maker is init or depth == 0:
        return given if maker is init else None
    for call in descendants(maker.node.body) if maker.name == "__init__" else ():
        for callee in work.values.callees.get(call, ()) if isinstance(call, cst.Call) else ():
            parameter = handed_on(work, callee, init, given, depth - 1)
            found = dict(arguments_by_parameter(callee, call, work.values)).get(parameter or "")  # type: ignore[arg-type]
            if isinstance(found, cst.Name) and found.value in maker.parameter_names:
                return found.value if work.program.definitions.bound_once(found) is not None else None
    return None


def _call_that_made(work: NormalizationRound, receiver: cst.BaseExpression) -> cst.Call | None:
    """The one call that makes what a variable or a field of an object holds."""
    match receiver:
        case cst.Name():
            only = work.program.definitions.bound_once(receiver)
            return only.value if only is not None and isinstance(only.value, cst.Call) else None
        case cst.Attribute(attr=cst.Name(value=name)):
            stores = _stores_of_field(work, receiver, name)
            return stores[0] if len(stores) == 1 and isinstance(stores[0], cst.Call) else None
    return None


def _stores_of_field(work: NormalizationRound, place: cst.Attribute, name: str) -> list[cst.BaseExpression]:
    function = work.program.function_around(place)
    keys = work.values(place.value).types
    owner = work.program.class_by_key.get(next(iter(keys))) if len(keys) == 1 else None
    if function is not None and dotted(place.value) == function.self_name:
        owner = function.owner
    return list(_field_stores(owner, name)) if owner is not None else []


def _field_stores(owner: Class, name: str) -> Iterator[cst.BaseExpression]:
    for item in owner.lineage:
        for node in descendants(item.node):
            if isinstance(node, cst.Assign):
                for target in node.targets:
                    for part, value in assigned_pairs(target.target, node.value):
                        if isinstance(part, cst.Attribute) and part.attr.value == name:
                            yield value


def _same_place(
    work: NormalizationRound, receiver: cst.BaseExpression, node: cst.CSTNode, argument: cst.BaseExpression
) -> str | None:
    """Where the argument that an object was made with is found beside it: `self.opt` of `self.sched = Sched(self.opt)`."""
    if isinstance(receiver, cst.Name):
        scopes = work.program.definitions.scopes
        if not isinstance(argument, cst.Name) or not _is_settled(work, argument, node):
            return None
        if scopes.lookup(argument.value, scopes.around(node)) != scopes.variable(argument):
            return None
        return argument.value
    match receiver, argument:
        case cst.Attribute(value=holder), cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=name)):
            around = work.program.function_around(argument)
            if around is None or own != around.self_name or dotted(holder) is None:
                return None
            return f"{dotted(holder)}.{name}" if len(_stores_of_field(work, argument, name)) == 1 else None
    return None


def _is_settled(work: NormalizationRound, argument: cst.Name, node: cst.CSTNode) -> bool:
    """Whether a variable holds from the line with an argument on what it holds there, as long as the line has not run again."""
    index, line = work.index, work.index.statement_of(argument)
    bound = [item.node for item in work.program.definitions.every_of_name(argument)]
    loops = _loops(work, line)
    if len(bound) == 1 and not loops:
        return True
    before = set(index.nodes[: index.nodes.index(line)])
    return work.is_behind(node, line) and all(
        item in before and _loops(work, item) == loops and (not loops or _stand_together(work, item, line))
        for item in bound
    )


def _stand_together(work: NormalizationRound, node: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether two statements of a loop run equally often."""
    lines = [work.index.statement_of(item) for item in (node, other)]
    return work.index.parents.get(lines[0]) is work.index.parents.get(lines[1])


def _loops(work: NormalizationRound, node: cst.CSTNode) -> list[cst.CSTNode]:
    return [item for item in work.index.ancestors(node) if isinstance(item, (cst.For, cst.While))]


def _only_place(
    work: NormalizationRound, receiver: cst.BaseExpression, node: cst.CSTNode, keys: frozenset[str]
) -> str | None:
    """The one variable or field in sight that holds the one optimizer which objects of a class are made with."""
    function = work.program.function_around(node)
    if not keys:
        return None
    holder = receiver.value if isinstance(receiver, cst.Attribute) else None
    if holder is not None and dotted(holder) is not None and work.values(holder).kind is Kind.OBJECT:
        classes = [work.program.class_by_key.get(item) for item in work.values(holder).types]
        found = {item: value for owner in classes if owner is not None for item, value in owner.all_fields()}
        places = _holding(found, keys)
        if len(places) == 1:
            return f"{dotted(holder)}.{places[0]}"
    while function is not None:
        places = _holding(function.env, keys)
        if function.owner is not None and function.self_name is not None:
            fields = _holding(dict(function.owner.all_fields()), keys)
            places += [f"{function.self_name}.{item}" for item in fields]
        if places:
            return places[0] if len(places) == 1 else None
        function = function.outer
    places = _holding(work.program.module_env, keys)
    return places[0] if len(places) == 1 else None


def _kept_keys(
    work: NormalizationRound, receiver: cst.BaseExpression, init: Function, given: str, name: str
) -> frozenset[str]:
    """The optimizers that the objects which a receiver may be keep; those of its class, where the field is there no longer."""
    made = {site: node for node, site in work.values.sites.items() if site in work.values(receiver).sites}
    if made and all(node in work.index.parents for node in made.values()):
        given_there = [_given_to(work, call, init, given) for call in made.values()]
        if all(given_there):
            return frozenset[str]().union(*given_there)
    found = frozenset[str]()
    for key in work.values(receiver).types:
        owner = work.program.class_by_key.get(key)
        value = owner.field_value(name) if owner is not None else None
        if value is not None and value.kind is Kind.OPTIMIZER:
            found |= value.types
    own = f"{MADE}{work.program.prefix}"
    sites = {f"{own}{site}" for node, site in work.values.sites.items() if node in work.index.parents}
    found = found or init.seen.get(given, UNKNOWN).types
    return frozenset(key for key in found if not key.startswith(own) or key in sites)  # not what was there before


def _given_to(work: NormalizationRound, call: object, init: Function, given: str) -> frozenset[str]:
    """The optimizers that a call gives for a parameter of `init`, which makes the object; none if that is not in sight."""
    found = frozenset[str]()
    for maker in work.values.callees.get(call, ()) if isinstance(call, cst.Call) else ():
        parameter = handed_on(work, maker, init, given)
        argument = dict(arguments_by_parameter(maker, call, work.values)).get(parameter or "")  # type: ignore[arg-type]
        found |= work.values(argument).types if argument is not None else frozenset()
    return found


def _holding(found: dict[str, Value], keys: frozenset[str]) -> list[str]:
    """The names with these optimizers; every one that may have them, if not all have just these."""
    may = {item: value for item, value in found.items() if value.kind is Kind.OPTIMIZER and value.types & keys}
    return list(may) if all(value.types == keys for value in may.values()) else [*may, ""]


# text


def _with_parameter(method: Function, name: str, rewrite: Rewriter) -> cst.CSTNode:
    """The parameters of a method with one more behind the object."""
    inner = rewrite.inside(method.node.params)
    assert isinstance(inner, cst.Parameters)
    own, *others = inner.params
    own = own.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return inner.with_changes(params=[own, cst.Param(cst.Name(name)), *others])


def _with_first(call: cst.Call, place: str, rewrite: Rewriter) -> cst.CSTNode:
    """A call with one more argument in front of all others."""
    inner = rewrite.inside(call)
    assert isinstance(inner, cst.Call)
    first = cst.Arg(cst.parse_expression(place))
    return inner.with_changes(args=[first, *inner.args])


__all__ = ["normalize_kept_optimizers"]
