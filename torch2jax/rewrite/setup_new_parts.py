"""First values of parts that a variable holds, which get their variables only where they become parts of a module.

layer = nn.Linear(dim, 1)                     layer = Linear(dim, 1)
nn.init.constant_(layer.weight, value)        def start_layer(layer, value):
layers.append(layer)                   ->         set_variable(layer, "weight", jnp.full_like(layer.weight, value))
                                              started(start_layer, layer, value)
                                              layers.append(layer)

What the lines read of the function is passed on: it may be something else by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.bindings import makes_module
from torch2jax.program.program import Function
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import bound_names, children, descendants, is_label, own_nodes
from torch2jax.values import Kind


def new_parts(unit: Unit, function: Function) -> frozenset[str]:
    """The variables of a function that hold modules made there, or run through some that may have been."""
    found: set[str] = set()
    for node in own_nodes(function.node):
        match node:
            case cst.Assign(value=value):
                pairs = [pair for target in node.targets for pair in _pairs(target.target, value)]
                found |= {name.value for name, made in pairs if makes_module(unit.facts.values, made)}
            case cst.For(target=cst.Name() as target) if unit.facts.values(target).kind is Kind.MODULE:
                found.add(target.value)
    return frozenset(found - {function.self_name})


def _pairs(target: cst.BaseExpression, value: cst.BaseExpression) -> list[tuple[cst.Name, cst.BaseExpression]]:
    """The variables of an assignment with what they are given, as far as that stands there."""
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        both = zip(target.elements, value.elements, strict=True)
        return [pair for left, right in both for pair in _pairs(left.value, right.value)]
    return [(target, value)] if isinstance(target, cst.Name) else []


def started_in(line: cst.CSTNode, parts: frozenset[str]) -> list[str]:
    """Which of them a line names that it does not bind itself."""
    bound = {name for node in descendants(line, cst.For) for name in bound_names(node.target)}
    return sorted(_read((line,)) & parts - bound)


def start_parts(unit: Unit, function: Function, run: Sequence[cst.BaseStatement], parts: frozenset[str]) -> None:
    """Lines that start new parts, one function for each part."""
    groups: list[tuple[str, list[cst.BaseStatement]]] = []
    for line in run:
        named = started_in(line, parts)
        if len(named) != 1:
            reason = "parts get their variables where they become parts, one after the other"
            unit.problem(line, "T2J612", name=", ".join(named), reason=reason)
            continue
        if not groups or groups[-1][0] != named[0]:
            groups.append((named[0], []))
        groups[-1][1].append(line)
    for name, lines in groups:
        for line in lines:
            unit.edits.move(line)
        unit.edits.before_place(lines[0], partial(_started, unit, function, name, lines))


def _started(
    unit: Unit, function: Function, part: str, lines: Sequence[cst.BaseStatement], rewrite: Rewriter
) -> list[cst.BaseStatement]:
    inner = [statement for line in lines for statement in rewrite.statement(line)]
    keys = {name for line in lines for node in descendants(line) for name in unit.plan.keys.get(node, "").split("[")}
    given = sorted(_read(inner) & (set(function.env) | keys) - {part, str(function.self_name)} - _bound(inner))
    name, arguments = unit.fresh(f"start_{part}"), ", ".join((part, *given))
    definition = cst.ensure_type(quote_statement(f"def {name}({arguments}):\n    pass"), cst.FunctionDef)
    call = quote_statement(f"{unit.spell(str(unit.facts.target.started))}({name}, {arguments})")
    return [definition.with_changes(body=cst.IndentedBlock(inner)), call]


def _read(lines: Iterable[cst.CSTNode]) -> set[str]:
    """The names of variables in some lines."""
    return {
        node.value
        for line in lines
        for parent in descendants(line)
        for node in children(parent)
        if isinstance(node, cst.Name) and not is_label(node, parent)
    }


def _bound(lines: Iterable[cst.CSTNode]) -> set[str]:
    found = (node for line in lines for node in descendants(line))
    targets = (node.target for node in found if isinstance(node, (cst.AssignTarget, cst.For, cst.CompFor)))
    return {name for target in targets for name in bound_names(target)}
