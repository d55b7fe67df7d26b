"""Losses with one element and an axis, which `backward()` takes and `jax.grad` does not, lose the axis where nobody sees it:

loss = w * x.mean()      with `w` of shape (1,)      ->   loss = (w * x.mean()).squeeze()
loss.backward()                                           loss.backward()
print(loss.item())                                        print(loss.item())
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind

_REDUCING = frozenset({"backward", "item", "max", "mean", "min", "squeeze", "sum"})
_KEEPING = frozenset({"clone", "cpu", "data", "detach"})


def normalize_single_losses(work: NormalizationRound) -> None:
    """Normalize all such losses of a file."""
    chosen: dict[cst.BaseExpression, None] = {}
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Attribute(value=cst.Name() as loss, attr=cst.Name("backward"))):
                value = work.values(loss)
                if value.kind is Kind.TENSOR and value.rank == 1 and (made := _made(work, loss)):
                    chosen.update(dict.fromkeys(made))
    for store in chosen:
        work.edits.replace(store, partial(_squeezed, store))


def _made(work: NormalizationRound, loss: cst.Name) -> list[cst.BaseExpression]:
    """What a variable is set to whose axis nobody sees; nothing where somebody may."""
    definitions = work.program.definitions
    bound = definitions.of(loss)
    if not bound or not all(_is_assigned(work, item) for item in bound):
        return []
    uses = [use for item in bound for use in definitions.uses(item)]
    if not all(_reduces(work, use) and set(definitions.of(use)) <= set(bound) for use in uses):
        return []
    return [item.value for item in bound if item.value is not None]


def _is_assigned(work: NormalizationRound, item: Definition) -> bool:
    is_set = item.how is How.ASSIGNED and item.value is not None and work.set_alone(item.node) is item.value
    return is_set and work.values(item.value).rank == 1  # type: ignore[arg-type]


def _reduces(work: NormalizationRound, use: cst.BaseExpression) -> bool:
    """Whether what reads a loss takes its only element: `loss.item()`, `float(loss)`, `loss.detach().item()`."""
    around = work.index.parents[use]
    match around:
        case cst.Attribute(attr=cst.Name(name)):
            call = work.index.parents[around]
            is_called = isinstance(call, cst.Call) and call.func is around
            if name in _REDUCING:
                return is_called and not call.args  # type: ignore[attr-defined]
            return name in _KEEPING and _reduces(work, call if is_called else around)  # type: ignore[arg-type]
        case cst.Arg():
            call = work.index.parents[around]
            return isinstance(call, cst.Call) and dotted(call.func) == "float"
    return False


def _squeezed(made: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote("{made}.squeeze()", made=as_expression(rewrite.inside(made)))


__all__ = ["normalize_single_losses"]
