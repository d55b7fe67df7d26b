"""Places that list the parts of modules and do more with them than to ask what they are or to fill them: layers without
parameters are among the parts there.

nn.Sequential(*list(net.children())[:-1])      for name, part in net.named_modules(): print(name)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Program, dotted
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_KEEPING = frozenset({"append", "add", "extend", "insert", "write", "info", "debug"})
_LISTINGS = frozenset({"children", "modules", "named_children", "named_modules"})


def lists_parts(program: Program, values: Values) -> bool:
    """Whether a file has such a place."""
    return any(lists_all(program, values, call) for call in program.index.calls)


def lists_all(program: Program, values: Values, call: cst.Call) -> bool:
    """Whether a call lists the parts of a module to be called, counted or shown."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _LISTINGS:
        return False
    if values(call.func.value).kind is not Kind.MODULE:
        return False
    loop = program.index.parents[call]
    if not isinstance(loop, (cst.For, cst.CompFor)) or loop.iter is not call:
        return True
    names = names_in(loop.target)
    body = loop.body if isinstance(loop, cst.For) else program.index.parents[loop]
    calls = [node for node in descendants(body) if isinstance(node, cst.Call)]
    return any(dotted(node.func) in names for node in calls) or not _leaves_out_functions(loop, names)


def _leaves_out_functions(loop: cst.For | cst.CompFor, names: frozenset[str]) -> bool:
    """Whether a loop over parts does nothing for one that has no parameters: it asks each what it is, or fills it."""
    if isinstance(loop, cst.CompFor):
        return any(names & names_in(item.test) for item in loop.ifs)
    lines = loop.body.body
    for line in lines:
        if isinstance(line, cst.If):
            if not names & names_in(line.test):
                return False
        elif not isinstance(line, cst.SimpleStatementLine) or not all(_is_of_part(item, names) for item in line.body):
            return False
    return True


def _is_of_part(statement: cst.BaseSmallStatement, names: frozenset[str]) -> bool:
    """Whether a statement reads or fills the part of a loop, and keeps or shows nothing."""
    match statement:
        case cst.Expr(value=cst.SimpleString()) | cst.Pass():
            return True
        case cst.Expr(value=cst.Call(func=func) as call):
            keeps = dotted(func) == "print" or (isinstance(func, cst.Attribute) and func.attr.value in _KEEPING)
            return bool(names & names_in(call)) and not keeps
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
            return bool(names & (names_in(target) | names_in(value)))
    return False


__all__ = ["lists_all", "lists_parts"]
