"""Functions that look at the gradients of a module, normalized to their statements where a function calls them that takes these.

def norm_of(model):                              loss.backward()
    total = 0.0                                  total = 0.0
    for p in model.parameters():          ->     for p in model.parameters():
        total += p.grad.norm() ** 2                  total += p.grad.norm() ** 2
    return total ** 0.5                          norm = total ** 0.5

loss.backward()
norm = norm_of(model)

Gradients are values of the function that takes them, which a function that is handed the module, `model.named_parameters()`, or
its optimizer, does not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

import libcst as cst

from torch2jax.facts.gradient_reads import (
    LEFT_TO_CALLERS,
    OPEN_TO_CALLERS,
    find_gradient_reads,
    left_to_callers,
    stays_as_it_is,
)
from torch2jax.facts.infer import all_marks
from torch2jax.facts.training import CLIPS, is_clip
from torch2jax.normalize.given_constants import write_out_as_given
from torch2jax.normalize.gradient_readers import OF_GRADIENTS, gradients_read
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import passes_back
from torch2jax.normalize.written_out import drop_unused, has_one_ending, is_listed, is_row, uses_of
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind


def normalize_gradient_loops(work: NormalizationRound) -> None:
    """Normalize one call of such functions in each function around."""
    if not work.program.mentions("backward"):
        return
    readers = {item.function for item in find_gradient_reads(work.program, work.values) if item.function is not None}
    given = {item for item in work.program.functions.values() if _given_to_loops(work, item)}
    _write_out(work, readers | given | set(_clipping(work)) | set(_changing(work)))


def normalize_foreign_loops(work: NormalizationRound) -> None:
    """Leave functions of the file to other files, and normalize one call of those of other files in each function around."""
    _leave_to_others(work)
    changed: set[Function | None] = set()
    own = {item.key for item in left_to_callers(work.program)}
    for key in sorted({mark[1] for mark in all_marks(work.program) if mark[0] == LEFT_TO_CALLERS} - own):
        function = work.program.by_key.get(key)
        if function is None or function.node in work.program.functions:
            continue
        for node in uses_of(work, function):
            call, around = work.index.parents[node], work.program.function_around(node)
            is_call = isinstance(call, cst.Call) and call.func is node
            if is_call and around in changed:
                continue
            if isinstance(call, cst.Call) and is_call and not _is_given_open_modules(work, call, function):
                if write_out_as_given(work, call, function):
                    changed.add(around)
                    continue
            _refuse_call(work, node, function)
        is_open = (OPEN_TO_CALLERS, key) in all_marks(work.program)
        for node in work.index.attributes if is_open else ():
            if node.attr.value == function.name and work.values(node.value).kind is Kind.UNKNOWN:
                _refuse_call(work, node, function)  # it may be this method, which goes


def _refuse_call(work: NormalizationRound, node: cst.CSTNode, function: Function) -> None:
    reason = f"`{function.name}` is about gradients, or what is trained, and cannot be written out here"
    work.problems.append(Problem(node, "T2J500", {"reason": reason}))


def _is_given_open_modules(work: NormalizationRound, call: cst.Call, function: Function) -> bool:
    """Whether a function is given something of which nothing is known, and asks that for parameters, or goes through it."""
    given = arguments_by_parameter(function, call, work.values)
    names = {name for name, item in given if work.values(item).kind is Kind.UNKNOWN}
    asked = [node.value for node in descendants(function.node.body, cst.Attribute) if _asks_parameters(node)]
    asked += [node.iter for node in descendants(function.node.body, cst.For)]
    return any(dotted(node) in names for node in asked)


def _asks_parameters(node: cst.Attribute) -> bool:
    return node.attr.value in ("parameters", "named_parameters")


def _changing(work: NormalizationRound) -> Iterator[Function]:
    """Functions that give gradients of what they are given other values."""
    around = {work.program.function_around(node) for node in work.index.attributes if node.attr.value == "grad"}
    for function in (item for item in around if item is not None):
        reads = [node for node in descendants(function.node.body, cst.Attribute) if node.attr.value == "grad"]
        changes = any(not stays_as_it_is(node, work.program) for node in reads)
        if changes and function.owner is None and function.outer is None and _looks_at_given(work, function):
            yield function


def _leave_to_others(work: NormalizationRound) -> None:
    """Mark the functions that nothing but other files uses, and that look at gradients of what they are given."""
    if not work.program.is_imported or not any(map(work.program.mentions, ("grad", *CLIPS))):
        return
    known = {mark[1] for mark in work.program.marks if mark[0] in (LEFT_TO_CALLERS, OF_GRADIENTS)}
    texts = {node.evaluated_value for node in work.index.every(cst.SimpleString)}
    for function in work.program.functions.values():
        if function.owner is not None or function.outer is not None or function.key in known:
            continue
        if (
            gradients_read(work, function)
            or function.name in texts
            or not (is_row(function) or has_one_ending(function))
            or passes_back(work, function)
        ):
            continue
        if _looks_at_given(work, function) and not any(True for _ in uses_of(work, function)):
            work.marks.add((LEFT_TO_CALLERS, function.key))


def _looks_at_given(work: NormalizationRound, function: Function) -> bool:
    """Whether a function goes through parameters of what it is given, and does something with their gradients."""
    given, found = set(function.parameter_names), False
    for node in descendants(function.node.body):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value):
                if not given.isdisjoint(names_in(value)) and any(_lists(item) for item in (value, *descendants(value))):
                    given.add(name)
            case cst.For(target=target, iter=iterated) | cst.CompFor(target=target, iter=iterated):
                if given.isdisjoint(names_in(iterated)):
                    continue
                given |= bound_names(target)
                scope: cst.CSTNode = node if isinstance(node, cst.For) else work.index.parents[node]
                names = bound_names(target)
                reads = [item for item in descendants(scope, cst.Attribute) if item.attr.value == "grad"]
                found = found or any(dotted(item.value) in names for item in reads)
            case cst.Call() if is_clip(node, work.values) and node.args:
                found = found or not given.isdisjoint(names_in(node.args[0].value))
            case cst.ClassDef() | cst.Lambda(body=cst.Call()):
                return False
    return found


def _lists(node: cst.CSTNode) -> bool:
    """`filter(...)`, `list(...)`, a comprehension: what may give some of the parameters that are given."""
    match node:
        case cst.Call(func=cst.Name("filter" | "list" | "tuple")) | cst.ListComp() | cst.GeneratorExp():
            return True
    return isinstance(node, cst.List)


def normalize_group_loops(work: NormalizationRound) -> None:
    """Normalize one call of functions that are given an optimizer, and look at the gradients of what it trains."""
    if work.program.mentions("param_groups") and work.program.mentions("backward"):
        _write_out(work, set(_asking(work)))


def _clipping(work: NormalizationRound) -> Iterator[Function]:
    """Functions that clip the gradients of a module that they are given."""
    for call in work.index.calls:
        match call.args:
            case [
                cst.Arg(value=cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("parameters")))),
                *_,
            ] if is_clip(call, work.values):
                function = work.program.function_around(call)
                if function is not None and name in function.parameter_names:
                    yield function


def _asking(work: NormalizationRound) -> Iterator[Function]:
    """Functions that ask an optimizer that they are given for the gradients of its groups."""
    for node in work.index.attributes:
        if node.attr.value != "param_groups" or not isinstance(node.value, cst.Name):
            continue
        function = work.program.function_around(node)
        if function is None or node.value.value not in function.parameter_names:
            continue
        if work.values(node.value).kind is Kind.OPTIMIZER and _looks_at_gradients(work, function):
            yield function


def _looks_at_gradients(work: NormalizationRound, function: Function) -> bool:
    inside = descendants(function.node.body)
    return any(
        (isinstance(item, cst.Attribute) and item.attr.value == "grad")
        or (isinstance(item, cst.Call) and is_clip(item, work.values))
        for item in inside
    )


def _write_out(work: NormalizationRound, readers: Set[Function]) -> None:
    """Put the statements of functions where those call them that take gradients; one call in each."""
    changed: set[Function | None] = set()
    for function in sorted(readers, key=lambda item: item.key):
        if passes_back(work, function):
            continue
        gone: list[cst.Call] = []
        for call in function.callers:
            if not isinstance(call, cst.Call) or call not in work.index.parents:
                continue
            around = work.program.function_around(call)
            if around not in changed and _takes_gradients(work, around) and write_out_as_given(work, call, function):
                changed.add(around)
                gone.append(call)
        drop_unused(work, function, *gone)


def _given_to_loops(work: NormalizationRound, function: Function) -> bool:
    """Whether loops of a function look at the gradients of what it is given, which all calls name as parameters of modules."""
    loops = [node for node in descendants(function.node.body, cst.For) if dotted(node.iter) in function.parameter_names]
    over = {dotted(node.iter) for node in loops if _reads_gradient(node)}
    calls = [call for call in function.callers if isinstance(call, cst.Call)]
    given = [
        dict(arguments_by_parameter(function, call, work.values)).get(name) for call in calls for name in over if name
    ]
    return bool(given) and all(item is not None and is_listed(item) and _is_of_module(work, item) for item in given)


def _reads_gradient(loop: cst.For) -> bool:
    names = bound_names(loop.target)
    attributes = descendants(loop.body, cst.Attribute)
    return any(node.attr.value == "grad" and dotted(node.value) in names for node in attributes)


def _is_of_module(work: NormalizationRound, given: cst.BaseExpression) -> bool:
    match given:
        case cst.Call(func=cst.Attribute(value=module)):
            return work.values(module).kind is Kind.MODULE
    return False


def _takes_gradients(work: NormalizationRound, around: Function | None) -> bool:
    """Whether there is a `backward()` in a function, or outside of all."""
    passes = (node for node in work.index.attributes if node.attr.value == "backward")
    return any(work.program.function_around(node) is around for node in passes)


__all__ = ["normalize_foreign_loops", "normalize_gradient_loops", "normalize_group_loops"]
