"""Parameters that are given a value where the caller has passed None: they are what was passed, or nobody has passed any.

if out is None: out = torch.zeros_like(x)
out = torch.zeros_like(x) if out is None else out
out = default(out, lambda: torch.zeros_like(x))     with `def default(value, other): return value if exists(value) else other()`
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
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
    if isinstance(branch, cst.If) and branch.body is block and _asks(values, branch.test, name) is False:
        return True
    match value:
        case cst.IfExp(test=test, body=cst.Name(value=one)) if one == name:
            return _asks(values, test, name) is True
        case cst.IfExp(test=test, orelse=cst.Name(value=one)) if one == name:
            return _asks(values, test, name) is False
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
    return len(given) == 1 and _gives_present(values, callee, given[0])


def _gives_present(values: Values, function: Function, name: str) -> bool:
    body = function.node.body
    first = body.body[0] if isinstance(body, cst.IndentedBlock) else None
    match first:
        case cst.If(test=test, body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Return(value=given)])])):
            return isinstance(given, cst.Name) and given.value == name and _asks(values, test, name) is True
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.IfExp(test=test, body=cst.Name(value=given)))]):
            return given == name and _asks(values, test, name) is True
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.IfExp(test=test, orelse=cst.Name(value=given)))]):
            return given == name and _asks(values, test, name) is False
    return False


def _asks(values: Values, test: cst.BaseExpression, name: str) -> bool | None:
    """What a test says of a variable where it holds: that it is there (True), that it is None (False), or something else."""
    match test:
        case cst.Comparison(
            left=cst.Name(value=asked), comparisons=[cst.ComparisonTarget(operator, cst.Name(value="None"))]
        ) if asked == name and isinstance(operator, (cst.Is, cst.IsNot)):
            return isinstance(operator, cst.IsNot)
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            found = _asks(values, inner, name)
            return None if found is None else not found
        case cst.Call(args=[cst.Arg(value=cst.Name(value=asked), keyword=None, star="")]) if asked == name:
            callees = values.callees.get(test, ())
            answers = {_tells(values, callee) for callee in callees}
            return answers.pop() if len(answers) == 1 else None
    return None


def _tells(values: Values, function: Function) -> bool | None:
    """What `exists` of `def exists(x): return x is not None` says."""
    match function.node.body:
        case cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as test)])]):
            return _asks(values, test, function.parameter_names[0]) if function.parameter_names else None
    return None


__all__ = ["fills_absent"]
