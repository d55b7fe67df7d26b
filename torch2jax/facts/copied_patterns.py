"""Modules that are made only to be copied: nothing keeps them but copies.

layer = EncoderLayer(dim, attention, feed_forward)      a pattern: `Encoder` keeps
encoder = Encoder(layer, 6)                             `nn.ModuleList([copy.deepcopy(layer) for _ in range(n)])`

A must-analysis over the uses of a variable, and of the parameters of functions that it is given to.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program, dotted
from torch2jax.values import Kind

_LOOKING = frozenset({"isinstance", "type", "print"})
_PLAIN = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR})


def is_pattern(program: Program, values: Values, made: cst.BaseExpression) -> bool:
    """Whether what is done with a module that is made here is to copy it as a whole, and to ask it for numbers."""
    parent = program.index.parents[made]
    match parent, program.index.parents.get(parent):
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]), cst.SimpleStatementLine():
            return _is_only_copied(program, values, name, frozenset())
        case cst.Arg(), cst.Call() as call:
            return _is_copied_by(program, values, call, made, frozenset())
    return False


def _is_only_copied(program: Program, values: Values, bound: cst.Name, around: frozenset[cst.Name]) -> bool:
    definition = program.definitions.bound_once(bound)
    if definition is None or bound in around:
        return False
    uses = program.definitions.uses(definition)
    return bool(uses) and all(_is_copied(program, values, use, around | {bound}) for use in uses)


def _is_copied(program: Program, values: Values, use: cst.Name, around: frozenset[cst.Name]) -> bool:
    parent = program.index.parents[use]
    match parent, program.index.parents.get(parent):
        case cst.Attribute(), cst.AssignTarget() | cst.AugAssign() | cst.Del():
            return False
        case cst.Attribute(value=value), _ if value is use:
            return values(parent).kind in _PLAIN
        case cst.Arg(), cst.Call() as call:
            return _is_copied_by(program, values, call, use, around)
    return False


def _is_copied_by(
    program: Program, values: Values, call: cst.Call, given: cst.BaseExpression, around: frozenset[cst.Name]
) -> bool:
    if values(call.func).const == "copy.deepcopy":
        return len(call.args) == 1
    if dotted(call.func) in _LOOKING:
        return True
    callees = values.callees.get(call, ())
    return bool(callees) and all(_copies(program, values, item, call, given, around) for item in callees)


def _copies(
    program: Program,
    values: Values,
    callee: Function,
    call: cst.Call,
    given: cst.BaseExpression,
    around: frozenset[cst.Name],
) -> bool:
    """Whether a function of the file only copies what it is given in a call."""
    if callee.node not in program.index.parents:
        return False
    names = [name for name, value in arguments_by_parameter(callee, call, values) if value is given]
    params = [param.name for param in callee.parameters if param.name.value in names]
    return len(params) == 1 and all(_is_only_copied(program, values, param, around) for param in params)


__all__ = ["is_pattern"]
