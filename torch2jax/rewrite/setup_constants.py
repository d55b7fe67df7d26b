"""Lines of `__init__` that read tensors, for libraries that run it again inside of compiled functions.

def __init__(self, depth):                                     def setup(self):
    rates = [x.item() for x in torch.linspace(0, 1, depth)]        with jax.ensure_compile_time_eval():
                                                          ->           rates = [x.item() for x in jnp.linspace(0, 1, self.depth)]

What they compute depends on no variable, so it has values while a function that uses the module is being traced, too. The lines that
compute what they read are held with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

import libcst as cst

from torch2jax.facts.compiled import obstacle_at
from torch2jax.facts.infer import Values
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import Function, dotted
from torch2jax.rewrite.setup_starts import makes_variable
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def hold_constants(unit: Unit, methods: Collection[Function]) -> None:
    """Put the lines of methods that make a module into blocks which keep what they compute."""
    if unit.facts.target.constants is None:
        return
    lines = {
        line: method
        for method in methods
        if isinstance(method.node.body, cst.IndentedBlock)
        for line in method.node.body.body
        if isinstance(line, cst.BaseStatement) and line not in unit.edits.moved
    }
    chosen = {line for line in lines if _reads_constants(line, unit.facts.values)}
    while chosen:
        read = {place for line in chosen for place in _places_read(line, lines[line])}
        found = {
            line
            for line in lines
            if not read.isdisjoint(_places_set(line, lines[line])) and not makes_something(unit, line)
        }
        if found <= chosen:
            break
        chosen |= found
    for method in methods if chosen else ():
        for is_chosen, group in groupby(method.node.body.body, chosen.__contains__):
            if is_chosen:
                _hold(unit, [line for line in group if isinstance(line, cst.BaseStatement)])


def _hold(unit: Unit, run: Sequence[cst.BaseStatement]) -> None:
    for line in run:
        unit.edits.move(line)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        inner = [statement for line in run for statement in rewrite.statement(line)]
        block = quote_statement(f"with {unit.facts.target.constants}:\n    pass")
        return [block.with_changes(body=cst.IndentedBlock(inner))] if inner else []

    unit.edits.before_place(run[0], build)


def _reads_constants(line: cst.BaseStatement, values: Values) -> bool:
    """Whether a line needs values of tensors, also in functions that it calls, other than those that make parts."""
    seen: set[Function] = set()
    waiting: list[cst.CSTNode] = [line]
    while waiting:
        for node in descendants(waiting.pop()):
            if obstacle_at(node, values):
                return True
            for function in values.callees.get(node, ()) if isinstance(node, cst.Call) else ():
                if function.name != "__init__" and function not in seen:
                    seen.add(function)
                    waiting.append(function.node.body)
    return False


def makes_something(unit: Unit, line: cst.BaseStatement) -> bool:
    """Whether a line makes variables or parts of the module."""
    return any(
        makes_variable(unit, node) or unit.facts.values(node).kind is Kind.MODULE
        for node in descendants(line)
        if isinstance(node, cst.Call)
    )


def _places_read(line: cst.BaseStatement, method: Function) -> Iterator[str]:
    for node in descendants(line):
        if isinstance(node, (cst.Name, cst.Attribute)) and (place := _place(node, method)) is not None:
            yield place


def _places_set(line: cst.BaseStatement, method: Function) -> Iterator[str]:
    """The variables and fields that a line binds, or changes in place."""
    for node in descendants(line):
        match node:
            case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.AnnAssign(target=target):
                targets = [part.value for part in target.elements] if isinstance(target, cst.Tuple) else [target]
            case cst.For(target=target):
                targets = [target]
            case cst.Call(func=cst.Attribute(value=target, attr=cst.Name(name))) if is_inplace_name(name):
                targets = [target]
            case _:
                continue
        for found in targets:
            if (place := _place(found, method)) is not None:
                yield place


def _place(node: cst.CSTNode, method: Function) -> str | None:
    """A variable of a method, or a field of its module, that holds what an expression is a part of."""
    while isinstance(node, cst.Subscript):
        node = node.value
    if isinstance(node, cst.Name):
        return f"{method.name}: {node.value}" if node.value != method.self_name else None
    if isinstance(node, cst.Attribute) and dotted(node.value) == method.self_name:
        return f"self.{node.attr.value}"
    return None


__all__ = ["hold_constants", "makes_something"]
