"""Questions whether a variable is None, asked by a test or by a function that answers one.

value if exists(value) else other        with `def exists(x): return x is not None`
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from torch2jax.program.program import Function

Callees = Mapping[cst.Call, tuple[Function, ...]]


def gives_present(callees: Callees, function: Function, name: str) -> bool:
    """Whether a function gives back what it is given for a parameter, unless that is None."""
    body = function.node.body
    first = body.body[0] if isinstance(body, cst.IndentedBlock) else None
    match first:
        case cst.If(test=test, body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Return(value=given)])])):
            return isinstance(given, cst.Name) and given.value == name and asks_presence(callees, test, name) is True
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.IfExp(test=test, body=cst.Name(value=given)))]):
            return given == name and asks_presence(callees, test, name) is True
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.IfExp(test=test, orelse=cst.Name(value=given)))]):
            return given == name and asks_presence(callees, test, name) is False
    return False


def asks_presence(callees: Callees, test: cst.BaseExpression, name: str) -> bool | None:
    """What a test says of a variable where it holds: that it is there (True), that it is None (False), or something else."""
    match test:
        case cst.Comparison(
            left=cst.Name(value=asked), comparisons=[cst.ComparisonTarget(operator, cst.Name(value="None"))]
        ) if asked == name and isinstance(operator, (cst.Is, cst.IsNot)):
            return isinstance(operator, cst.IsNot)
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            found = asks_presence(callees, inner, name)
            return None if found is None else not found
        case cst.Call(args=[cst.Arg(value=cst.Name(value=asked), keyword=None, star="")]) if asked == name:
            answers = {_tells(callees, callee) for callee in callees.get(test, ())}
            return answers.pop() if len(answers) == 1 else None
    return None


def _tells(callees: Callees, function: Function) -> bool | None:
    """What `exists` of `def exists(x): return x is not None` says."""
    match function.node.body:
        case cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as test)])]):
            return asks_presence(callees, test, function.parameter_names[0]) if function.parameter_names else None
    return None


__all__ = ["asks_presence", "gives_present"]
