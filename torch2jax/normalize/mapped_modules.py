"""Modules that `map` calls, normalized to comprehensions, in which each call is in sight.

a, b = map(self.net, (x, y))            ->   a, b = [self.net(item) for item in (x, y)]
torch.cat(list(map(self.net, xs, ys)))  ->   torch.cat([self.net(*items) for items in zip(xs, ys)])
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind

_EAGER = frozenset({"list", "tuple", "sum", "max", "min"})  # what runs through all that it is given at once


def normalize_mapped_modules(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    if not work.program.mentions("map"):
        return
    for call in work.index.calls:
        if dotted(call.func) == "map" and len(call.args) > 1 and _is_of_module(work, call):
            if _runs_at_once(work, call):
                _normalize(work, call)
            else:
                work.refuse(call, "map", "with a module that is called later: write a loop or a comprehension")


def _is_of_module(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether `map` is given a module, or what a field of one holds and nobody knows: it may be one."""
    function = call.args[0].value
    if any(item.star or item.keyword is not None for item in call.args) or dotted(function) is None:
        return False
    is_field = isinstance(function, cst.Attribute) and work.values(function.value).kind is Kind.MODULE
    kind = work.values(function).kind
    return kind is Kind.MODULE or (is_field and kind is Kind.UNKNOWN and work.values.lambda_of(function) is None)


def _runs_at_once(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether all that `map` gives is asked for where it stands: unpacked, or an argument of what runs through it."""
    parent = work.index.parents[call]
    if isinstance(parent, cst.Assign):
        return all(isinstance(item.target, (cst.Tuple, cst.List)) for item in parent.targets)
    if not isinstance(parent, cst.Arg):
        return isinstance(parent, cst.StarredElement)
    around = work.index.parents[parent]
    return parent.star == "*" or (isinstance(around, cst.Call) and dotted(around.func) in _EAGER)


def _normalize(work: NormalizationRound, call: cst.Call) -> None:
    module, first, *others = (item.value for item in call.args)
    name = work.names_at(call)("items" if others else "item")

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        holes = {"module": rewrite.expression(module), "first": rewrite.expression(first)}
        if not others:
            return quote(f"[{{module}}({name}) for {name} in {{first}}]", **holes)
        given = {f"other{number}": rewrite.expression(other) for number, other in enumerate(others)}
        rest = ", ".join(f"{{{key}}}" for key in given)
        return quote(f"[{{module}}(*{name}) for {name} in zip({{first}}, {rest})]", **holes, **given)

    work.edits.replace(call, build)


__all__ = ["normalize_mapped_modules"]
