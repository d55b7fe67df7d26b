"""Variables that hold classes which modules are tested for: what they hold are the classes themselves, and nothing that makes a layer.

SKIPPED = (nn.ReLU, nn.Dropout)          handlers = {nn.Dropout: count_zero}
isinstance(m, SKIPPED)                   handlers[type(m)](m)
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.program.tested_classes import GROWING
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.quote import names_in

_KEEPING = frozenset(
    {"isinstance", "issubclass", "tuple", "list", "set", "frozenset", "len"}
)  # calls that call no class


def is_held_to_test(unit: Unit, held: cst.CSTNode, around: cst.CSTNode | None) -> bool:
    """Whether a class, or a collection of classes, is what stands for classes in tests, and nothing calls what is in it."""
    if isinstance(around, cst.DictElement) and around.key is held:
        return True
    names = set(_names_given(unit, held, around)) & unit.facts.tables.asked
    is_alone = not isinstance(held, (cst.Tuple, cst.List, cst.Set)) and not isinstance(around, cst.DictElement)
    return bool(names) and not _are_called(unit, names) and not (is_alone and _are_passed_on(unit, names))


def _names_given(unit: Unit, held: cst.CSTNode, around: cst.CSTNode | None) -> Iterator[str]:
    """The last words of the variables, fields and parameters that get a value."""
    parents = unit.facts.program.index.parents
    while isinstance(around, (cst.BinaryOperation, cst.IfExp)) and getattr(around, "test", None) is not held:
        held, around = around, parents.get(around)
    if isinstance(around, cst.DictElement):
        held = parents[around]
        around = parents.get(held)
    match around:
        case cst.Assign(targets=targets):
            yield from (_last_word(item.target) for item in targets)
        case cst.AnnAssign(target=target, value=value) | cst.AugAssign(target=target, value=value) if value is held:
            yield _last_word(target)
        case cst.Param(name=name, default=default) if default is held:
            yield name.value
        case cst.Arg(keyword=cst.Name(name)):
            yield name
        case cst.Arg() if isinstance(call := parents[around], cst.Call):
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in GROWING:
                yield _last_word(call.func.value)
            place = call.args.index(around)
            for callee in unit.facts.values.callees.get(call, ()):
                taken = callee.parameter_names[1 if callee.is_method else 0 :]
                yield from taken[place : place + 1]


def _are_called(unit: Unit, names: set[str]) -> bool:
    """Whether something calls a variable of such a name, or what a loop finds in one."""
    index = unit.facts.program.index
    loops: list[cst.For | cst.CompFor] = [*index.every(cst.For), *index.every(cst.CompFor)]
    found = names.union(*(names_in(node.target) for node in loops if names & names_in(node.iter)))
    return any(_last_word(_table(call.func)) in found for call in index.calls)


def _are_passed_on(unit: Unit, names: set[str]) -> bool:
    """Whether a variable of such a name is an argument of anything but a test."""
    calls = (call for call in unit.facts.program.index.calls if dotted(call.func) not in _KEEPING)
    return any(_last_word(item.value) in names for call in calls for item in call.args)


def _table(function: cst.BaseExpression) -> cst.BaseExpression:
    """`table` of `table[name](8)` and `table.get(name)(8)`."""
    match function:
        case cst.Subscript(value=table) | cst.Call(func=cst.Attribute(value=table, attr=cst.Name("get"))):
            return _table(table)
    return function


def _last_word(node: cst.BaseExpression) -> str:
    return str(dotted(node)).rpartition(".")[2]


__all__ = ["is_held_to_test"]
