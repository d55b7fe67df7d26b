"""Which calls attach hooks to modules, and what the files of a program have noted of the places of these modules."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.ops.modules import MODULE_HOOKS
from torch2jax.program.program import Program, dotted
from torch2jax.syntax.walk import descendants

Hook = cst.FunctionDef | cst.Lambda

HOOKED = "hooked"
"""Marks: this word, the key of a function (none at module level), and a place in it that holds a module that takes hooks."""


def hook_calls(program: Program) -> Iterator[cst.Call]:
    """The calls of a file that attach a hook to a module."""
    for call in program.index.calls:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in MODULE_HOOKS:
            yield call


def takes_hooks(program: Program) -> bool:
    """Whether modules of a program have hooks, as far as its translation allows it."""
    return any(mark[0] == HOOKED for mark in all_marks(program))


def hook_functions(program: Program, node: cst.BaseExpression) -> list[Hook]:
    """The functions that may be the hook that an expression gives; none where they are not in sight."""
    match node:
        case cst.Lambda():
            return [node]
        case cst.Call(func=func, args=args):
            if dotted(func) in ("partial", "functools.partial") and args:
                return hook_functions(program, args[0].value)
            inner = [item for outer in hook_functions(program, func) for item in descendants(outer.body)]
            return [item for item in inner if isinstance(item, Hook)]
        case cst.Name():
            bound = [item.node for item in program.definitions.of(node)]
            return [item for item in bound if isinstance(item, cst.FunctionDef)]
        case cst.Attribute(value=cst.Name() as base, attr=attr):
            function = program.function_around(node)
            if function is not None and function.owner is not None and function.self_name == base.value:
                method = function.owner.method(attr.value)
                return [method.node] if method is not None and not function.owner.is_module else []
    return []


def modules_given(program: Program) -> Iterator[cst.Name]:
    """The names in the hooks of a file that stand for the module which the hook is given."""
    for call in hook_calls(program):
        for hook in hook_functions(program, call.args[0].value) if call.args else ():
            function = program.functions.get(hook) if isinstance(hook, cst.FunctionDef) else None
            names = [item.name.value for item in hook.params.params]
            first = names[1:2] if function is not None and function.is_method else names[:1]
            yield from (node for node in descendants(hook.body) if isinstance(node, cst.Name) and node.value in first)
