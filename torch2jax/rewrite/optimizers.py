"""Behind a call of a function that makes an optimizer, the state of the optimizer is made.

optimizer = make_optimizer(model)    ->    optimizer = make_optimizer(model)
                                           opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.analysis.program import dotted
from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value


def optimizer_from_function(
    unit: Unit, line: cst.SimpleStatementLine, target: cst.BaseAssignTargetExpression, call: cst.Call
) -> None:
    """Make the states of the optimizers that the function called here returns to `target`, where any code needs them."""
    made = unit.facts.target.optimizer_state_of
    function = unit.facts.program.function_around(line)
    for place, value in _optimizers(target, unit.facts.values(call)):
        companion = companion_place(unit, function, place, "opt_state")
        if companion is None or made is None:
            continue
        found = _models(unit, call, target, value)
        if len(found) != 1:
            unit.problem(call, "T2J501", name=place)
            no_state(unit, line, place)
            continue
        (model,) = found
        template = made
        if unit.facts.effects.has_untrained(found[model]):
            frozen = unit.facts.effects.has_frozen(found[model])
            template = unit.spell(unit.facts.target.with_buffers(made, frozen))
        text = quote(template, optimizer=place, model=cst.parse_expression(model))
        statement = quote_statement("{state} = {value}", state=companion, value=text)
        unit.edits.after(line, partial(_given, [statement]))


def no_state(unit: Unit, line: cst.SimpleStatementLine, place: str | None) -> None:
    """A state that cannot be made, and is reported, is None: inner functions declare its name `nonlocal`."""
    function = unit.facts.program.function_around(line)
    companion = companion_place(unit, function, place, "opt_state") if place is not None else None
    if companion is not None:
        unit.edits.after(line, partial(_given, [quote_statement("{state} = None", state=companion)]))


def _given(statements: Sequence[cst.BaseStatement], rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    return statements


def _optimizers(target: cst.BaseExpression, value: Value) -> Iterator[tuple[str, Value]]:
    """The places in a target that receive optimizers."""
    if isinstance(target, cst.Tuple):
        for position, element in enumerate(target.elements):
            item = value.items[position] if value.items is not None and position < len(value.items) else value.elem
            if item is not None and not isinstance(element, cst.StarredElement):
                yield from _optimizers(element.value, item)
        return
    place = dotted(target)
    if value.kind is Kind.OPTIMIZER and place is not None:
        yield place, value


def _models(unit: Unit, call: cst.Call, target: cst.BaseExpression, optimizer: Value) -> dict[str, Value]:
    """The modules in the call's arguments, results or the object it is a method of, whose parameters the optimizer has."""
    found: dict[str, Value] = {}
    candidates = [argument.value for argument in call.args]
    for node in (item for expression in (*candidates, target) for item in descendants(expression)):
        if isinstance(node, (cst.Name, cst.Attribute)):
            value, place = unit.facts.values(node), dotted(node)
            if place is not None and value.kind is Kind.MODULE and value.sites and value.sites == optimizer.sites:
                found[place] = value
    function = unit.facts.program.function_around(call)
    if not found and function is not None and function.owner is not None and function.self_name is not None:
        for name, field in function.owner.all_fields():
            if field.kind is Kind.MODULE and field.sites and field.sites == optimizer.sites:
                found[f"{function.self_name}.{name}"] = field
    if isinstance(target, cst.Tuple) and not found:
        items = unit.facts.values(call).items or ()
        for element, item in zip(target.elements, items, strict=False):
            place = dotted(element.value)
            if place is not None and item.kind is Kind.MODULE and item.sites and item.sites == optimizer.sites:
                found[place] = item
    return found
