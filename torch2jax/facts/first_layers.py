"""What may be the first layers of `nn.Sequential(*layers)`, where a function fills the list: the first one sees the argument itself.

layers = []
for width in widths:
    if norm:
        layers.append(nn.BatchNorm1d(width))     # this one
    layers.extend(block(width))                  # or the first one of these, should there be any
    layers.append(nn.ReLU(True))                 # or this one
    layers.append(nn.Linear(width, width))       # never this one

A may-analysis forwards over the statements of a function: sets of what the list may begin with (`prefixes`), joined where ways meet.
Ways on which the variable is not bound count for nothing: there the program would stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import libcst as cst

from torch2jax.facts.prefixes import First, Prefix
from torch2jax.program.flow import free_variables
from torch2jax.program.program import dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.syntax.walk import Index, bound_names, descendants

_TABLES = frozenset({"OrderedDict", "collections.OrderedDict", "dict"})
_EMPTY = _TABLES | {"list", "tuple"}
_READING = frozenset({"bool", "enumerate", "isinstance", "len", "print", "range"})
_MANY, _TOO_MANY = 32, 512  # states: from here on they say less, or nothing

_States: TypeAlias = dict[Prefix | None, None]  # in the order in which they are found; None: nobody knows
_LOST: _States = {None: None}


def first_elements(index: Index, name: cst.Name | cst.Attribute) -> list[Prefix] | None:
    """What the list in a variable, or in a field, may begin with where it is read; nothing if that cannot be seen, None if
    the function does not bind it.
    """
    scope = next(
        item for item in index.ancestors(name) if isinstance(item, (cst.FunctionDef, cst.ClassDef, cst.Module))
    )
    path = dotted(name)
    if isinstance(scope, cst.ClassDef) or path is None:
        return None
    if isinstance(name, cst.Attribute) and _is_changed_elsewhere(index, path, scope):
        return []
    search = _Search(index, path, index.statement_of(name))
    search.run(_body(scope), {_named(item): None for item in _given(scope) if item.value == path})
    is_shared = search.is_shared or any(search.is_given_on(item, name) for item in search.readers(search.end))
    return [] if is_shared else _known(search.at_end)


def grown_elements(index: Index, call: cst.Call) -> list[First] | None:
    """What may be the first one of a list of modules that a field or a variable holds from where it is made, `self.layers =
    nn.ModuleList()`, to the end of the function; None where other code puts layers into one of that name.
    """
    line = index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            path = dotted(target)
        case _:
            return None
    block = index.parents.get(line)
    function = index.function_of(call)
    if path is None or value is not call or function is None or block is not function.body:
        return None
    if any(_may_begin(index, other, path, function) for other in index.calls):
        return None
    search = _Search(index, path, line)
    body = list(function.body.body)
    found = _known(search.finished(body[body.index(line) + 1 :], {Prefix(): None}))
    return (
        None
        if found is None or search.is_shared
        else list(dict.fromkeys(first for item in found for first in item.narrowed().items))
    )


def named_elements(index: Index | None, table: cst.BaseExpression) -> list[Prefix]:
    """What the layers of a table begin with: of `OrderedDict([("norm", layer), ...])`, of `OrderedDict(norm=layer)`, and of what
    a variable holds of that kind; none where that is not seen.
    """
    match table:
        case cst.Name() if index is not None:
            return _with_names(first_elements(index, table) or [])
        case cst.Call(args=[cst.Arg(value=cst.Name() | cst.Attribute() as pairs, keyword=None, star="")]):
            return _of_pairs(first_elements(index, pairs) or []) if index is not None else []
        case cst.Call(args=[cst.Arg(value=cst.List() | cst.Tuple() as pairs, keyword=None, star="")]):
            return _of_pairs([_displayed(pairs)])
        case cst.Call(args=args):
            named = [First(item.value) for item in args if item.keyword is not None]
            return [Prefix().and_then(named)] if named and len(named) == len(args) else []
        case cst.Dict(elements=elements):
            given = [First(item.value, isinstance(item, cst.StarredDictElement)) for item in elements]
            return [Prefix().and_then(given)]
    return []


def _with_names(found: Sequence[Prefix]) -> list[Prefix]:
    """The same, where no entry comes from another table."""
    return [] if any(item.is_list for prefix in found for item in prefix.items) else list(found)


def _of_pairs(found: Sequence[Prefix]) -> list[Prefix]:
    """The layers of pairs of names and layers, as far as they are written out."""
    layers: list[Prefix] = []
    for prefix in found:
        items: list[First] = []
        for item in prefix.items:
            match item:
                case First(node=cst.Tuple(elements=[_, cst.Element(value=layer)]), is_list=False):
                    items.append(First(layer))
                case _:
                    break
        if not items and prefix.items:
            return []
        layers.append(Prefix(tuple(items), prefix.is_open or len(items) < len(prefix.items)))
    return layers


def _displayed(display: cst.List | cst.Tuple) -> Prefix:
    return Prefix().and_then(
        [First(item.value, isinstance(item, cst.StarredElement)) for item in display.elements],
    )


def _known(states: _States) -> list[Prefix] | None:
    found = [item for item in states if item is not None]
    return None if not states else found if len(found) == len(states) else []


def _body(scope: cst.FunctionDef | cst.Module) -> Sequence[cst.CSTNode]:
    return scope.body if isinstance(scope, cst.Module) else scope.body.body


def _given(scope: cst.FunctionDef | cst.Module) -> list[cst.Name]:
    """The parameters of a function."""
    return [] if isinstance(scope, cst.Module) else [item.name for item in descendants(scope.params, cst.Param)]


def _named(place: cst.Name) -> Prefix:
    """What a parameter is given, or a variable gets of several results: the name where it is bound stands for that list."""
    return Prefix((First(place, is_list=True),))


def _is_changed_elsewhere(index: Index, path: str, function: cst.CSTNode) -> bool:
    """Whether other functions may change the list in a field before a function reads it."""
    stores = (item for item in index.attributes if dotted(item) == path and index.function_of(item) is not function)
    return any(_may_begin(index, call, path, function) for call in index.calls) or any(
        isinstance(index.parents[item], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Subscript))
        for item in stores
    )


def _may_begin(index: Index, call: cst.Call, path: str, function: cst.CSTNode) -> bool:
    """Whether a call in another function may put the first layer into a list; classes that derive from its own add behind."""
    match call.func:
        case cst.Attribute(
            value=cst.Attribute(value=owner, attr=cst.Name(name)),
            attr=cst.Name("append" | "extend" | "insert" as method),
        ):
            other = index.function_of(call)
            if name != path.rpartition(".")[2] or other is function:
                return False
            own, others = (
                next(item for item in index.ancestors(part) if isinstance(item, (cst.ClassDef, cst.Module)))
                for part in (function, call)
            )
            return dotted(owner) != "self" or own is others or (method == "insert" and _derives(others, own))
    return False


def _derives(item: cst.CSTNode, base: cst.CSTNode) -> bool:
    return (
        isinstance(item, cst.ClassDef)
        and isinstance(base, cst.ClassDef)
        and any(dotted(arg.value) == base.name.value for arg in item.bases)
    )


class _Search:
    """One walk over the statements of a function: what may hold behind each, and (`at_end`) before one of them."""

    def __init__(self, index: Index, path: str, end: cst.CSTNode) -> None:
        self.index = index
        self.path = path
        self.end = end
        self.at_end: _States = {}
        self.left: list[_States] = []  # what holds where the loops around are left, or begin another round
        self.raised: list[_States] = []  # what may hold where the blocks around that catch exceptions raise one
        self.returned: _States = {}
        self.is_shared = False  # with a function inside of this one

    def finished(self, block: Sequence[cst.CSTNode], states: _States) -> _States:
        """What may hold where a function ends."""
        return self.run(block, states) | self.returned

    def run(self, block: Sequence[cst.CSTNode], states: _States) -> _States:
        """What may hold behind a block."""
        for line in block:
            if line is self.end:
                self.at_end = self.at_end | states
            states = self.line(line, states)
            self.raised = [raised | states for raised in self.raised]
        return states

    def line(self, line: cst.CSTNode, states: _States) -> _States:
        if any(isinstance(self.index.parents[item], cst.Attribute) for item in self.readers(_head(line))):
            states = _LOST  # by a method
        match line:
            case cst.SimpleStatementLine(body=body):
                for small in body:
                    states = self.small(small, states)
                return _fewer(states)
            case cst.If(body=body, orelse=orelse):
                return self.run(body.body, states) | self.otherwise(orelse, states)
            case cst.With(body=body):
                return self.run(body.body, states)
            case cst.For(body=body, orelse=orelse) | cst.While(body=body, orelse=orelse):
                if isinstance(line, cst.For) and self.path in bound_names(line.target):
                    states = _LOST
                return self.otherwise(orelse, self.loop(body.body, states))
            case cst.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                self.raised.append(dict(states))
                ends = self.otherwise(orelse, self.run(body.body, states))
                raised = self.raised.pop()
                for handler in handlers:
                    ends = ends | self.run(handler.body.body, raised)
                return self.run(final.body.body, ends) if final is not None else ends
            case cst.FunctionDef(name=name) | cst.ClassDef(name=name):
                self.is_shared = self.is_shared or self.path.partition(".")[0] in free_variables(line)
                return _LOST if name.value == self.path else states
        return _LOST if self.names(line) else states

    def otherwise(self, orelse: cst.If | cst.Else | None, states: _States) -> _States:
        if isinstance(orelse, cst.If):
            return self.line(orelse, states)
        return states if orelse is None else self.run(orelse.body.body, states)

    def loop(self, body: Sequence[cst.CSTNode], states: _States) -> _States:
        known = dict(states)
        while True:
            self.left.append({})
            ends = self.run(body, dict(known))
            joined = _fewer(known | ends | self.left.pop())
            if joined.keys() <= known.keys():
                return joined
            known = joined

    def small(self, small: cst.CSTNode, states: _States) -> _States:
        match small:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
                return self.assigned(target, value, states)
            case cst.AnnAssign(target=target, value=value) if value is not None:
                return self.assigned(target, value, states)
            case cst.AugAssign(target=target, operator=cst.AddAssign(), value=value) if dotted(target) == self.path:
                return _each(states, self.values_of(value, states), Prefix.joined)
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=grown, attr=cst.Name(method)), args=args)) if (
                dotted(grown) == self.path
            ):
                given = [item.value for item in args if item.keyword is None and item.star == ""]
                changed = self.method(method, given, states) if len(given) == len(args) else None
                return _LOST if changed is None or any(map(self.names, given)) else changed
            case cst.Del(target=cst.Subscript(value=grown, slice=[part])) if dotted(grown) == self.path:
                return self.removed(part, states)
            case cst.Return() | cst.Raise():
                self.returned = self.returned | (states if isinstance(small, cst.Return) else {})
                return {}
            case cst.Break() | cst.Continue():
                self.left[-1] = self.left[-1] | states
                return {}
        return states if self.only_reads(small) else _LOST

    def assigned(self, target: cst.BaseExpression, value: cst.BaseExpression, states: _States) -> _States:
        match target:
            case cst.Subscript(value=grown, slice=[cst.SubscriptElement(slice=cst.Index(value=place))]) if (
                dotted(grown) == self.path
            ):
                return _LOST if self.names(value) else self.stored(place, First(value), states)
        for place, given in assigned_pairs(target, value):
            if dotted(place) == self.path:
                return self.values_of(given, states)
            if isinstance(place, cst.Tuple) and self.only_reads(value):
                for part in place.elements:
                    if isinstance(part.value, cst.Name) and part.value.value == self.path:
                        return {_named(part.value): None}
        return states if self.only_reads(value) and self.only_reads(target) else _LOST

    def stored(self, place: cst.BaseExpression, item: First, states: _States) -> _States:
        """`layers[0] = layer`, or `table["conv"] = layer`: of a table the first one that is stored."""
        match place:
            case cst.Integer(value=number) if number.isdecimal():
                return _all(states, lambda prefix: [prefix.with_item(int(number), item)])
            case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer("1")):
                return _all(states, lambda prefix: [*(rest.and_then([item]) for rest in prefix.without_last()), prefix])
        return _all(states, lambda prefix: [prefix.and_then([item])])

    def method(self, name: str, given: Sequence[cst.BaseExpression], states: _States) -> _States | None:
        """What a method makes of a list; None if that is not known."""
        match name, given:
            case "append", [layer]:
                return _all(states, lambda prefix: [prefix.and_then([First(layer)])])
            case "extend", [layers]:
                return _each(states, self.values_of(layers, states), Prefix.joined)
            case "insert", [cst.Integer(value=place), layer]:
                return _all(states, lambda prefix: [prefix.with_inserted(int(place), First(layer))])
            case "pop", []:
                return _all(states, Prefix.without_last)
            case "pop", [cst.Integer(value=place)]:
                return _all(states, lambda prefix: [prefix.from_place(1)]) if place == "0" else None
        return None

    def removed(self, part: cst.SubscriptElement, states: _States) -> _States:
        match part.slice:
            case cst.Index(value=cst.Integer("0")):
                return _all(states, lambda prefix: [prefix.from_place(1)])
            case cst.Index(value=cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer("1"))):
                return _all(states, Prefix.without_last)
        return _LOST

    def values_of(self, value: cst.BaseExpression, states: _States) -> _States:
        """What an expression may begin with, by what the list itself begins with."""
        match value:
            case cst.Name() | cst.Attribute() if dotted(value) == self.path:
                return states
            case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
                return _each(self.values_of(left, states), self.values_of(right, states), Prefix.joined)
            case cst.Subscript(value=whole, slice=[cst.SubscriptElement(slice=cst.Slice(step=None) as part)]) if (
                dotted(whole) == self.path
            ):
                return self.sliced(part, states)
            case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=whole)]) if dotted(whole) == self.path:
                return states
        if self.names(value):
            return _LOST
        match value:
            case cst.List() | cst.Tuple():
                return {_displayed(value): None}
            case cst.Call(func=made, args=[]) if dotted(made) in _EMPTY:
                return {Prefix(): None}
            case cst.Call(func=made) if dotted(made) in _TABLES:
                return dict.fromkeys(named_elements(self.index, value)) or _LOST
            case cst.Dict():
                found = named_elements(self.index, value)
                return dict.fromkeys(found) if _with_names(found) else _LOST
        return {Prefix((First(value, is_list=True),)): None}

    def sliced(self, part: cst.Slice, states: _States) -> _States:
        """`layers[1:]`, `layers[:-1]` and `layers[:count]`."""
        match part.lower, part.upper:
            case None, None:
                return states
            case cst.Integer(value=count), None:
                return _all(states, lambda prefix: [prefix.from_place(int(count))])
            case None, cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer("1")):
                return _all(states, Prefix.without_last)
            case None, upper if upper is not None and not self.names(upper):
                return _all(states, Prefix.cut)
        return _LOST

    def names(self, node: cst.CSTNode) -> bool:
        """Whether something names the list."""
        return any(True for _ in self.readers(node))

    def readers(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        for item in (node, *descendants(node)):
            if isinstance(item, (cst.Name, cst.Attribute)) and dotted(item) == self.path:
                if not self.index.is_label(item):
                    yield item

    def only_reads(self, node: cst.CSTNode) -> bool:
        """Whether something leaves the list as it is, and keeps it nowhere: `nn.Sequential(*layers)`, `len(layers)`."""
        return all(map(self.is_harmless, self.readers(node)))

    def is_given_on(self, reader: cst.CSTNode, besides: cst.CSTNode) -> bool:
        """Whether a call is given the list itself."""
        is_argument = isinstance(self.index.parents[reader], cst.Arg)
        return reader is not besides and is_argument and not self.is_harmless(reader)

    def is_harmless(self, reader: cst.CSTNode) -> bool:
        match parent := self.index.parents[reader]:
            case cst.Arg(star="*"):
                return True
            case cst.Arg():
                call = self.index.parents[parent]
                return isinstance(call, cst.Call) and dotted(call.func) in _READING
            case cst.Subscript(value=whole):
                return whole is reader and not isinstance(self.index.parents[parent], (cst.AssignTarget, cst.AugAssign))
        return isinstance(parent, (cst.StarredElement, cst.Comparison, cst.ComparisonTarget, cst.UnaryOperation))


def _head(line: cst.CSTNode) -> cst.CSTNode:
    """What a statement with a block begins with; of others nothing."""
    match line:
        case cst.If(test=head) | cst.While(test=head) | cst.For(iter=head):
            return head
    return cst.Pass()


def _all(states: _States, change: Callable[[Prefix], Iterable[Prefix | None]]) -> _States:
    """What becomes of every state."""
    return {made: None for item in states for made in ([None] if item is None else change(item))}


def _each(states: _States, others: _States, join: Callable[[Prefix, Prefix], Prefix]) -> _States:
    """What becomes of every pair of two states."""
    return {(None if one is None or other is None else join(one, other)): None for one in states for other in others}


def _fewer(states: _States) -> _States:
    """States that are not too many."""
    if len(states) > _MANY:
        states = _all(states, lambda prefix: [prefix.narrowed()])
    return states if len(states) <= _TOO_MANY else _LOST


__all__ = ["first_elements", "grown_elements", "named_elements"]
