"""Numbers that say which process of a program for several it is."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import children
from torch2jax.values import Kind, Value

RANK, LOCAL_RANK = "rank", "local_rank"  # the types of ranks among all processes, and among those of a host

VARIABLES = {"RANK": "get_rank", "LOCAL_RANK": "get_node_local_rank", "WORLD_SIZE": "get_world_size"}


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


def variable_of_torchrun(node: cst.CSTNode) -> str | None:
    """Which function of torch.distributed says what an expression reads from the environment that torchrun makes."""
    name: cst.BaseExpression | None = None
    match node:
        case cst.Subscript(value=place, slice=[cst.SubscriptElement(slice=cst.Index(value=item))]):
            name = item if dotted(place) == "os.environ" else None
        case cst.Call(func=function, args=[cst.Arg(value=item), *_]):
            name = item if dotted(function) in ("os.environ.get", "os.getenv") else None
    if not isinstance(name, cst.SimpleString) or not isinstance(name.evaluated_value, str):
        return None
    return VARIABLES.get(name.evaluated_value)


__all__ = ["LOCAL_RANK", "RANK", "VARIABLES", "is_rank", "outermost_ranks", "variable_of_torchrun"]
