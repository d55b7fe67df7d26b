"""Arguments of old programs in today's words: `size_average=False` is `reduction="sum"`."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.ops.signatures import BoundArguments, Signature
from torch2jax.values import Kind, Value

_OLD = ("size_average", "reduce")


def current_arguments(
    bound: BoundArguments, signature: Signature, values: Callable[[cst.CSTNode], Value]
) -> BoundArguments:
    """The arguments of a loss with `size_average` and `reduce`, where these are constants or the first is a bool, as its
    `reduction`.

    As torch does: each is true where it is None, both together mean the mean, `reduce` alone the sum, and `reduction` does
    not count unless both are None.
    """
    if "reduction" not in signature or not any(name in bound.given for name in _OLD):
        return bound
    flag = bound.one("size_average")
    given = {name: value for name, value in bound.given.items() if name not in _OLD}
    if flag is not None and "reduce" not in bound.given and _is_open(values(flag)):
        given["reduction"] = cst.IfExp(flag, cst.SimpleString('"mean"'), cst.SimpleString('"sum"'))
        return BoundArguments(given, bound.method)
    constants = []
    for name in _OLD:
        node = bound.one(name)
        const = values(node).const if node is not None else None
        if const is not None and not isinstance(const, bool):
            return bound
        constants.append(const)
    if constants != [None, None]:
        averages, reduces = (item is not False for item in constants)
        reduction = "none" if not reduces else "mean" if averages else "sum"
        given["reduction"] = cst.SimpleString(f'"{reduction}"')
    return BoundArguments(given, bound.method)


def _is_open(value: Value) -> bool:
    return value.kind is Kind.BOOL and not isinstance(value.const, bool)
