"""What functions of other files compute from parameters, and keep in fields: their modules are the origins of graphs.

agent.py                                       main.py
    def encode(self, x):                           z = agent.encode(x)         of `agent.encoder`
        return self.encoder(x)                     agent.remember(x)
    def remember(self, x):                         loss = agent.z.mean()       of `agent.encoder`, too
        self.z = self.encoder(x)

A method of a module counts as its module, which is seen where it is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

import libcst as cst

from torch2jax.facts.contexts import turns_off
from torch2jax.facts.cut_results import CutResults, cuts
from torch2jax.facts.effects import is_discrete
from torch2jax.facts.infer import Values
from torch2jax.program.program import Function, Program
from torch2jax.program.statements import assigned_pairs
from torch2jax.syntax.walk import children, descendants, own_nodes
from torch2jax.values import Kind, Value

LEAF = "leaf"

_OF_PARAMETERS = {"parameters", "named_parameters"}

Store = tuple[Function, bool]  # who stores into a field, and whether that is as a part


class GraphsElsewhere:
    """Answers for the functions and classes of a program, each of which is looked at once."""

    def __init__(self, program: Program, values: Values, cut_results: CutResults) -> None:
        self.program = program
        self.values = values
        self.cut_results = cut_results
        self._own = set(program.functions.values())
        self._known: dict[Function, list[Value]] = {}
        self._stores: dict[tuple[str, str], list[Store]] = {}
        self._read: dict[Function, list[cst.Attribute]] = {}

    def called_by(self, call: cst.Call) -> Iterator[Value]:
        """The modules that a call runs, and the leaves that it reads, in functions."""
        for function in self.values.reached_by(call):
            yield from self.called_in(function)

    def called_in(self, function: Function) -> Sequence[Value]:
        """The modules that a function runs, and the leaves that it reads, by itself or in what it calls."""
        is_method = function.owner is not None and function.owner.is_module
        return () if is_method else self._computed_with(function)

    def trains(self, call: cst.Call) -> bool:
        """Whether a method of a module that is called computes something with its parameters."""
        return any(map(self._computed_with, self.values.reached_by(call)))

    def _computed_with(self, function: Function) -> Sequence[Value]:
        if function not in self._known:
            found: list[Value] = []
            self._known[function] = found  # where it comes from itself, the others tell
            if not any(turns_off(item.decorator, self.values) for item in function.node.decorators):
                found += dict.fromkeys(self._trained(function.node.body))
        return self._known[function]

    def _trained(self, node: cst.CSTNode) -> Iterator[Value]:
        if isinstance(node, cst.With) and any(turns_off(item.item, self.values) for item in node.items):
            return
        if isinstance(node, cst.Call):
            if isinstance(node.func, cst.Name) and node.func.value == "next":
                return  # asks for the device or the type of the first parameter
            yield from self._called(node)
        elif isinstance(node, (cst.Name, cst.Attribute)):
            value = self.values(node)
            is_parameter = value.kind is Kind.TENSOR and "parameter" in value.types
            if (
                is_parameter
                and isinstance(node, cst.Attribute)
                and (base := self.values(node.value)).kind is Kind.MODULE
            ):
                yield base
            elif is_parameter or LEAF in value.types:
                yield value
        if not cuts(node):
            for child in children(node):
                yield from self._trained(child)

    def _called(self, call: cst.Call) -> Iterator[Value]:
        called, callees = self.values(call.func), self.values.callees.get(call, ())
        if called.kind is Kind.MODULE:
            if not called.is_loss_module:
                yield called
            return
        match call.func:
            case cst.Attribute(value=owner, attr=cst.Name(name)) if self.values(owner).kind is Kind.MODULE:
                if name in _OF_PARAMETERS or (callees and self.trains(call)):
                    yield self.values(owner)
            case _:
                yield from self.called_by(call)

    def stores(self, family: frozenset[str], name: str) -> Iterator[Store]:
        """The methods of other files that keep what has a graph in a field of objects of some classes."""
        for key in sorted(family):
            if (key, name) not in self._stores:
                self._stores[key, name] = list(self._find_stores(key, name))
            yield from self._stores[key, name]

    def _find_stores(self, key: str, name: str) -> Iterator[Store]:
        item = self.program.class_by_key.get(key)
        for method in item.methods.values() if item is not None else ():
            if method in self._own or method.name == "__init__":
                continue
            for value, grows in _stored(method, name):
                if not self.cut_results.is_cut(value, method):
                    yield method, grows

    def kept_for(self, call: cst.Call, reached: frozenset[Function]) -> Iterator[Value]:
        """What a call finds in fields that others have filled with what has a graph."""
        for function in self.values.reached_by(call):
            if function not in self._read:
                nodes = descendants(function.node.body, cst.Attribute)
                self._read[function] = [node for node in nodes if self.values(node.value).kind is Kind.OBJECT]
            for node in self._read[function]:
                for method, grows in self.stores(frozenset(self.values(node.value).types), node.attr.value):
                    if method is not function and (grows or method not in reached):
                        yield from self.called_in(method)


def functions_that_keep(program: Program, values: Values) -> list[Function]:
    """The functions of other files by which the file runs a method that keeps in a field of a module what another method reads
    there, and those that run this one.

    Such a value may be computed before a step that reads it, so what these functions do has to be followed like that of the file.
    """
    own = set(program.functions.values())
    found: dict[Function, None] = {}
    waiting = list(program.index.calls) if program.mentions("backward") else []
    while waiting:
        for function in values.reached_by(waiting.pop()):
            if function not in own and function not in found:
                found[function] = None
                waiting += descendants(function.node.body, cst.Call)
    readers: dict[tuple[str, str], set[Function]] = {}
    for function in found:
        for node in descendants(function.node.body, cst.Attribute):
            for key in values(node.value).types:
                readers.setdefault((key, node.attr.value), set()).add(function)
    stores: list[tuple[Function | None, cst.Attribute, cst.BaseExpression]]
    stores = [(None, *pair) for line in program.index.every(cst.Assign) for pair in _field_stores(line)]
    for function in found if readers else ():
        if function.name != "__init__":
            stores += [(function, *pair) for line in descendants(function.node.body) for pair in _field_stores(line)]
    kept = [store for store in stores if _is_read(*store, readers, values)]
    wanted = {store[0] for store in kept} | {
        reader
        for _, target, _ in kept
        for key in values(target.value).types
        for reader in readers.get((key, target.attr.value), ())
    }
    reached = {
        function: {callee for call in descendants(function.node.body, cst.Call) for callee in values.reached_by(call)}
        for function in (found if kept else ())
    }
    while more := {function for function, callees in reached.items() if function not in wanted and callees & wanted}:
        wanted |= more
    return [function for function in found if function in wanted]


def _field_stores(line: cst.CSTNode) -> Iterator[tuple[cst.Attribute, cst.BaseExpression]]:
    """The fields that get a value, or a part."""
    match line:
        case cst.Assign(targets=targets, value=value):
            pairs = (pair for item in targets for pair in assigned_pairs(item.target, value))
            yield from ((one, other) for one, other in pairs if isinstance(one, cst.Attribute))
        case cst.AnnAssign(target=cst.Attribute() as field, value=cst.BaseExpression() as value):
            yield field, value
        case cst.AugAssign(target=cst.Attribute() as field, value=value):
            yield field, value


def _is_read(
    function: Function | None,
    target: cst.Attribute,
    value: cst.BaseExpression,
    readers: Mapping[tuple[str, str], Set[Function]],
    values: Values,
) -> bool:
    """Whether another function reads what is kept in a field of a module, and may have a graph."""
    owner, kept = values(target.value), values(value)
    if owner.kind is not Kind.MODULE or kept.kind not in (Kind.TENSOR, Kind.UNKNOWN) or is_discrete(kept.dtype):
        return False
    return any(readers.get((key, target.attr.value), frozenset()) - {function} for key in owner.types)


def _stored(method: Function, name: str) -> Iterator[tuple[cst.BaseExpression, bool]]:
    """What a method stores in a field of its object, and whether that is as a part."""

    def is_field(node: cst.CSTNode) -> bool:
        match node:
            case cst.Attribute(value=cst.Name(owner), attr=cst.Name(label)):
                return label == name and owner == method.self_name
            case cst.Subscript(value=inner):
                return is_field(inner)
        return False

    for node in own_nodes(method.node):
        match node:
            case cst.Assign(targets=targets, value=value):
                for item in targets:
                    for one, other in assigned_pairs(item.target, value):
                        if is_field(one) or (isinstance(one, cst.Tuple) and any(map(is_field, descendants(one)))):
                            yield other, isinstance(one, cst.Subscript)
            case (
                cst.AnnAssign(target=target, value=cst.BaseExpression() as value)
                | cst.AugAssign(target=target, value=value)
            ):
                if is_field(target):
                    yield value, isinstance(node, cst.AugAssign)
            case cst.Call(func=cst.Attribute(value=base, attr=cst.Name("append" | "extend" | "insert")), args=args):
                if is_field(base):
                    yield from ((item.value, True) for item in args)


__all__ = ["LEAF", "GraphsElsewhere"]
