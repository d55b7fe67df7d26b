"""Functions that only move what they are given to a device, and are given modules, are methods of these.

def cuda(x, uses_cuda):
    return x.cuda() if uses_cuda else x

self.net = cuda(Net(4), self.use_cuda)    ->    self.net = Net(4).cuda()
batch = cuda(batch, self.use_cuda)        ->    batch = batch.cuda()

def to_device(data, device):
    if isinstance(data, (list, tuple)):
        return [to_device(x, device) for x in data]
    return data.to(device, non_blocking=True)

model = to_device(Net(4), device)         ->    model = Net(4).to(device)

Such a function is given tensors as well, and nobody could say what its parameter is. Where things lie is a matter of what moves
them to the device of a graphics card, which arrays are on wherever there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import elements_of
from torch2jax.values import Kind

_WRAPPERS = frozenset({"Variable", "autograd.Variable", "torch.autograd.Variable"})
_ASKING = frozenset({"cuda.is_available", "torch.cuda.is_available"})
_CONTAINERS = frozenset({"dict", "list", "set", "tuple"})
_LEFT = (
    ""  # of ways: a thing stays where it is; the others bring it to a device, that of a parameter or a graphics card
)
_CUDA = "cuda"


@dataclass(frozen=True, slots=True)
class _Mover:
    """A function that moves what it is given for the parameter `thing`, to the device that it is given for `device`, if that is
    one; `for_parts`: containers it takes apart.
    """

    thing: str
    device: str | None
    for_parts: bool


def normalize_placing_functions(work: NormalizationRound) -> None:
    """Write out the calls of all such functions that are given modules, or both modules and others."""
    movers: dict[Function, _Mover | None] = {}
    for call in work.index.calls:
        callees = work.values.callees.get(call, ())
        if len(callees) != 1 or isinstance(work.index.parents[call], cst.Expr):
            continue
        function = callees[0]
        if function not in movers:
            movers[function] = _mover(function)
        if (mover := movers[function]) is not None:
            _write_out(work, call, function, mover)


def _write_out(work: NormalizationRound, call: cst.Call, function: Function, mover: _Mover) -> None:
    given = dict(arguments_by_parameter(function, call, work.values))
    if any(item.star for item in call.args) or len(given) != len(call.args) or mover.thing not in given:
        return
    thing, known = given.pop(mover.thing), function.env.get(mover.thing)
    if not all(map(_is_plain, given.values())) or (mover.device is not None and mover.device not in given):
        return
    is_open = known is not None and known.kind is Kind.UNKNOWN and not mover.for_parts and mover.device is None
    if work.values(thing).kind is not Kind.MODULE and not is_open:
        return
    if mover.device is None:
        work.edits.replace(call, lambda rewrite: quote("{x}.cuda()", x=rewrite.expression(thing)))
    else:
        device = given[mover.device]
        work.edits.replace(
            call, lambda rewrite: quote("{x}.to({d})", x=rewrite.expression(thing), d=rewrite.expression(device))
        )


def _is_plain(node: cst.BaseExpression) -> bool:
    return dotted(node) is not None or isinstance(node, (cst.BaseNumber, cst.SimpleString))


def _mover(function: Function) -> _Mover | None:
    """What a function moves that gives back one of its parameters in all cases, and in some of them moved."""
    if function.owner is not None or function.outer is not None or function.decorators:
        return None
    lines = [line for line in function.node.body.body if not is_docstring(line)]
    own, for_parts = _without_parts(lines)
    if not _ends(own):
        return None
    for param in function.node.params.params:
        ways = _ways(own, param.name.value)
        if not ways or not any(ways):
            continue
        devices = set(ways)
        if devices <= {_LEFT, _CUDA}:
            return _Mover(param.name.value, None, for_parts)
        if len(devices) == 1 and devices <= set(function.parameter_names) - {param.name.value}:
            return _Mover(param.name.value, devices.pop(), for_parts)
    return None


def _without_parts(lines: Sequence[cst.CSTNode]) -> tuple[Sequence[cst.CSTNode], bool]:
    """The lines behind `if isinstance(data, (list, tuple)): return [...]`, and whether there is such a line."""
    match lines:
        case [cst.If(test=test, body=cst.IndentedBlock(body=inner), orelse=None), *others] if _asks_for_parts(test):
            if isinstance(inner[-1], cst.SimpleStatementLine) and isinstance(inner[-1].body[-1], cst.Return):
                return _without_parts(others)[0], True
    return lines, False


def _asks_for_parts(test: cst.BaseExpression) -> bool:
    match test:
        case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=cst.Name()), cst.Arg(value=kinds)]):
            return all(dotted(item) in _CONTAINERS for item in elements_of(kinds))
    return False


def _ends(lines: Sequence[cst.CSTNode]) -> bool:
    """Whether something is given back at the end of all ways through some lines."""
    match lines[-1] if lines else None:
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression())]):
            return True
        case cst.If(body=cst.IndentedBlock(body=inner), orelse=cst.Else(body=cst.IndentedBlock(body=others))):
            return _ends(inner) and _ends(others)
    return False


def _ways(lines: Sequence[cst.CSTNode], name: str) -> list[str] | None:
    """Of each way through some lines how it moves a variable, which is all that they do; None if it is not."""
    found: list[str] = []
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


def _ways_of(node: cst.BaseExpression, name: str) -> list[str] | None:
    match node:
        case cst.Name(value) if value == name:
            return [_LEFT]
        case cst.IfExp(test=test, body=body, orelse=orelse) if _is_question(test, name):
            first, second = _ways_of(body, name), _ways_of(orelse, name)
            return None if first is None or second is None else first + second
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name("cuda")), args=args) if len(args) < 2:
            ways = _ways_of(value, name)
            return None if ways is None else [_CUDA for _ in ways]
        case cst.Call(
            func=cst.Attribute(value=cst.Name(value), attr=cst.Name("to")),
            args=[cst.Arg(value=cst.Name(device), keyword=None), *others],
        ) if value == name and all(
            item.keyword is not None and item.keyword.value == "non_blocking" for item in others
        ):
            return [device]
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
