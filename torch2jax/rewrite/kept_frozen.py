"""Which parameters are frozen in a module that gets other parts: `model.head = LoRA(model.head)`.

Modules keep the names of frozen parameters, and in the new part what is frozen has another name. Torch keeps the flag with the
tensor, so that the new module freezes the arrays that are frozen in the old one.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import dotted, root_name
from torch2jax.rewrite.unit import Unit
from torch2jax.values import Kind, Value

FROZEN_AS_BEFORE = "with_frozen_of({new}, {m})"
"""A module made of another one, with what of that is frozen: the same arrays, whatever their names are by now."""

_PLAIN = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.DTYPE, Kind.CLASS, Kind.TORCH})


def may_be_frozen_by_now(unit: Unit, line: cst.BaseStatement, holder: cst.BaseExpression | None, new: Value) -> bool:
    """Whether a module may have frozen parameters by now, apart from those of its `new` part: it is a parameter, or frozen
    in this function, where it comes from, or in its class.
    """
    if holder is None or not unit.facts.target.immutable:
        return False
    if not unit.facts.effects.has_frozen(unit.facts.values(holder)):
        return False  # where a variable says whether it is trained, what is new is
    function = unit.facts.program.function_around(line)
    if function is not None and (dotted(holder) or "").split(".")[0] in function.parameter_names:
        return True
    frozen = [item for item in unit.facts.freezing.statements if not item.is_idle]
    own = any(item.function is function and item.place == dotted(holder) for item in frozen)
    own |= any(item.function is not function and item.sites & unit.facts.values(holder).sites for item in frozen)
    own |= bool(unit.facts.effects.frozen_elsewhere & unit.facts.values(holder).types)
    by_themselves = unit.facts.effects.frozen_by_themselves | unit.facts.freezing.by_themselves
    return own or bool(by_themselves - new.types)


def may_hold_older(unit: Unit, value: cst.BaseExpression) -> bool:
    """Whether a new part may hold arrays of others: it is no call, or one that is given a module, a tensor or what may be one."""
    if not isinstance(value, cst.Call) or unit.facts.values(value.func).kind not in (Kind.CLASS, Kind.TORCH):
        return True
    given = [argument.value for argument in value.args]
    return any(
        unit.facts.values(item).kind not in _PLAIN
        and not (isinstance(item, cst.Call) and not may_hold_older(unit, item))
        for item in given
    )


def exchanges_parts(unit: Unit, call: cst.Call, holder: str) -> bool:
    """Whether a call is given a part of a module that may have frozen parameters, and exchanges parts of that."""
    owner = next((node for node in _holders(call) if dotted(node) == holder), None)
    if not unit.facts.target.immutable or owner is None:
        return False
    loops = {(item.function, item.place) for item in unit.facts.loops if item.exchanges}
    loops |= {
        (unit.facts.program.function_around(node), str(root_name(node)))
        for node in unit.facts.replaced
        if isinstance(node, cst.BaseExpression) and unit.facts.values(node).kind is Kind.MODULE
    }
    return unit.facts.effects.has_frozen(unit.facts.values(owner)) and any(
        (callee, parameter) in loops and holder in (dotted(node) for node in _holders(argument))
        for callee in unit.facts.values.callees.get(call, ())
        for parameter, argument in arguments_by_parameter(callee, call, unit.facts.values)
    )


def _holders(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """The objects of which the arguments of a call, or an expression, are parts: `model` and `model.body` of `model.body.head`."""
    found: list[cst.BaseExpression] = []
    for inner in [item.value for item in node.args] if isinstance(node, cst.Call) else [node]:
        while isinstance(inner, (cst.Attribute, cst.Subscript)):
            inner = inner.value
            found.append(inner)
    return found


__all__ = ["FROZEN_AS_BEFORE", "exchanges_parts", "may_be_frozen_by_now", "may_hold_older"]
