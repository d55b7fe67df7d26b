"""Iterators asked for what comes next as in Python 2, which the iterators of torch's loaders had allowed before torch 1.13.

batches = iter(loader)                     batches = iter(loader)
images, labels = batches.next()     ->     images, labels = next(batches)
x, y = loader.__iter__().next()            x, y = next(iter(loader))
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.values import Kind


def normalize_old_iterators(work: NormalizationRound) -> None:
    """Ask all iterators in sight of a file by `next`."""
    if any("next" in item.methods for item in work.program.classes.values()):
        return  # of which the iterators may be
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Attribute(value=iterable, attr=cst.Name("__iter__")), args=[]) if not _is_base(
                iterable
            ):
                _call_builtin(work, call, "iter", iterable)
            case cst.Call(func=cst.Attribute(value=iterator, attr=cst.Name("next")), args=[]) if _is_iterator(
                work, iterator
            ):
                _call_builtin(work, call, "next", iterator)


def _is_base(iterable: cst.BaseExpression) -> bool:
    """Whether the method of a base class is meant: `super().__iter__()`."""
    return isinstance(iterable, cst.Call) and dotted(iterable.func) == "super"


def _is_iterator(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call(func=cst.Name("iter"), args=[cst.Arg(value=iterable)]):
            return work.values(iterable).kind is not Kind.OBJECT  # whose class may have a `next` of its own
        case cst.Call(func=cst.Attribute(value=iterable, attr=cst.Name("__iter__")), args=[]):
            return work.values(iterable).kind is not Kind.OBJECT
        case cst.Name():
            made = [item.value for item in work.program.definitions.of(node)]
        case cst.Attribute() if dotted(node) is not None:
            made = [
                line.value
                for line in work.index.every(cst.Assign)
                if isinstance(line, cst.Assign)
                for target in line.targets
                if dotted(target.target) == dotted(node)
            ]
        case _:
            return False
    return bool(made) and all(isinstance(item, cst.Call) and _is_iterator(work, item) for item in made)


def _call_builtin(work: NormalizationRound, call: cst.Call, name: str, given: cst.BaseExpression) -> None:
    def build(rewrite: Rewriter) -> cst.BaseExpression:
        return call.with_changes(func=cst.Name(name), args=[cst.Arg(rewrite.expression(given))])

    work.edits.replace(call, build)


__all__ = ["normalize_old_iterators"]
