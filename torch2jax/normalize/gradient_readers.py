"""Functions that are given parameters and look at their gradients only, normalized to functions of these gradients.

def norm_of(parameters):                                     def norm_of(parameters):
    parameters = [p for p in parameters                          parameters = [p for p in parameters
                  if p.grad is not None]               ->                      if p is not None]
    return torch.stack([p.grad.norm() for p in               return torch.stack([p.norm() for p in
                        parameters]).norm()                                       parameters]).norm()

norm = norm_of(model.parameters())                           norm = norm_of([p.grad for p in model.parameters()])

Gradients are values of the function that takes the step: nobody else finds them at the parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.facts.gradient_reads import left_to_callers, stays_as_it_is
from torch2jax.facts.infer import all_marks
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import uses_of
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

OF_GRADIENTS = "of gradients"  # marks (function, parameter): it is given the gradients of parameters in their place


def normalize_gradient_readers(work: NormalizationRound) -> None:
    """Normalize all such functions whose calls are in sight."""
    known = {mark[1]: mark[2] for mark in all_marks(work.program) if mark[0] == OF_GRADIENTS}
    for key in known:
        function = work.program.by_key.get(key)
        if function is not None and function.node not in work.program.functions:
            _give_gradients(work, function)
    if not work.program.mentions("grad"):
        return
    left = left_to_callers(work.program)
    for function in work.program.functions.values():
        if function.key not in known and function.outer is None and function not in left:
            _normalize(work, function)


def _normalize(work: NormalizationRound, function: Function) -> None:
    reads = gradients_read(work, function)
    if reads:
        for read in reads:
            parent = work.index.parents[read]
            is_data = isinstance(parent, cst.Attribute) and parent.value is read and parent.attr.value == "data"
            work.edits.replace(parent if is_data else read, partial(_without_grad, read))
        _give_gradients(work, function)
        work.marks.add((OF_GRADIENTS, function.key, function.parameter_names[0]))


def gradients_read(work: NormalizationRound, function: Function) -> list[cst.Attribute]:
    """Where a function reads the gradients of the parameters that it is given first, if it does nothing else with them, and can
    be given the gradients in all places of the file.
    """
    name = function.parameter_names[0] if function.parameter_names and function.owner is None else None
    if name is None or not any(node.attr.value == "grad" for node in _attributes(function)):
        return []
    if function.node not in work.program.functions:
        return []  # that is for its own file to say
    reads, uses = _reads(work, function, name), list(uses_of(work, function))
    if not all(stays_as_it_is(read, work.program) for read in reads or ()):
        return []
    is_open = not uses and not work.program.is_imported
    if is_open or any(_parameters_given(work, node) is None for node in uses):
        return []
    return reads or []


def _attributes(function: Function) -> Iterator[cst.Attribute]:
    return (node for node in descendants(function.node.body) if isinstance(node, cst.Attribute))


def _reads(work: NormalizationRound, function: Function, name: str) -> list[cst.Attribute] | None:
    """All that a function does with the parameters it is given, if that is to read their gradients; else None."""
    lists = _lists(function, name)
    loops = [node for node in descendants(function.node.body) if isinstance(node, (cst.For, cst.CompFor))]
    over = [loop for loop in loops if dotted(loop.iter) in lists]
    items = {item for loop in over for item in bound_names(loop.target)}
    if any(loop not in over and bound_names(loop.target) & items for loop in loops):
        return None
    chosen = [node.value for node in descendants(function.node.body, cst.Assign)]
    items |= {_filtered(value)[0] for value in chosen} - {""}
    found: list[cst.Attribute] = []
    for node in descendants(function.node.body):
        if not isinstance(node, cst.Name) or work.index.is_label(node) or node.value not in {*lists, *items}:
            continue
        parent = work.index.parents[node]
        if node.value in items:
            if isinstance(parent, cst.Attribute) and parent.attr.value == "grad":
                found.append(parent)
            elif not isinstance(parent, (cst.CompFor, cst.For, cst.ListComp, cst.Param)):
                return None
        elif isinstance(parent, cst.Subscript) and parent.value is node:
            around = work.index.parents[parent]
            if not isinstance(around, cst.Attribute) or around.attr.value != "grad":
                return None
            found.append(around)
        elif not _keeps_list(work, node, parent, lists):
            return None
    every = [node for node in _attributes(function) if node.attr.value == "grad"]
    return found if found and len(every) == len(found) else None


def _lists(function: Function, name: str) -> set[str]:
    """The variables with the parameters that a function is given, or with those of them that have a gradient."""
    lists = {name}
    for made in descendants(function.node.body, cst.Assign):
        target = dotted(made.targets[0].target) if len(made.targets) == 1 else None
        if target is not None and _is_list_of(made.value, lists):
            lists.add(target)
    return lists


def _keeps_list(work: NormalizationRound, node: cst.Name, parent: cst.CSTNode, lists: set[str]) -> bool:
    """Whether a use of a list of parameters goes through it, counts it, or binds a variable to a list of the same."""
    match parent:
        case cst.For() | cst.CompFor():
            return parent.iter is node
        case cst.Element():
            return isinstance(work.index.parents[work.index.parents[parent]], cst.Assign)
        case cst.AssignTarget():
            made = work.index.parents[parent]
            return isinstance(made, cst.Assign) and _is_list_of(made.value, lists)
        case cst.Arg():
            call = work.index.parents[parent]
            return isinstance(call, cst.Call) and dotted(call.func) in ("len", "isinstance", "list", "tuple", "filter")
    return False


def _is_list_of(value: cst.BaseExpression, lists: set[str]) -> bool:
    match value:
        case cst.List(elements=[cst.Element(value=cst.Name(held))]):
            return held in lists
        case cst.ListComp(elt=cst.Name(item), for_in=cst.CompFor(target=cst.Name(bound), iter=cst.Name(held))):
            return item == bound and held in lists
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=cst.Name(held))]):
            return held in lists
    return _filtered(value)[1] in lists


def _filtered(value: cst.BaseExpression) -> tuple[str, str]:
    """`p` and `params` of `list(filter(lambda p: p.grad is not None, params))`; nothing of something else."""
    match value:
        case cst.Call(
            func=cst.Name("list" | "tuple"),
            args=[
                cst.Arg(
                    value=cst.Call(
                        func=cst.Name("filter"),
                        args=[
                            cst.Arg(value=cst.Lambda(params=cst.Parameters(params=[cst.Param(name=cst.Name(item))]))),
                            cst.Arg(value=cst.Name(held)),
                        ],
                    )
                )
            ],
        ):
            return item, held
    return "", ""


def _parameters_given(work: NormalizationRound, node: cst.BaseExpression) -> cst.Call | None:
    """The parameters of a module that a call of the function named here is given first."""
    call = work.index.parents[node]
    if not isinstance(call, cst.Call) or call.func is not node or not call.args or call.args[0].keyword is not None:
        return None
    match call.args[0].value:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]) as given:
            return given if work.values(module).kind is Kind.MODULE and dotted(module) is not None else None
    return None


def _give_gradients(work: NormalizationRound, function: Function) -> None:
    """Give all calls of a function in a file gradients, and report those that cannot be given them."""
    for node in uses_of(work, function):
        given = _parameters_given(work, node)
        if given is not None:
            work.edits.replace(given, partial(_gradients, given))
        elif not _is_given_gradients(work, node):
            reason = f"`{function.name}` looks at the gradients of parameters that cannot be seen here"
            work.problems.append(Problem(node, "T2J500", {"reason": reason}))


def _is_given_gradients(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    call = work.index.parents[node]
    match call:
        case cst.Call(func=func, args=[cst.Arg(value=cst.ListComp(elt=cst.Attribute(attr=cst.Name("grad")))), *_]):
            return func is node
    return False


def _gradients(given: cst.Call, rewrite: Rewriter) -> cst.CSTNode:
    return quote("[p.grad for p in {given}]", given=as_expression(rewrite.inside(given)))


def _without_grad(read: cst.Attribute, rewrite: Rewriter) -> cst.CSTNode:
    return rewrite(read.value)


__all__ = ["OF_GRADIENTS", "gradients_read", "normalize_gradient_readers", "uses_of"]
