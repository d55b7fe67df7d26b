"""Lists of tensors that are trained by hand, written out where they are gone through.

parameters = [C, W, b]
for p in parameters:                       for p in [C, W, b]:
    p.requires_grad = True        ->           p.requires_grad = True
...                                        ...
for p in parameters:                       for p in [C, W, b]:
    p.data += -lr * p.grad                     p.data += -lr * p.grad

In torch the list and the variables hold the same tensors, whatever these become. In JAX the variables get other arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_TRAINING = frozenset({"grad", "data", "requires_grad"})
_READING = frozenset({"enumerate", "len", "sum", "zip"})


def normalize_tensor_lists(work: NormalizationRound) -> None:
    """Write out all such lists of a file."""
    if not work.program.mentions("backward"):
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Name() as target)],
                        value=cst.List() | cst.Tuple() as display,
                    )
                ]
            ):
                uses = _uses(work, line, target, display)
                if uses and any(map(partial(_is_trained, work), uses)):
                    work.edits.remove(line)
                    for use in uses:
                        work.edits.replace(use, partial(_copy, work, display))


def _copy(work: NormalizationRound, display: cst.List | cst.Tuple, rewrite: Rewriter) -> cst.CSTNode:
    return work.copy(display)


def _uses(
    work: NormalizationRound, line: cst.SimpleStatementLine, target: cst.Name, display: cst.List | cst.Tuple
) -> list[cst.Name]:
    """The reads of a list that goes by one name and stays what it is; none where it may be seen otherwise."""
    definitions = work.program.definitions
    definition = definitions.bound_once(target)
    if definition is None or not _holds_tensors(work, line, display):
        return []
    function = work.index.function_of(line)
    if function is None and work.program.is_imported:
        return []
    uses = definitions.uses(definition)
    elements = names_in(display)
    is_plain = all(
        work.is_behind(use, line) and work.index.function_of(use) is function and _goes_through(work, use, elements)
        for use in uses
    )
    return uses if is_plain else []


def _holds_tensors(work: NormalizationRound, line: cst.SimpleStatementLine, display: cst.List | cst.Tuple) -> bool:
    """Whether a list holds tensors in variables that lines above it in its block bind, and nothing else does."""
    found = [element.value for element in display.elements if isinstance(element, cst.Element)]
    if not found or len(found) != len(display.elements):
        return False
    return all(
        isinstance(item, cst.Name)
        and work.values(item).kind is Kind.TENSOR
        and (definition := work.program.definitions.bound_once(item)) is not None
        and _is_above(work, definition, line)
        for item in found
    )


def _is_above(work: NormalizationRound, definition: Definition, line: cst.SimpleStatementLine) -> bool:
    if definition.node not in work.index.parents:
        return False
    bound = work.index.statement_of(definition.node)
    return work.index.parents.get(bound) is work.index.parents[line] and work.is_behind(line, bound)


def _goes_through(work: NormalizationRound, use: cst.Name, elements: frozenset[str] | set[str]) -> bool:
    """Whether a read only takes the items of the list, one after the other, under names that are not theirs."""
    parent = work.index.parents[use]
    match parent:
        case cst.For(iter=over, target=target) | cst.CompFor(iter=over, target=target) if over is use:
            return elements.isdisjoint(names_in(target)) and not any(
                _shadows(item, elements) for item in _around(work, use)
            )
        case cst.Arg(star=""):
            call = work.index.parents[parent]
            is_read = isinstance(call, cst.Call) and dotted(call.func) in _READING
            return is_read and not any(_shadows(item, elements) for item in _around(work, use))
    return False


def _around(work: NormalizationRound, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for item in work.index.ancestors(node):
        if isinstance(item, (cst.FunctionDef, cst.ClassDef)):
            return
        yield item


def _shadows(node: cst.CSTNode, names: frozenset[str] | set[str]) -> bool:
    """Whether names mean something else below a comprehension or lambda."""
    match node:
        case cst.Lambda():
            return True
        case cst.BaseComp():
            loops = (item for item in descendants(node) if isinstance(item, cst.CompFor))
            return any(not names.isdisjoint(names_in(item.target)) for item in loops)
    return False


def _is_trained(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a loop over the list looks at gradients of its tensors, or changes what they hold."""
    loop = work.index.parents[use]
    if not isinstance(loop, cst.For) or not isinstance(loop.target, cst.Name):
        return False
    return any(
        isinstance(node, cst.Attribute) and node.attr.value in _TRAINING and dotted(node.value) == loop.target.value
        for node in descendants(loop.body)
    )


__all__ = ["normalize_tensor_lists"]
