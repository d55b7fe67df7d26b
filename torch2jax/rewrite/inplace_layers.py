"""Layers that change their argument in place, `nn.ReLU(inplace=True)`: whoever still reads it is told, or it is refused."""

from __future__ import annotations

import itertools

import libcst as cst

from torch2jax.facts.infer import PASSING_LAYERS, Values, all_marks
from torch2jax.facts.mutations import SETS_INPLACE, is_begun
from torch2jax.ops.signatures import parse_signature
from torch2jax.program.program import dotted
from torch2jax.rewrite.statements import live_alias, may_write
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants
from torch2jax.values import INPLACE, Kind, Value

_HOLDING = (Kind.TENSOR, Kind.LIST, Kind.TUPLE, Kind.DICT)


def check_inplace_layers(unit: Unit) -> None:
    """`nn.ReLU(inplace=True)` changes its argument: whoever still reads the argument afterwards would see the old value."""
    values = unit.facts.values
    is_set = any(mark[0] == SETS_INPLACE for mark in all_marks(unit.facts.program))
    for call in unit.facts.program.index.calls:
        inplace = values(call.func).kind is Kind.MODULE and INPLACE in values(call.func).among
        inplace = inplace or (is_set and _may_be_set(unit, values(call.func)))
        inplace = inplace or (
            values.keyword_is_true(call, "inplace")
            and (values.torch_name(call.func) or "").startswith("torch.nn.functional.")
        )
        if not inplace or not call.args or is_begun(unit.facts.program.index, values, call):
            continue
        argument = call.args[0].value
        if not isinstance(argument, cst.Name) or _is_rebound(unit, call, argument.value):
            if not isinstance(argument, cst.Name):
                _check_part(unit, call, argument)
            else:
                around = unit.facts.program.function_around(call)
                of_module = around is None or (around.owner is not None and around.owner.is_module)
                is_quiet = (
                    of_module or values.torch_name(call.func) is None or (around is not None and bool(around.callers))
                )
                may_write(unit, unit.facts.program.index.statement_of(call), argument, quiet_parameter=is_quiet)
            continue
        statement = unit.facts.program.index.statement_of(call)
        function = unit.facts.program.function_around(call)
        is_function = values.torch_name(call.func) is not None
        if _is_statement(unit, call) and (is_function or values.is_inplace_layer(call)):
            continue
        is_live = argument.value in unit.facts.flows.liveness(function).after_statement(statement)
        if is_live or _is_read_beside(unit, statement, call, argument):
            unit.problem(call, "T2J302", name=argument.value, operation=code(call))
        elif (other := live_alias(unit, statement, argument.value, values(argument))) is not None:
            unit.problem(call, "T2J301", name=argument.value, base=other)


def _may_be_set(unit: Unit, layer: Value) -> bool:
    """Whether a layer has a setting by which it changes its argument in place."""
    layers = [unit.facts.tables.layers.get(name) for name in layer.types] if layer.kind is Kind.MODULE else []
    return any(item is not None and "inplace" in parse_signature(item.signature) for item in layers)


def _is_statement(unit: Unit, call: cst.Call) -> bool:
    """Whether a call, or the chain `act(act(x))` that it begins, is a statement of its own."""
    parents = unit.facts.program.index.parents
    node: cst.CSTNode = call
    while isinstance(argument := parents[node], cst.Arg):
        node = parents[argument]
        if not isinstance(node, cst.Call) or not unit.facts.values.is_inplace_layer(node):
            return False
    return isinstance(argument, cst.Expr)


def _check_part(unit: Unit, call: cst.Call, argument: cst.BaseExpression) -> None:
    """Report a layer that changes `x[0]` or `self.x` in place where somebody else reads that."""
    value, statement = unit.facts.values(argument), unit.facts.program.index.statement_of(call)
    if value.kind is not Kind.TENSOR or unit.facts.values.makes_its_own(argument):
        return
    other = live_alias(unit, statement, "", value)
    if other is not None:
        unit.problem(call, "T2J301", name=code(argument), base=other)
    elif any(root.startswith("field:") for root in value.roots):
        unit.problem(call, "T2J303", name=code(argument), other="a container, a field or a caller")


def _is_read_beside(unit: Unit, statement: cst.CSTNode, call: cst.Call, argument: cst.Name) -> bool:
    """Whether a statement reads a variable that a call in it changes, or what shares its storage, and has not computed with
    it before the call.
    """
    values, index = unit.facts.values, unit.facts.program.index
    around, roots = set(index.ancestors(call)), values(argument).roots
    is_behind = False
    for item in descendants(statement):
        is_behind = is_behind or item is call
        if not isinstance(item, cst.Name) or item is argument:
            continue
        if item.value != argument.value and not (values(item).kind in _HOLDING and values(item).shares(roots)):
            continue
        if isinstance(index.parents.get(item), cst.AssignTarget) or call in index.ancestors(item):
            continue
        above = itertools.takewhile(lambda node: node not in around, index.ancestors(item))
        if is_behind or not any(_computes(values, node) for node in above):
            return True
    return False


def _computes(values: Values, node: cst.CSTNode) -> bool:
    """Whether an expression makes a tensor of its own of what it reads."""
    if isinstance(node, cst.Call) and values(node.func).kind is Kind.MODULE:
        return not values(node.func).types & PASSING_LAYERS
    if isinstance(node, cst.Call) and values(node).kind is Kind.TENSOR:
        return values.makes_its_own(node)
    return isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison))


def _is_rebound(unit: Unit, call: cst.Call, name: str) -> bool:
    parent = unit.facts.program.index.parents.get(call)
    return isinstance(parent, cst.Assign) and len(parent.targets) == 1 and dotted(parent.targets[0].target) == name
