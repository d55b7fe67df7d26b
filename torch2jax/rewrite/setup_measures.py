"""What `__init__` measures of parts that it has made, for libraries in which a module is a definition: they keep no state of it later.

with torch.no_grad():
    self.size = self.features(x).shape[1]     ->   self.size = measured(self, lambda: self.features(x).shape[1])

`setup` runs whenever the module is used: parts that are called there would note each time what they are given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from torch2jax.facts.module_state import init_methods
from torch2jax.program.program import Class, Function
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_NUMBERS = (Kind.INT, Kind.SIZE, Kind.BOOL)


class Measure(NamedTuple):
    """A call of parts in `__init__`, and the expression around it that is a number which only shapes decide."""

    call: cst.Call
    number: cst.BaseExpression | None


def measures(unit: Unit, method: Function) -> Iterator[Measure]:
    """The calls of parts, and of methods that call parts, in a method that runs while a module is made."""
    if method.name != "__init__":
        return
    index = unit.facts.program.index
    for call in own_nodes(method.node):
        if isinstance(call, cst.Call) and _calls_parts(unit, call):
            around: list[cst.CSTNode] = [call, *index.ancestors(call)]
            inside = around[: next(i for i, node in enumerate(around) if isinstance(node, cst.BaseSmallStatement))]
            expressions = [node for node in inside if isinstance(node, cst.BaseExpression)]
            kinds = [unit.facts.values(node).kind for node in expressions]
            found = [node for kind in _NUMBERS for node, own in zip(expressions, kinds, strict=True) if own is kind]
            yield Measure(call, found[0] if found else None)


def _calls_parts(unit: Unit, call: cst.Call, seen: frozenset[Function] = frozenset()) -> bool:
    """Whether a call runs a module, or a function that does."""
    values = unit.facts.values
    if values(call.func).kind is Kind.MODULE:
        return True
    callees = [item for item in values.callees.get(call, ()) if item not in seen and item.name != "__init__"]
    return any(
        _calls_parts(unit, node, seen | {item})
        for item in callees
        if isinstance(item.node, cst.FunctionDef)
        for node in own_nodes(item.node)
        if isinstance(node, cst.Call)
    )


def measured_names(unit: Unit, method: Function) -> frozenset[cst.CSTNode]:
    """The nodes of what is measured, and of lines that only work out what is."""
    index = unit.facts.program.index
    inside = {node for item in measures(unit, method) if item.number is not None for node in _all(item.number)}
    for line in own_nodes(method.node):
        match line:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]):
                named = [
                    node for node in own_nodes(method.node) if isinstance(node, cst.Name) and node.value == name.value
                ]
                used = [node for node in named if node is not name and not index.is_label(node)]
                if used and all(node in inside for node in used):
                    inside |= set(_all(line))
    return frozenset(inside)


def _all(node: cst.CSTNode) -> list[cst.CSTNode]:
    return [node, *descendants(node)]


def rewrite_measures(unit: Unit) -> None:
    """Run what is measured so that parts keep state of it only while the module is made."""
    template = unit.facts.target.measured
    found = [(item, method) for item in unit.facts.program.classes.values() if item.is_module for method in _own(item)]
    if template is None:
        return
    for _, method in found:
        numbers = [item.number for item in measures(unit, method) if item.number is not None]
        for number in dict.fromkeys(numbers):
            text, before = unit.spell(template.replace("{self}", str(method.self_name))), unit.edits.nodes.get(number)

            def build(rewrite: Rewriter, number=number, text=text, before=before):  # type: ignore[no-untyped-def]
                value = before(rewrite) if before is not None else rewrite.inside(number)
                return quote(text, value=as_expression(value))

            unit.edits.replace(number, build, override=True)


def _own(item: Class) -> list[Function]:
    return [method for method in init_methods(item) if method.owner is item]


__all__ = ["measured_names", "measures", "rewrite_measures"]
