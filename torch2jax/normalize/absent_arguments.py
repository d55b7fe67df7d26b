"""Parameters that are given a value where the caller has passed None: they are what was passed, or nobody has passed any.

if out is None: out = torch.zeros_like(x)
out = torch.zeros_like(x) if out is None else out
out = default(out, lambda: torch.zeros_like(x))     with `def default(value, other): return value if exists(value) else other()`
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.presence import asks_presence, gives_present
from torch2jax.facts.storage import is_new
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function
from torch2jax.syntax.walk import Index


def fills_absent(index: Index, values: Values, node: cst.CSTNode, value: cst.BaseExpression, name: str) -> bool:
    """Whether an assignment of a value to a variable leaves what it holds, unless that is None; what it gets then is new."""
    others = values(value).roots - {f"param:{name}", f"new:param:{name}"}
    if not is_new(others) or not all(index.function_of(maker) is not None for maker in values.makers(others)):
        return False
    block = index.parents.get(index.statement_of(node))
    branch = index.parents.get(block) if block is not None else None
    if (
        isinstance(branch, cst.If)
        and branch.body is block
        and asks_presence(values.callees, branch.test, name) is False
    ):
        return True
    match value:
        case cst.IfExp(test=test, body=cst.Name(value=one)) if one == name:
            return asks_presence(values.callees, test, name) is True
        case cst.IfExp(test=test, orelse=cst.Name(value=one)) if one == name:
            return asks_presence(values.callees, test, name) is False
        case cst.Call():
            callees = values.callees.get(value, ())
            return bool(callees) and all(_passes_on(values, callee, value, name) for callee in callees)
    return False


def _passes_on(values: Values, callee: Function, call: cst.Call, name: str) -> bool:
    """Whether a function gives back the variable that it is given, unless that is None."""
    given = [
        parameter
        for parameter, value in arguments_by_parameter(callee, call, values)
        if isinstance(value, cst.Name) and value.value == name
    ]
    return len(given) == 1 and gives_present(values.callees, callee, given[0])


__all__ = ["fills_absent"]
