"""Whether the arguments that a module is made with are fields of its class, for libraries whose modules are definitions.

class Block(nn.Module):                          class Block(MadeWith):
    def __init__(self, *dims):             ->        def setup_with(self, *dims):

They are none where they have no names, change, or differ between a class and one that derives from it. All classes that derive from one
another are made in one way, whatever files they stand in.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.outside_methods import has_module
from torch2jax.plan.model import Facts
from torch2jax.program.program import Class, Function, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.walk import own_nodes
from torch2jax.values import Kind


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
    found = {item.key for item, given in modules if _needs_arguments(given, item)}
    while True:
        more = found.union(*(family for family in families if not found.isdisjoint(family)))
        if more == found:
            return frozenset(found)
        found = more


def _needs_arguments(facts: Facts, item: Class) -> bool:
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
    if any(_is_used_as_list(facts, item, init, name) for name in {*item.fields, *init.parameter_names}):
        return True
    return is_open or is_hidden or has_mutable or any(len(base.parameter_names) > 1 for base in bases)


def _is_used_as_list(facts: Facts, item: Class, init: Function, name: str) -> bool:
    """Whether a list that a class holds is added to another, compared, or asked for its type: Linen makes tuples of its lists."""
    index, program = facts.program.index, facts.program
    held = item.fields.get(name) or init.seen.get(name)
    if held is None or held.kind not in (Kind.LIST, Kind.DICT) or has_module(held):
        return False
    named = [node for node in index.attributes if node.attr.value == name]
    given = [node for node in index.names if node.value == name and program.function_around(node) is init]
    for node in (*named, *given):
        match index.parents[node]:
            case cst.BinaryOperation() | cst.AugAssign() | cst.Comparison():
                return True
            case cst.ComparisonTarget(operator=cst.Equal() | cst.NotEqual()):
                return True
            case cst.Arg() as argument:
                call = index.parents[argument]
                if isinstance(call, cst.Call) and dotted(call.func) in ("isinstance", "type", "print", "str", "repr"):
                    return True
    return False


def _is_mutable(facts: Facts, node: cst.BaseExpression | None) -> bool:
    """Whether a first value cannot be that of a field of a dataclass."""
    written = (cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp)
    return node is not None and (isinstance(node, written) or facts.values(node).kind in (Kind.LIST, Kind.DICT))


__all__ = ["takes_arguments"]
