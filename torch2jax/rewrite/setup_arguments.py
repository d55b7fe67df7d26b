"""Whether the arguments that a module is made with are fields of its class, for libraries whose modules are definitions.

class Block(nn.Module):                          class Block(MadeWith):
    def __init__(self, *dims):             ->        def setup_with(self, *dims):

They are none where they have no names, change, are used as lists or dicts, or differ between a class and one that derives from it.
All classes that derive from one another are made in one way, whatever files they stand in.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.outside_methods import has_module
from torch2jax.plan.model import Facts
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import own_nodes
from torch2jax.values import UNKNOWN, Kind


def takes_arguments(unit: Unit, item: Class) -> bool:
    """Whether the arguments of a class, of those that it derives from, or of those that derive from it, cannot be fields."""
    if unit.facts.target.setup_with is None:
        return False
    if unit.taking is None:
        unit.taking = _find_taking(unit)
    return item.key in unit.taking


def _find_taking(unit: Unit) -> frozenset[str]:
    """The classes of modules of all files whose arguments cannot be fields."""
    facts = {given.program.prefix: given for given in (*unit.others, unit.facts)}
    modules = [(item, given) for given in facts.values() for item in given.program.classes.values() if item.is_module]
    families = [frozenset(other.key for other in item.lineage if other.is_module) for item, _ in modules]
    has_dicts = any(map(_has_dicts_with_fields, facts.values()))
    found = {item.key for item, given in modules if _needs_arguments(given, item, has_dicts)}
    while True:
        more = found.union(*(family for family in families if not found.isdisjoint(family)))
        if more == found:
            return frozenset(found)
        found = more


def _needs_arguments(facts: Facts, item: Class, has_dicts: bool) -> bool:
    init = item.methods.get("__init__")
    if init is None or not item.is_module:
        return False
    params = init.node.params
    bases = [base.methods["__init__"] for base in item.lineage[1:] if "__init__" in base.methods]
    is_open = params.star_kwarg is not None or isinstance(params.star_arg, cst.Param) or bool(params.posonly_params)
    is_hidden = not facts.target.taken_names.isdisjoint(init.parameter_names)
    deleted = {dotted(node.target) for node in own_nodes(init.node) if isinstance(node, cst.Del)}
    is_hidden = is_hidden or not deleted.isdisjoint(init.parameter_names)
    has_mutable = any(_is_mutable(facts, param.default) for param in init.parameters)
    if any(_is_used_as_container(facts, item, init, name) for name in {*item.fields, *init.parameter_names}):
        return True
    if any(_is_handed_on_as_container(facts, init, name) for name in init.parameter_names):
        return True
    if has_dicts and any(_may_be_dict_with_fields(facts, init, name) for name in init.parameter_names):
        return True
    return is_open or is_hidden or has_mutable or any(len(base.parameter_names) > 1 for base in bases)


def _is_used_as_container(facts: Facts, item: Class, init: Function, name: str) -> bool:
    """Whether a list or dict that a class holds is added to another, compared, changed, or asked for its type: Linen makes
    tuples of its lists, and frozen dicts of its dicts. Where nothing tells what it holds, such a use does.
    """
    index = facts.program.index
    held = item.fields.get(name) or init.seen.get(name) or UNKNOWN
    if held.kind not in (Kind.LIST, Kind.DICT, *_OPEN) or has_module(held):
        return False
    is_known = held.kind in (Kind.LIST, Kind.DICT)
    named = [node for node in index.attributes if node.attr.value == name]
    names = {name, *_copied_names(init, name)} if name in init.parameter_names else frozenset[str]()
    given = [node for node in own_nodes(init.node) if isinstance(node, cst.Name) and node.value in names]
    given = [node for node in given if not index.is_label(node)]
    for node in (*(named if is_known else ()), *given):
        match index.parents[node]:
            case cst.BinaryOperation(left=left, right=right):
                if is_known or any(facts.values(side).kind in (Kind.LIST, Kind.TUPLE) for side in (left, right)):
                    return True
            case cst.AugAssign() | cst.Comparison() | cst.ComparisonTarget(operator=cst.Equal() | cst.NotEqual()):
                if is_known:
                    return True
            case cst.Attribute(attr=cst.Name(method)) as called if node in given and method in _CHANGING:
                call = index.parents[called]
                if isinstance(call, cst.Call) and call.func is called:
                    return True
            case cst.Arg() as argument:
                call = index.parents[argument]
                if not isinstance(call, cst.Call):
                    continue
                asked = dotted(call.func)
                if is_known and asked in ("isinstance", "type", "print", "str", "repr"):
                    return True
                if asked == "isinstance" and _CONTAINERS.intersection(names_in(call.args[-1])):
                    return True
    return False


def _is_handed_on_as_container(facts: Facts, init: Function, name: str) -> bool:
    """Whether a list or dict that a class is made with, or a part of it, is given to what changes it or asks for its type."""
    held = init.seen.get(name) or UNKNOWN
    if held.kind not in (Kind.LIST, Kind.DICT, *_OPEN) or has_module(held):
        return False
    return any(_changes_or_asks(facts, *given, {(init, name)}) for given in _hands_on(facts, init, name))


def _changes_or_asks(facts: Facts, function: Function, name: str, seen: set[tuple[Function, str]]) -> bool:
    """Whether a function, or one that it gives a parameter of its own, changes that or asks whether it is a list or dict."""
    if (function, name) in seen:
        return False
    seen.add((function, name))
    parents = facts.program.home(function.node).index.parents
    for node in _parts_of(facts, function, name):
        match parents[node]:
            case cst.Attribute(attr=cst.Name(method)) as called if method in _CHANGING:
                call = parents[called]
                if isinstance(call, cst.Call) and call.func is called:
                    return True
            case cst.Arg() as argument:
                call = parents[argument]
                if isinstance(call, cst.Call) and dotted(call.func) == "isinstance":
                    asked = _CONTAINERS.intersection(names_in(call.args[-1]))
                    if "dict" in asked or asked == {"list"}:
                        return True
    return any(_changes_or_asks(facts, *given, seen) for given in _hands_on(facts, function, name))


def _hands_on(facts: Facts, function: Function, name: str) -> Iterator[tuple[Function, str]]:
    """The functions that are given a parameter or a part of it, each with what this is there."""
    parents = facts.program.home(function.node).index.parents
    for node in _parts_of(facts, function, name):
        argument = parents[node]
        call = parents[argument] if isinstance(argument, cst.Arg) else None
        if not isinstance(call, cst.Call):
            continue
        for callee in facts.values.callees.get(call, ()):
            given = arguments_by_parameter(callee, call, facts.values)
            yield from ((callee, parameter) for parameter, value in given if value is node)


def _parts_of(facts: Facts, function: Function, name: str) -> Iterator[cst.BaseExpression]:
    """Where a function reads a parameter, a copy of it, or what these hold."""
    index = facts.program.home(function.node).index
    names = {name, *_copied_names(function, name)}
    for node in own_nodes(function.node):
        if isinstance(node, cst.Name) and node.value in names and not index.is_label(node):
            part: cst.BaseExpression = node
            while isinstance(holder := index.parents[part], cst.Subscript) and holder.value is part:
                part = holder
            yield part


_OPEN = (Kind.UNKNOWN, Kind.PYTHON, Kind.OBJECT)
_CONTAINERS = frozenset({"list", "tuple", "dict"})
_CHANGING = frozenset("append extend insert pop remove clear update setdefault popitem sort reverse".split())


def _copied_names(init: Function, name: str) -> Iterator[str]:
    """The variables that a method gives a copy of an argument."""
    for node in own_nodes(init.node):
        match node:
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Name(copied))],
                value=cst.Call(
                    func=cst.Attribute(attr=cst.Name("copy" | "deepcopy")) | cst.Name("copy" | "deepcopy")
                ) as call,
            ) if copied != name and name in names_in(call):
                yield copied


def _may_be_dict_with_fields(facts: Facts, init: Function, name: str) -> bool:
    """Whether an argument may be a dict of the program's own that is asked for attributes, `cfg.hidden`: Linen's copy of it, a
    frozen dict, has none."""
    held = init.seen.get(name) or UNKNOWN
    if held.kind not in _OPEN:
        return False
    asked = [
        node for node in facts.program.index.attributes if dotted(node.value) in (name, f"{init.self_name}.{name}")
    ]
    return any(node.attr.value not in _OF_DICTS for node in asked)


_OF_DICTS = frozenset(dir(dict))


def _has_dicts_with_fields(facts: Facts) -> bool:
    """Whether a file has a class of dicts with fields, its own or that of a package."""
    bases = [code(base.value) for item in facts.program.classes.values() for base in item.node.bases]
    return "dict" in bases or any(map(facts.program.mentions, ("easydict", "addict", "munch", "attrdict")))


def _is_mutable(facts: Facts, node: cst.BaseExpression | None) -> bool:
    """Whether a first value cannot be that of a field of a dataclass."""
    written = (cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp)
    return node is not None and (isinstance(node, written) or facts.values(node).kind in (Kind.LIST, Kind.DICT))


__all__ = ["takes_arguments"]
