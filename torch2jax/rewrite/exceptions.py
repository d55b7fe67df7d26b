"""Handlers of errors that torch and JAX raise as different classes.

except RuntimeError:   ->   except (RuntimeError, TypeError, ValueError):

What torch refuses with a RuntimeError (shapes that do not fit, dtypes) JAX refuses with a TypeError or a ValueError.

except torch.cuda.OutOfMemoryError:   ->   except out_of_memory():

XLA has no class of its own for that; a handler's classes are asked for when something has been raised.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants, elements_of
from torch2jax.values import Kind

_ALSO = ("TypeError", "ValueError")
_WIDE = {"Exception", "BaseException"}
_OUT_OF_MEMORY = {"torch.cuda.OutOfMemoryError", "torch.OutOfMemoryError"}


def rewrite_exceptions(unit: Unit) -> None:
    """Widen the handlers around computations with tensors."""
    for node in unit.facts.program.index.every(cst.Try):
        for handler in node.handlers:
            _catch_lack_of_memory(unit, handler.type)
        if not any(_computes(unit, item) for line in node.body.body for item in descendants(line)):
            continue
        caught = [set(_classes(handler.type)) for handler in node.handlers]
        for number, handler in enumerate(node.handlers):
            if handler.type is None or "RuntimeError" not in caught[number] or caught[number] & _WIDE:
                continue
            others = set().union(*(names for place, names in enumerate(caught) if place != number))
            if others & {*_ALSO, "IndexError", "LookupError"}:
                name, argument = "except RuntimeError", "another handler beside it that JAX's errors would reach"
                unit.problem(handler.type, "T2J201", name=name, argument=argument)
                continue
            missing = [name for name in _ALSO if name not in caught[number]]
            if missing:
                unit.edits.replace(handler.type, _widened(handler.type, missing))


def _catch_lack_of_memory(unit: Unit, caught: cst.BaseExpression | None) -> None:
    """Let the handler of torch's error for lack of memory, alone or among others, catch that of XLA."""
    if isinstance(caught, cst.Tuple):
        for item in caught.elements:
            if _is_lack_of_memory(unit, item.value):
                unit.settle(item)
                unit.edits.replace(item, partial(_starred, unit, item.comma))
    elif caught is not None and _is_lack_of_memory(unit, caught):
        unit.settle(caught)
        unit.edits.replace(caught, lambda rewrite: _lack_of_memory(unit))


def _is_lack_of_memory(unit: Unit, node: cst.BaseExpression) -> bool:
    return unit.facts.values.torch_name(node) in _OUT_OF_MEMORY


def _starred(unit: Unit, comma: cst.Comma | cst.MaybeSentinel, rewrite: Rewriter) -> cst.StarredElement:
    return cst.StarredElement(_lack_of_memory(unit), comma=comma)


def _lack_of_memory(unit: Unit) -> cst.BaseExpression:
    return unit.quote("out_of_memory()")


def _computes(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an expression runs something of torch, or calls what may."""
    values = unit.facts.values
    if isinstance(node, cst.BinaryOperation):
        return Kind.TENSOR in (values(node.left).kind, values(node.right).kind, values(node).kind)
    if not isinstance(node, cst.Call):
        return False
    receiver = values(node.func.value).kind if isinstance(node.func, cst.Attribute) else Kind.UNKNOWN
    kinds = {values(node).kind, values(node.func).kind, receiver}
    return bool(kinds & {Kind.TENSOR, Kind.MODULE, Kind.TORCH}) or node in values.callees


def _classes(node: cst.BaseExpression | None) -> list[str]:
    """The names of the classes that a handler names."""
    if isinstance(node, cst.Tuple):
        return [name for item in node.elements for name in _classes(item.value)]
    return [(dotted(node) or "") if node is not None else "BaseException"]


def _widened(node: cst.BaseExpression, missing: list[str]) -> Callable[[Rewriter], cst.BaseExpression]:
    return partial(_with_classes, node, missing)


def _with_classes(node: cst.BaseExpression, missing: list[str], rewrite: Rewriter) -> cst.BaseExpression:
    shown = as_expression(rewrite.inside(node))
    names = elements_of(shown)
    holes = {f"c{number}": item for number, item in enumerate([*names, *map(cst.Name, missing)])}
    return quote(f"({', '.join(f'{{{name}}}' for name in holes)})", **holes)
