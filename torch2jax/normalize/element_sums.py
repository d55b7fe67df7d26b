"""Sums that start with the first of the tensors they are given, and grow it in place: nobody else looks at these.

def mean(values):                          def mean(values):
    values = iter(values)                      values = iter(values)
    acc = next(values)                         acc = next(values)
    for n, v in enumerate(values, 2):          for n, v in enumerate(values, 2):
        acc += v                      ->           acc += v        # settled
    return acc / n                             return acc / n

mean(loss(x) for x in xs)    or    mean(losses)    # a list of new tensors, which is not read again

All calls are in sight. Each gives tensors that it has just made, in a container that is gone behind it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.escape import keeps_result
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import is_assigned
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_PASSING = {"iter", "filter", "filterfalse"}  # what gives the same tensors one after the other
_Asked = tuple[Function, ...]  # the one whose calls are all looked at, and those that are looked into on the way


def normalize_element_sums(work: NormalizationRound) -> None:
    """Settle the lines of a file that add to such sums."""
    for function in work.program.functions.values():
        lines = list(_sums(work, function))
        if lines and _is_given_new(work, function):
            work.settled.update(lines)


def _sums(work: NormalizationRound, function: Function) -> Iterator[cst.SimpleStatementLine]:
    """The lines `acc += v` of a function whose `acc` starts with the first element of its first parameter."""
    if function.owner is not None or function.outer is not None or not function.parameters:
        return
    given = function.parameters[0].name
    for node in own_nodes(function.node):
        match node:
            case cst.SimpleStatementLine(
                body=[cst.AugAssign(target=cst.Name() as total, operator=cst.AddAssign(), value=cst.Name() as element)]
            ):
                if _starts_with_first(work, total, given.value) and _is_element(work, element, given.value):
                    if all(_is_only_asked(work, use) for use in _uses(work, function, total.value)):
                        uses = _uses(work, function, given.value)
                        if all(_is_only_passed(work, use, given.value) for use in uses):
                            yield node


def _uses(work: NormalizationRound, function: Function, name: str) -> list[cst.Name]:
    """Where a function reads one of its variables."""
    names = (node for node in descendants(function.node.body, cst.Name) if node.value == name)
    return [node for node in names if not work.index.is_label(node) and not is_assigned(work.index, node)]


def _starts_with_first(work: NormalizationRound, total: cst.Name, given: str) -> bool:
    """`acc = next(values)`, and no other binding but the lines that add to it."""
    every = work.program.definitions.every_of_name(total)
    whole = [item.value for item in every if item.how is not How.AUGMENTED]
    match whole:
        case [cst.Call(func=cst.Name("next"), args=[cst.Arg(value=cst.Name(value=name))])]:
            return name == given
    return False


def _is_element(work: NormalizationRound, element: cst.Name, given: str) -> bool:
    """Whether a variable goes, in a loop and nowhere else, through what is left behind the first."""
    definition = work.program.definitions.bound_once(element)
    loops = [item for item in work.index.ancestors(element) if isinstance(item, cst.For)]
    loop = next((item for item in loops if element.value in {name.value for name in _names(item.target)}), None)
    if definition is None or loop is None:
        return False
    match loop.iter, loop.target:
        case cst.Name(value=name), cst.Name():
            return name == given
        case (
            cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=cst.Name(value=name)), *_]),
            cst.Tuple(elements=[_, cst.Element(value=cst.Name(value=last))]),
        ):
            return name == given and last == element.value
    return False


def _names(target: cst.CSTNode) -> list[cst.Name]:
    return [node for node in (target, *descendants(target)) if isinstance(node, cst.Name)]


def _is_only_asked(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a read of the sum computes with it, or returns it."""
    return isinstance(work.index.parents[use], (cst.Return, cst.BinaryOperation, cst.Comparison))


