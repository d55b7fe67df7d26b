"""Numbers that say which process of a program for several it is."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.syntax.walk import children
from torch2jax.values import Kind, Value

RANK, LOCAL_RANK = "rank", "local_rank"  # the types of ranks among all processes, and among those of a host


def is_rank(value: Value) -> bool:
    """Whether a number says which process it is, on some way."""
    return value.kind is Kind.INT and not value.types.isdisjoint((RANK, LOCAL_RANK))


def outermost_ranks(node: cst.CSTNode, values: Values) -> Iterator[cst.BaseExpression]:
    """The largest expressions below a node that are ranks."""
    if isinstance(node, (cst.Name, cst.Attribute, cst.Call)) and is_rank(values(node)):
        yield node
        return
    for child in children(node):
        yield from outermost_ranks(child, values)


__all__ = ["LOCAL_RANK", "RANK", "is_rank", "outermost_ranks"]
