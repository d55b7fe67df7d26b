"""Schedulers that may meet another optimizer than their own, or an optimizer that another scheduler has had.

a.scheduler, b.scheduler = b.scheduler, a.scheduler        each now steps the optimizer of the other object

for phase in range(2):                                     the second one starts again from the learning rate
    train(optimizer, make_scheduler(optimizer))            that the optimizer was made with
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, Program, dotted
from torch2jax.values import Kind


def changes_owner(program: Program, values: Values, keys: frozenset[str]) -> bool:
    """Whether an object may be given a scheduler of some optimizers that was made for the optimizer of another object."""
    for statement in program.index.every(cst.Assign):
        for target, value in (pair for item in statement.targets for pair in _pairs(item.target, statement.value)):
            found = values(value)
            if not isinstance(target, cst.Attribute) or found.kind is not Kind.SCHEDULER or not found.types & keys:
                continue
            if not _is_beside(target, value, program, values):
                return True
    return False


def _is_beside(target: cst.Attribute, value: cst.BaseExpression, program: Program, values: Values) -> bool:
    """Whether a scheduler comes to an object where its optimizer is, or comes with it."""
    function, base = program.function_around(target), dotted(target.value)
    is_maker = isinstance(value, cst.Call) and values.torch_name(value.func) is not None
    given = value.args[0].value if is_maker and isinstance(value, cst.Call) and value.args else None
    if isinstance(value, cst.Call):
        return not isinstance(given, cst.Attribute) or dotted(given.value) == base
    if function is not None and function.name == "__init__" and base == function.self_name:
        return True
    stores = [pair for node in program.index.every(cst.Assign) for pair in _stores(node)]
    return any(
        isinstance(place, cst.Attribute)
        and dotted(place.value) == base
        and values(given).kind is Kind.OPTIMIZER
        and program.function_around(place) is function
        for place, given in stores
    )


def _stores(statement: cst.Assign) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    for item in statement.targets:
        yield from _pairs(item.target, statement.value)


def _pairs(target: cst.CSTNode, value: cst.BaseExpression) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """`a, b = x, y` binds `a` to `x` and `b` to `y`; what is unpacked from one value comes together."""
    if not isinstance(target, cst.Tuple):
        yield target, value
    elif isinstance(value, cst.Tuple) and len(value.elements) == len(target.elements):
        for left, right in zip(target.elements, value.elements, strict=True):
            yield from _pairs(left.value, right.value)


def may_be_made_again(program: Program, values: Values, call: cst.Call) -> bool:
    """Whether a call that makes a scheduler may make more than one for some optimizer."""
    found: list[cst.CSTNode] = []
    waiting: list[tuple[cst.CSTNode, cst.BaseExpression]] = [(call, call.args[0].value)]
    while waiting:
        node, optimizer = waiting.pop()
        if len(found) + len(waiting) > _MOST:
            return True
        made = _made_at(program, values, node, optimizer)
        if made is None:
            return True
        for place in made:
            if isinstance(place, cst.Arg):
                waiting.append((program.home(place).index.parents[place], place.value))
            else:
                found.append(place)
    return len(set(found)) < len(found)


_MOST = 100  # calls that are followed


def _made_at(
    program: Program, values: Values, node: cst.CSTNode, optimizer: cst.BaseExpression
) -> list[cst.CSTNode] | None:
    """The places that bind an optimizer which a call is given, one for each optimizer, or the arguments of the calls of the
    function whose parameter it is; None where one of them may stand for the optimizer of another.
    """
    home = program.home(node)
    function = home.function_around(node)
    if isinstance(optimizer, cst.Attribute):
        is_new = function is not None and function.name == "__init__" and dotted(optimizer.value) == function.self_name
        return [node] if is_new else None
    if not isinstance(optimizer, cst.Name):
        return None
    found: list[cst.CSTNode] = []
    for item in home.definitions.of(optimizer):
        if item.how is How.PARAMETER and function is not None:
            given = _arguments(program, values, function, optimizer.value)
            if given is None:
                return None
            found += given
        elif item.how in (How.ASSIGNED, How.PART) and isinstance(item.value, cst.Call):
            if _is_in_other_loop(home, node, {*home.index.ancestors(item.node)}):
                return None
            found.append(item.node)
        else:
            return None
    return found


def _arguments(program: Program, values: Values, function: Function, name: str) -> list[cst.CSTNode] | None:
    """What the calls of a function, also those of other files, give to a parameter; None where one of them is not seen."""
    found: list[cst.CSTNode] = []
    for call in values.calls_of(function):
        home = program.home(call)
        nodes = [node for key, node in arguments_by_parameter(function, call, values) if key == name]
        places = [item for item in call.args if any(item.value is node for node in nodes)]
        if len(places) != 1 or call not in home.index.parents or home.function_around(call) is function:
            return None
        found += places
    return found


def _is_in_other_loop(program: Program, node: cst.CSTNode, around: set[cst.CSTNode]) -> bool:
    for ancestor in program.index.ancestors(node):
        if isinstance(ancestor, (cst.FunctionDef, cst.Lambda)):
            return False
        if isinstance(ancestor, (cst.For, cst.While, cst.CompFor, cst.BaseComp)) and ancestor not in around:
            return True
    return False


__all__ = ["changes_owner", "may_be_made_again"]
