"""Lambdas that are called at most once, while the call runs that they are given to.

def default(value, make):                      noise = default(noise, lambda: torch.randn_like(x))
    return value if value is not None else make()

What such a lambda draws can be drawn with a key of the function around it.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.ops.python import FUNCTION_TESTS
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import descendants

_REPEATING = (cst.For, cst.While, cst.CompFor, cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)
_DEFERRING = (cst.Lambda, cst.FunctionDef)


def is_default_factory(values: Values, node: cst.Lambda) -> bool:
    """Whether a lambda is an argument of functions of the program that call it at most once, and keep it nowhere."""
    parents = values.program.index.parents
    argument = parents.get(node)
    call = parents.get(argument) if isinstance(argument, cst.Arg) and not argument.star else None
    if not isinstance(call, cst.Call):
        return False
    callees = values.callees.get(call, ())
    return bool(callees) and all(_calls_once(values, item, call, node) for item in callees)


def _calls_once(values: Values, function: Function, call: cst.Call, given: cst.Lambda) -> bool:
    names = [name for name, argument in arguments_by_parameter(function, call, values) if argument is given]
    if len(names) != 1 or names[0] not in function.parameter_names:
        return False
    parents = _parents(function.node)
    uses = [
        node
        for node in descendants(function.node.body)
        if isinstance(node, cst.Name) and node.value == names[0] and not _is_label(parents[node], node)
    ]
    called = [node for node in uses if _is_called(parents[node], node)]
    return len(called) <= 1 and all(_runs_once(parents, node, function.node) for node in called) and all(
        _is_tested(parents, node) for node in uses if node not in called
    )  # fmt: skip


def _parents(function: cst.FunctionDef) -> dict[cst.CSTNode, cst.CSTNode]:
    return {child: node for node in descendants(function) for child in node.children}


def _is_label(parent: cst.CSTNode, node: cst.Name) -> bool:
    """Whether a name is the name of an attribute or a keyword."""
    return (isinstance(parent, cst.Attribute) and parent.attr is node) or (
        isinstance(parent, cst.Arg) and parent.keyword is node
    )


def _is_called(parent: cst.CSTNode, node: cst.Name) -> bool:
    return isinstance(parent, cst.Call) and parent.func is node


def _runs_once(parents: dict[cst.CSTNode, cst.CSTNode], node: cst.CSTNode, function: cst.FunctionDef) -> bool:
    while (node := parents[node]) is not function:
        if isinstance(node, (*_REPEATING, *_DEFERRING)):
            return False
    return True


def _is_tested(parents: dict[cst.CSTNode, cst.CSTNode], node: cst.Name) -> bool:
    """Whether a function is only asked what it is, or is given on where it is no function: `make() if callable(make) else make`."""
    parent = parents[node]
    if isinstance(parent, cst.Arg):
        call = parents[parent]
        return isinstance(call, cst.Call) and dotted(call.func) in (*FUNCTION_TESTS, "isinstance")
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
        return True
    if isinstance(parent, cst.IfExp) and parent.orelse is node:
        test = parent.test
        return isinstance(test, cst.Call) and dotted(test.func) in FUNCTION_TESTS and bool(test.args) and (
            dotted(test.args[0].value) == node.value
        )  # fmt: skip
    return False
