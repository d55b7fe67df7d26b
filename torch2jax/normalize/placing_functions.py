"""Functions that only move what they are given to a device, and are given modules, are methods of these.

def cuda(x, uses_cuda):
    return x.cuda() if uses_cuda else x

self.net = cuda(Net(4), self.use_cuda)    ->    self.net = Net(4).cuda()
batch = cuda(batch, self.use_cuda)        ->    batch = batch.cuda()

Such a function is given tensors as well, and nobody could say what its parameter is. Where things lie is a matter of what moves
them to the device of a graphics card, which arrays are on wherever there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind

_WRAPPERS = frozenset({"Variable", "autograd.Variable", "torch.autograd.Variable"})
_ASKING = frozenset({"cuda.is_available", "torch.cuda.is_available"})


def normalize_placing_functions(work: NormalizationRound) -> None:
    """Write out the calls of all such functions that are given modules, or both modules and others."""
    moved: dict[Function, str | None] = {}
    for call in work.index.calls:
        callees = work.values.callees.get(call, ())
        if len(callees) != 1 or isinstance(work.index.parents[call], cst.Expr):
            continue
        function = callees[0]
        if function not in moved:
            moved[function] = _parameter_moved(function)
        if (name := moved[function]) is not None:
            _write_out(work, call, function, name)


def _write_out(work: NormalizationRound, call: cst.Call, function: Function, name: str) -> None:
    if any(item.star for item in call.args):
        return
    given = dict(arguments_by_parameter(function, call, work.values))
    thing = given.pop(name, None)
    known = function.env.get(name)
    if thing is None or len(given) + 1 != len(call.args) or not all(map(_is_plain, given.values())):
        return
    if work.values(thing).kind is Kind.MODULE or (known is not None and known.kind is Kind.UNKNOWN):
        work.edits.replace(call, lambda rewrite: quote("{x}.cuda()", x=rewrite.expression(thing)))


def _is_plain(node: cst.BaseExpression) -> bool:
    return dotted(node) is not None or isinstance(node, (cst.BaseNumber, cst.SimpleString))


def _parameter_moved(function: Function) -> str | None:
    """The parameter that a function gives back in all cases, and in some of them on the device of a graphics card."""
    if function.owner is not None or function.outer is not None or function.decorators:
        return None
    lines = [line for line in function.node.body.body if not is_docstring(line)]
    if not _ends(lines):
        return None
    for param in function.node.params.params:
        name = param.name.value
        ways = _ways(lines, name)
        if ways is not None and any(ways):
            return name
    return None


def _ends(lines: Sequence[cst.CSTNode]) -> bool:
    """Whether something is given back at the end of all ways through some lines."""
    match lines[-1] if lines else None:
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression())]):
            return True
        case cst.If(body=cst.IndentedBlock(body=inner), orelse=cst.Else(body=cst.IndentedBlock(body=others))):
            return _ends(inner) and _ends(others)
    return False


def _ways(lines: Sequence[cst.CSTNode], name: str) -> list[bool] | None:
    """Of each way through some lines whether it moves a variable, which is all that they do; None if it is not."""
    found: list[bool] = []
    for number, line in enumerate(lines):
        match line:
            case cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as value)]):
                ways = _ways_of(value, name)
                return None if ways is None or number + 1 < len(lines) else found + ways
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(target))], value=value)]
            ):
                ways = _ways_of(value, name)
                if ways is None or target != name:
                    return None
                found += ways
            case cst.If(test=test, body=cst.IndentedBlock(body=inner), orelse=orelse) if _is_question(test, name):
                branches = [_ways(inner, name)]
                if isinstance(orelse, cst.Else) and isinstance(orelse.body, cst.IndentedBlock):
                    branches.append(_ways(orelse.body.body, name))
                elif orelse is not None:
                    return None
                for ways in branches:
                    if ways is None:
                        return None
                    found += ways
            case _:
                return None
    return found


def _ways_of(node: cst.BaseExpression, name: str) -> list[bool] | None:
    match node:
        case cst.Name(value) if value == name:
            return [False]
        case cst.IfExp(test=test, body=body, orelse=orelse) if _is_question(test, name):
            first, second = _ways_of(body, name), _ways_of(orelse, name)
            return None if first is None or second is None else first + second
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name("cuda")), args=args) if len(args) < 2:
            ways = _ways_of(value, name)
            return None if ways is None else [True for _ in ways]
        case cst.Call(args=[cst.Arg(value=value, keyword=None, star="")]) if dotted(node.func) in _WRAPPERS:
            return _ways_of(value, name)
    return None


def _is_question(test: cst.BaseExpression, name: str) -> bool:
    """Whether a test asks for a setting, or whether there is a graphics card."""
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            return _is_question(inner, name)
        case cst.BooleanOperation(left=left, right=right):
            return _is_question(left, name) and _is_question(right, name)
        case cst.Call(args=[]):
            return dotted(test.func) in _ASKING
    place = dotted(test)
    return place is not None and place.partition(".")[0] != name


__all__ = ["normalize_placing_functions"]
