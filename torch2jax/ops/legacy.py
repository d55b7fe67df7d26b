"""Arguments of old programs in today's words: `size_average=False` is `reduction="sum"`."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.ops.signatures import BoundArguments, Signature
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind, Value

_OLD = ("size_average", "reduce")


def current_arguments(
    bound: BoundArguments, signature: Signature, values: Callable[[cst.CSTNode], Value]
) -> BoundArguments:
    """The arguments of a loss with `size_average` and `reduce`, where these are constants or bools, as its `reduction`.

    As torch does: each is true where it is None, both together mean the mean, `reduce` alone the sum, and `reduction` does
    not count unless both are None.
    """
    if "reduction" not in signature or not any(name in bound.given for name in _OLD):
        return bound
    given = {name: value for name, value in bound.given.items() if name not in _OLD}
    flags = [bound.one(name) for name in _OLD]
    known = [values(flag) if flag is not None else None for flag in flags]
    are_open = [value is not None and value.kind is Kind.BOOL and not isinstance(value.const, bool) for value in known]
    constants = [value.const if value is not None else None for value in known]
    if not all(is_open or isinstance(const, bool | None) for is_open, const in zip(are_open, constants, strict=True)):
        return bound
    if constants == [None, None]:
        return BoundArguments(given, bound.method)
    averages, reduces = (
        flag if is_open else const is not False for flag, is_open, const in zip(flags, are_open, constants, strict=True)
    )
    given["reduction"] = _chosen(reduces, _chosen(averages, _text("mean"), _text("sum")), _text("none"))
    return BoundArguments(given, bound.method)


def _chosen(
    flag: cst.BaseExpression | bool | None, yes: cst.BaseExpression, no: cst.BaseExpression
) -> cst.BaseExpression:
    if isinstance(flag, cst.BaseExpression):
        return quote("{yes} if {flag} else {no}", flag=flag, yes=yes, no=no)
    return yes if flag else no


def _text(word: str) -> cst.SimpleString:
    return cst.SimpleString(f'"{word}"')
