"""Tensors as members of sets and as keys: torch's have the hash of the object, arrays have none."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.values import Kind

_SETS = frozenset({"set", "frozenset", "dict.fromkeys"})
_ADVICE = "a tensor as a member of a set or as a key (keep its id() instead)"


def check_hashes(unit: Unit) -> None:
    """Report all such places of a file."""
    for node in _hashed(unit):
        if node not in unit.settled:
            unit.problem(node, "T2J200", name=_ADVICE)


def _hashed(unit: Unit) -> Iterator[cst.CSTNode]:
    values, index = unit.facts.values, unit.facts.program.index
    for call in index.calls:
        if dotted(call.func) in _SETS and len(call.args) >= 1 and not call.args[0].star:
            given = values(call.args[0].value)
            is_of_parameters = given.is_sequence and "parameter" in given.element().types
            if given.kind is Kind.PARAMETERS or is_of_parameters:
                yield call
    for node in index.every(cst.SetComp, cst.DictComp, cst.Set):
        if any(values(item).kind is Kind.TENSOR for item in _members(node)):
            yield node


def _members(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """What the members of a set, or the keys of a dict, are computed by."""
    match node:
        case cst.SetComp(elt=member) | cst.DictComp(key=member):
            return [member]
        case cst.Set(elements=elements):
            return [item.value for item in elements]
    return []


__all__ = ["check_hashes"]