def _is_only_passed(work: NormalizationRound, use: cst.Name, given: str) -> bool:
    """Whether a read of the parameter takes its elements, each once: `values = iter(values)`, `next(values)`, a loop."""
    parent = work.index.parents[use]
    if isinstance(parent, cst.For):
        return parent.iter is use
    call = work.index.parents[parent] if isinstance(parent, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return False
    around, called = work.index.parents[call], (dotted(call.func) or "").rpartition(".")[2]
    if called in {"next", "enumerate"}:
        return isinstance(around, (cst.Assign, cst.For))
    is_rebound = isinstance(around, cst.Assign) and [dotted(item.target) for item in around.targets] == [given]
    return is_rebound and (called in _PASSING or called.endswith("filterfalse"))


# what callers give


def _is_given_new(work: NormalizationRound, function: Function) -> bool:
    """Whether all callers of a function give it tensors that they have made for it."""
    calls = list(function.callers)
    names = (node for node in work.index.names if node.value == function.name and node is not function.node.name)
    named = [node for node in names if not work.index.is_label(node)]
    called = {call.func for call in calls if isinstance(call, cst.Call)}
    if not calls or function.seen_elsewhere or any(node not in called for node in named):
        return False
    return all(
        isinstance(call, cst.Call) and call in work.index.parents and _gives_new(work, function, call, (function,))
        for call in calls
    )


def _gives_new(work: NormalizationRound, function: Function, call: cst.Call, asked: _Asked) -> bool:
    given = dict(arguments_by_parameter(function, call, work.values)).get(function.parameters[0].name.value)
    match given:
        case cst.GeneratorExp() | cst.ListComp():
            return _is_new(work, given.elt, asked)
        case cst.List():
            return all(_is_new(work, item.value, asked) for item in given.elements)
        case cst.Name():
            return _is_list_of_new(work, given, call, asked)
    return False


def _is_list_of_new(work: NormalizationRound, given: cst.Name, call: cst.Call, asked: _Asked) -> bool:
    """Whether a variable is a list that its function fills with new tensors, and reads nowhere but in a call."""
    caller, definition = work.program.function_around(call), work.program.definitions.bound_once(given)
    line = work.index.statement_of(call)
    if caller is None or definition is None or work.flows is None:
        return False
    made = definition.value
    is_made = isinstance(made, cst.List) and not made.elements
    if not is_made and not (isinstance(made, cst.ListComp) and _is_new(work, made.elt, asked)):
        return False
    for use in work.program.definitions.uses(definition):
        if use is not given and not _is_filled(work, use, asked):
            return False
    return given.value not in work.flows.liveness(caller).after_statement(line)


def _is_filled(work: NormalizationRound, use: cst.Name, asked: _Asked) -> bool:
    """`losses.append(new)` as a statement, or `len(losses)`."""
    parent = work.index.parents[use]
    call = work.index.parents[parent]
    if isinstance(parent, cst.Arg) and isinstance(call, cst.Call):
        return dotted(call.func) == "len"
    if not isinstance(parent, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not parent:
        return False
    is_alone = isinstance(work.index.parents[call], cst.Expr) and len(call.args) == 1
    return parent.attr.value == "append" and is_alone and _is_new(work, call.args[0].value, asked)


def _is_new(work: NormalizationRound, node: cst.BaseExpression, asked: _Asked) -> bool:
    """Whether an expression gives a tensor, or a number, that nobody else has."""
    if isinstance(node, (cst.Integer, cst.Float, cst.BinaryOperation)):
        return True
    if not isinstance(node, cst.Call):
        return False
    callees = work.values.callees.get(node, ())
    if any(keeps_result(work, item) for item in callees):
        return False
    if work.values(node).kind is Kind.TENSOR and work.values.makes_its_own(node):
        return True
    return bool(callees) and all(_gives_back_new(work, item, node, asked) for item in callees)


def _gives_back_new(work: NormalizationRound, function: Function, call: cst.Call, asked: _Asked) -> bool:
    """Whether what a function returns is new: for one that adds up, if what it adds up is."""
    if function in asked:
        return function is asked[0]
    if any(_sums(work, function)):
        return _gives_new(work, function, call, (*asked, function))
    returned = [node.value for node in own_nodes(function.node) if isinstance(node, cst.Return)]
    return bool(returned) and all(value is not None and _is_new(work, value, (*asked, function)) for value in returned)


__all__ = ["normalize_element_sums"]
