"""A module with state that is made where a function is given it, normalized to two lines: its state needs a name of its own.

net = initialized(Net()).to(device)   ->   net = Net()
                                           net = initialized(net).to(device)
runner = Runner(initialized(Net()))   ->   module = initialized(Net())
                                           runner = Runner(module)

So have copies that the program's functions are given, which may train them:

w = client.fit(copy.deepcopy(model))  ->   module = copy.deepcopy(model)
                                           w = client.fit(module)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import WRAPPING
from torch2jax.program.calls import chain_start
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind


def normalize_made_arguments(work: NormalizationRound) -> None:
    """Normalize all such lines of a file whose function gives back the module."""
    if work.effects is None or not work.effects.threads:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [
                cst.Assign(value=cst.Call() as value)
                | cst.Return(value=cst.Call() as value)
                | cst.Expr(value=cst.Call() as value) as small
            ]:
                call = value if work.values.callees.get(value) else chain_start(value, WRAPPING)
                if isinstance(call, cst.Call):
                    _normalize(work, line, small, call)


def _normalize(
    work: NormalizationRound, line: cst.SimpleStatementLine, small: cst.Assign | cst.Return | cst.Expr, call: cst.Call
) -> None:
    assert work.effects is not None
    values = work.values
    is_object = values(call.func).kind is Kind.CLASS and values(call).kind is Kind.OBJECT
    is_given_back = values(call.func).kind is Kind.FUNCTION and values(call).kind is Kind.MODULE
    if not values.callees.get(call):
        return
    made = [argument for argument in call.args if _copies_module(work, argument.value)]
    if not made and not (is_object or is_given_back):
        return
    made = made or [
        argument
        for argument in call.args
        if isinstance(argument.value, cst.Call)
        and values(argument.value).kind is Kind.MODULE
        and work.effects.is_stateful(values(argument.value))
        and (is_given_back or values(argument.value.func).kind is Kind.FUNCTION)
    ]
    others = [argument.value for argument in call.args if argument not in made]
    if len(made) != 1 or any(isinstance(item, cst.Call) for item in others) or any(item.star for item in call.args):
        return
    place: cst.Name | cst.Attribute | None = None
    match small:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() | cst.Attribute() as target)]) if is_given_back:
            text = dotted(target)
            is_free = text is not None and not any(text in _places(item) for item in (call.func, *others))
            place = target if is_free else None
    if place is None:
        place = cst.Name(work.names_at(line)("module"))
    given = with_fields(made[0], value=place.deep_clone())
    arguments = [given if argument is made[0] else argument for argument in call.args]
    assert small.value is not None
    again = with_fields(call, args=arguments)
    value = again if small.value is call else small.value.deep_replace(call, again)
    lines = [
        with_fields(line, body=[cst.Assign([cst.AssignTarget(place.deep_clone())], made[0].value)]),
        cst.SimpleStatementLine([with_fields(small, value=value)]),
    ]
    work.edits.rewrite_statement(line, lambda rewrite: lines)


def _copies_module(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """`copy.deepcopy(model)`"""
    is_call = isinstance(value, cst.Call) and work.values(value.func).const == "copy.deepcopy"
    return is_call and work.values(value).kind is Kind.MODULE


def _places(node: cst.CSTNode) -> set[str]:
    """The dotted places that an expression reads."""
    return {dotted(item) or "" for item in descendants(node) if isinstance(item, (cst.Name, cst.Attribute))}


__all__ = ["normalize_made_arguments"]
