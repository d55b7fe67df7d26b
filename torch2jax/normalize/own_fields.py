"""Where a file may speak of the objects of some classes, or of a field of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class
from torch2jax.values import Kind, Value


def may_be_of(value: Value, keys: set[str]) -> bool:
    """Whether an object may be of one of some classes."""
    if value.kind in (Kind.MODULE, Kind.OBJECT) and value.types:
        return not value.types.isdisjoint(keys)
    return value.kind in (Kind.MODULE, Kind.OBJECT, Kind.UNKNOWN, Kind.CLASS)


def instances(
    work: NormalizationRound, item: Class, through: Collection[Kind] | None = None
) -> Iterator[cst.BaseExpression]:
    """All expressions that may be objects of a class, or hold them: in anything, or in values of some kinds only."""
    for node, value in work.values.of_node.items():
        if node in work.index.parents and isinstance(node, cst.BaseExpression) and _holds(value, item.key, through):
            yield node


def _holds(value: Value, key: str, through: Collection[Kind] | None) -> bool:
    is_object = value.kind in (Kind.MODULE, Kind.OBJECT) and key in value.types
    is_open = through is None or value.kind in through
    return is_object or (is_open and any(_holds(part, key, through) for part in value.parts))


def calls_around(work: NormalizationRound, node: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls that are given an expression, itself or in a container that is written out."""
    for around in work.index.ancestors(node):
        if isinstance(around, cst.Call):
            yield around
        if not isinstance(around, (cst.Arg, cst.Element, cst.DictElement, cst.List, cst.Tuple, cst.Dict, cst.Set)):
            return


__all__ = ["calls_around", "instances", "may_be_of"]
