"""Python numbers that come into training steps: those that change from step to step are passed as arrays, or each would compile anew.

learn(obs, reward)     ->   train_step(net, opt_state, obs, jnp.asarray(reward))
if beta > 0: ...            `beta` stays a number, on which the compiled code depends
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import libcst as cst

from torch2jax.facts.training import Step
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program
from torch2jax.program.statements import reads_and_writes
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_SUMS_AND_PRODUCTS = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)


def is_calculated_with(unit: Unit, step: Step, name: str) -> bool:
    """Whether a number goes into arrays wherever a step reads it: it is no condition, no length, and nothing but JAX computes with it."""
    value = (step.function.env if step.function is not None else unit.facts.program.module_env).get(name)
    is_whole = value is not None and value.kind is Kind.INT
    return _only_calculated(unit, unit.facts.program, [*step.forward, step.loss], name, is_whole, frozenset())


def _only_calculated(
    unit: Unit,
    home: Program,
    code: Sequence[cst.CSTNode],
    name: str,
    is_whole: bool,
    seen: frozenset[tuple[Function, str]],
) -> bool:
    """Whether code, in a file of the program, does nothing else with a number."""
    index = home.index
    nodes = (node for part in code for node in (part, *descendants(part)))
    reads = [node for node in nodes if isinstance(node, cst.Name) and node.value == name and not index.is_label(node)]
    return all(_goes_into_array(unit, home, node, is_whole, seen) for node in reads if node in index.parents)


def _goes_into_array(
    unit: Unit, home: Program, node: cst.Name, is_whole: bool, seen: frozenset[tuple[Function, str]]
) -> bool:
    parents, values = home.index.parents, unit.facts.values
    reached: cst.CSTNode = node
    while isinstance(reached, cst.BaseExpression) and (reached is node or values(reached).kind is not Kind.TENSOR):
        around = parents[reached]
        match around:
            case cst.BinaryOperation(operator=operator) if isinstance(operator, _SUMS_AND_PRODUCTS) or not is_whole:
                pass
            case cst.UnaryOperation(operator=cst.Minus() | cst.Plus()) if not is_whole:
                pass
            case cst.IfExp(test=test) if test is not reached and not is_whole:
                pass
            case cst.AssignTarget():
                return True  # it is bound there, not read
            case cst.Arg() if not is_whole:
                call = parents[around]
                assert isinstance(call, cst.Call)
                return _takes_arrays(unit, call, around, seen)
            case cst.ComparisonTarget() if not is_whole:
                around = parents[around]
                return values(around).kind is Kind.TENSOR
            case cst.Comparison() if not is_whole:
                return values(around).kind is Kind.TENSOR
            case _:
                return False
        reached = around
    return True


def _takes_arrays(unit: Unit, call: cst.Call, argument: cst.Arg, seen: frozenset[tuple[Function, str]]) -> bool:
    """Whether what is called computes with an argument as with an array: functions of torch, and those that do nothing else with it."""
    values = unit.facts.values
    if values.torch_name(call.func) is not None:
        return True
    if isinstance(call.func, cst.Attribute) and values(call.func.value).kind is Kind.TENSOR:
        return True
    reached = values.reached_by(call)
    if not reached or argument.star:
        return False
    for function in reached:
        given = [name for name, value in arguments_by_parameter(function, call, values) if value is argument.value]
        home = next((item for item in unit.facts.program.files if function.node in item.functions), None)
        if not given or home is None:
            return False
        if (function, given[0]) not in seen:
            more = seen | {(function, given[0])}
            if not _only_calculated(unit, home, [function.node.body], given[0], False, more):
                return False
    return True


def changes_between_steps(unit: Unit, step: Step, name: str) -> bool:
    """Whether a variable has another value in another round of a loop, or whenever the function around the step is called."""
    if _is_bound_in_loop(unit, step.backward_statement, {name}):
        return True
    function = step.function
    return function is not None and _is_given_anew(unit, function, name, frozenset({function}))


def _is_bound_in_loop(unit: Unit, node: cst.CSTNode, names: Set[str]) -> bool:
    return any(not names.isdisjoint(reads_and_writes(loop)[1]) for loop in _loops_around(unit, node))


def _loops_around(unit: Unit, node: cst.CSTNode) -> Iterator[cst.For | cst.While]:
    """The loops of the same function around a node."""
    for ancestor in unit.facts.program.index.ancestors(node):
        if isinstance(ancestor, (cst.For, cst.While)):
            yield ancestor
        elif isinstance(ancestor, cst.FunctionDef):
            return


def _is_given_anew(unit: Unit, function: Function, name: str, seen: frozenset[Function]) -> bool:
    """Whether calls in loops, of a function or of those around it, give one of its arguments what the loops compute or bind."""
    program, values = unit.facts.program, unit.facts.values
    for call in function.callers if name in function.parameter_names else ():
        if not isinstance(call, cst.Call) or call not in program.index.parents:
            continue
        given = dict(arguments_by_parameter(function, call, values)).get(name)
        if given is None:
            continue
        is_computed = any(isinstance(node, cst.Call) for node in (given, *descendants(given)))
        if _is_bound_in_loop(unit, call, names_in(given)) or (is_computed and any(_loops_around(unit, call))):
            return True
        around = program.function_around(call)
        if around is not None and around not in seen:
            if any(_is_given_anew(unit, around, item, seen | {around}) for item in names_in(given)):
                return True
    return False


__all__ = ["changes_between_steps", "is_calculated_with"]
