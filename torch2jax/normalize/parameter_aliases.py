"""A variable for a parameter that is changed in place, normalized to the field that holds it.

w = self.proj.weight.data                        ->
nn.init.xavier_uniform_(w.view(w.shape[0], -1))      nn.init.xavier_uniform_(self.proj.weight.view(self.proj.weight.shape[0], -1))

In torch both are the same storage. What reads the variable sees no other value, in the block of its line only, and nothing that
runs there gives one of the fields on the way another object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.facts.storage import without_data
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import reached_from
from torch2jax.program.program import Function
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_parameter_aliases(work: NormalizationRound) -> None:
    """Normalize all such variables of a file."""
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as alias)], value=cst.Attribute() as value)]:
                if _is_parameter(work, value):
                    _normalize(work, line, alias, value)


def _is_parameter(work: NormalizationRound, value: cst.Attribute) -> bool:
    field = without_data(value, work.values)
    if not isinstance(field, cst.Attribute) or not _is_way(field):
        return False
    held = work.values(field)
    return held.kind is Kind.TENSOR and "parameter" in held.types and work.values(field.value).kind is Kind.MODULE


def _is_way(node: cst.BaseExpression) -> bool:
    """Whether a place is named in full, by fields, variables and numbers: `self.layers[i].weight`."""
    match node:
        case cst.Attribute(value=inner):
            return _is_way(inner)
        case cst.Subscript(
            value=inner, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name() | cst.Integer(), star=None))]
        ):
            return _is_way(inner)
    return isinstance(node, cst.Name)


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, alias: cst.Name, value: cst.Attribute) -> None:
    definitions = work.program.definitions
    definition = next((item for item in definitions.every_of_name(alias) if item.node is alias), None)
    uses = definitions.uses(definition) if definition is not None else []
    block = work.index.parents[line]
    is_of_class = any(isinstance(node, cst.ClassDef) for node in work.index.ancestors(line))
    if not uses or not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return
    if work.index.function_of(line) is None and (is_of_class or alias.value in work.program.read_elsewhere):
        return
    if any(definitions.only(use) is not definition for use in uses):
        return
    below = block.body[block.body.index(line) + 1 :]
    inside = {node for item in below for node in descendants(item)}
    if not all(use in inside and is_read_here(work, use, line) for use in uses):
        return
    if not any(changes_held(work, use) for use in uses) or may_exchange(work, below, value):
        return
    if any(not names_in(value).isdisjoint(reads_and_writes(item)[1]) for item in below):
        return  # one that says which part is meant
    if value is not without_data(value, work.values) and any(_gets_field(work, use) for use in uses):
        return  # `w.data = x` of another tensor than the parameter
    for use in uses:
        is_quiet = changes_held(work, use) or _asks_for_shape(work, use)  # `data` says nothing there
        work.edits.replace(use, partial(_field, without_data(value, work.values) if is_quiet else value))
    work.edits.rewrite_statement(line, _nothing)


def _gets_field(work: NormalizationRound, use: cst.Name) -> bool:
    parent = work.index.parents[use]
    return isinstance(parent, cst.Attribute) and isinstance(work.index.parents[parent], cst.AssignTarget)


def _asks_for_shape(work: NormalizationRound, use: cst.Name) -> bool:
    parent = work.index.parents[use]
    return isinstance(parent, cst.Attribute) and parent.attr.value in ("shape", "size", "dim", "ndim", "numel")


def _field(value: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return value.deep_clone()


def _nothing(rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    return ()


def is_read_here(work: NormalizationRound, use: cst.Name, line: cst.SimpleStatementLine) -> bool:
    """Whether a use stands in the function itself, and is one where any expression may stand."""
    is_plain = not isinstance(work.index.parents[use], (cst.Del, cst.NameItem, cst.AugAssign))
    around = [item for item in work.index.ancestors(use) if isinstance(item, (cst.Lambda, cst.FunctionDef))]
    return is_plain and (around[0] if around else None) is work.index.function_of(line)


def changes_held(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a use changes what the variable holds: `w.fill_(0)`, `nn.init.zeros_(w.view(-1))`, `w[0] = 0`."""
    node: cst.CSTNode = use
    for parent in work.index.ancestors(use):
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign)):
            return node is parent.target and node is not use
        if isinstance(parent, cst.Call):
            is_method = isinstance(parent.func, cst.Attribute) and node is parent.func
            if is_method and changes_values(parent.func.attr.value):  # type: ignore[attr-defined]
                return True
            if any(item is node.value for item in filled_arguments(parent) if isinstance(node, cst.Arg)):
                return True
            if isinstance(node, cst.Arg):
                return False
        elif not isinstance(parent, (cst.Attribute, cst.Subscript, cst.Arg)):
            return False
        node = parent
    return False


def may_exchange(work: NormalizationRound, lines: Sequence[cst.BaseStatement], value: cst.BaseExpression) -> bool:
    """Whether the lines, or a method that they call, put another object into one of the fields of a place."""
    root, *fields = _parts(value)
    for node in (node for line in lines for node in descendants(line)):
        if isinstance(node, (cst.AssignTarget, cst.For, cst.CompFor, cst.NamedExpr)) and root in _bound(node.target):
            return True
        if isinstance(node, cst.AssignTarget) and _ends_in(node.target, fields):
            return True
        if isinstance(node, cst.Call) and any(
            _ends_in(item.target, fields)
            for function in functions_reached(work, node)
            for item in descendants(function.node)
            if isinstance(item, cst.AssignTarget)
        ):
            return True
    return False


def functions_reached(work: NormalizationRound, call: cst.Call) -> list[Function]:
    """The functions of the program that run in a call."""
    return reached_from(work.values.callees.get(call, ()), work.values.callees)


def _parts(node: cst.BaseExpression) -> list[str]:
    """The variable and the fields on the way to a place: `self`, `net` of `self.net[0]`."""
    found: list[str] = []
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        if isinstance(node, cst.Attribute):
            found.append(node.attr.value)
        node = node.value
    return [node.value if isinstance(node, cst.Name) else "", *reversed(found)]


def _bound(target: cst.CSTNode) -> frozenset[str]:
    return frozenset(names_in(target)) if not isinstance(target, (cst.Attribute, cst.Subscript)) else frozenset()


def _ends_in(target: cst.CSTNode, fields: Sequence[str]) -> bool:
    """Whether an assignment is to an attribute of one of some names."""
    return any(isinstance(item, cst.Attribute) and item.attr.value in fields for item in _attributes(target))


def _attributes(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _attributes(element.value)
    else:
        yield target


__all__ = ["changes_held", "functions_reached", "is_read_here", "may_exchange", "normalize_parameter_aliases"]
