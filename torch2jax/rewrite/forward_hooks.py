"""Modules with forward hooks: behind the statement that makes one, it gets a class that takes them.

model = Net()     ->   model = Net(key=key)
                       model = with_hooks(model)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.hooks import HOOKED, hook_calls
from torch2jax.program.program import dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Build, BuildStatements, Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind


def rewrite_forward_hooks(unit: Unit) -> None:
    """Rewrite the modules that normalizations have noted."""
    program = unit.facts.program
    places = {mark[1:] for mark in program.marks if mark[0] == HOOKED}
    taking = set[tuple[str, ...]]()
    bindings: list[cst.Assign | cst.AnnAssign] = [*program.index.every(cst.Assign), *program.index.every(cst.AnnAssign)]
    for node in bindings if places else ():
        function = program.function_around(node)
        for place in _made(unit, node):
            mark = (function.key if function is not None else "", place)
            if mark in places:
                unit.edits.after(program.index.statement_of(node), _taking(unit, place))
                taking.add(mark)
    if taking != places:
        for call in hook_calls(program):
            unit.problem(call, "T2J602", name=code(call.func))
    for call in unit.plan.hooks_within:
        unit.edits.replace(call, _attached_within(call))


def _made(unit: Unit, node: cst.Assign | cst.AnnAssign) -> list[str]:
    """The places that an assignment binds to a module."""
    found = [node.target] if isinstance(node, cst.AnnAssign) else [item.target for item in node.targets]
    pairs = [pair for target in found if node.value is not None for pair in assigned_pairs(target, node.value)]
    made = [target for target, value in pairs if unit.facts.values(value).kind is Kind.MODULE]
    return [place for target in made if (place := dotted(target)) is not None]


def _taking(unit: Unit, place: str) -> BuildStatements:
    """The statement that makes a module take hooks."""
    model = cst.parse_expression(place)
    return lambda rewrite: [unit.statement("{model} = with_hooks({given})", model=model, given=model.deep_clone())]


def _attached_within(call: cst.Call) -> Build:
    """The call that attaches a hook which runs within steps."""

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        receiver = cst.ensure_type(call.func, cst.Attribute)
        template = f"{{receiver}}.{receiver.attr.value}({{hook}}, within=True)"
        return quote(template, receiver=rewrite.expression(receiver.value), hook=rewrite.expression(call.args[0].value))

    return build
