"""Models that a program keeps the same on all processes by hand, in the words of those that a wrapper keeps the same.

loss.backward()                                       ->   loss.backward()    (and the model counts as wrapped)
for p in model.parameters():
    dist.all_reduce(p.grad.data)
    p.grad.data /= dist.get_world_size()
average_gradients(model)    (a function that does so)  ->   (gone)
for p in model.parameters():                          ->   (gone: there is one model)
    dist.broadcast(p.data, src=0)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.parallel import UNSYNCED, WRAPPED, starts_processes
from torch2jax.facts.ranks import variable_of_torchrun
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_DIST = "torch.distributed"
_LISTING = frozenset({"parameters", "buffers"})


def normalize_averaged_gradients(work: NormalizationRound) -> None:
    """Normalize loops over parameters that average gradients, or hand out what the first process has."""
    program = work.program
    if not (program.mentions("all_reduce") or program.mentions("broadcast")) or not starts_processes(
        program, work.values
    ):
        return
    for loop in work.index.every(cst.For):
        line = _only_line(loop)
        if line is not None and _broadcasts(work, loop, line):
            work.edits.remove(loop)
        elif (model := _averaged(work, loop)) is not None and _is_behind_backward(work, loop):
            _count_as_wrapped(work, model)
            work.edits.remove(loop)
    for function in program.functions.values():
        if _only_averages(work, function):
            _drop_calls(work, function)


def _statements(body: cst.BaseSuite) -> list[cst.BaseStatement]:
    return list(body.body) if isinstance(body, cst.IndentedBlock) else []


def _only_line(loop: cst.For) -> cst.BaseStatement | None:
    lines = _statements(loop.body)
    return lines[0] if len(lines) == 1 and loop.orelse is None else None


def _listed_model(work: NormalizationRound, loop: cst.For, listing: Sequence[str]) -> cst.BaseExpression | None:
    """The model whose parameters a loop goes through."""
    match loop.iter:
        case cst.Call(func=cst.Attribute(value=model, attr=cst.Name(name)), args=[]) if name in listing:
            return model if isinstance(loop.target, cst.Name) and work.values(model).kind is Kind.MODULE else None
    return None


def _call_of(line: cst.BaseStatement) -> cst.Call | None:
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
            return call
    return None


def _named(call: cst.Call, names: Sequence[str]) -> dict[str, cst.BaseExpression] | None:
    """The arguments of a call; None where it has others than those with these names."""
    given = dict(zip(names, (item.value for item in call.args if item.keyword is None), strict=False))
    given |= {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    return given if len(given) == len(call.args) and given.keys() <= set(names) else None


def _broadcasts(work: NormalizationRound, loop: cst.For, line: cst.BaseStatement) -> bool:
    """Whether a loop gives all processes the parameters of the first one."""
    call, model = _call_of(line), _listed_model(work, loop, tuple(_LISTING))
    if call is None or model is None or work.values.torch_name(call.func) != f"{_DIST}.broadcast":
        return False
    given = _named(call, ("tensor", "src"))
    source = given.get("src") if given is not None else None
    if given is None or not isinstance(source, cst.Integer) or source.value != "0" or "tensor" not in given:
        return False
    name = dotted(loop.target)
    return dotted(given["tensor"]) in (name, f"{name}.data")


def _averaged(work: NormalizationRound, loop: cst.For) -> cst.BaseExpression | None:
    """The model whose gradients a loop averages over all processes."""
    model, lines = _listed_model(work, loop, ("parameters",)), _statements(loop.body)
    if model is None or loop.orelse is not None:
        return None
    name = dotted(loop.target) or ""
    if (
        len(lines) == 1
        and isinstance(lines[0], cst.If)
        and lines[0].orelse is None
        and _asks_for_gradient(lines[0], name)
    ):
        lines = _statements(lines[0].body)
    reduced = [how for how in (_reduction(work, line, name) for line in lines) if how is not None]
    divided = [line for line in lines if _divides(work, line, name)]
    counts = (len(reduced), len(divided), len(lines))
    is_mean = reduced == ["AVG"] and counts == (1, 0, 1)
    return model if is_mean or (reduced == ["SUM"] and counts == (1, 1, 2)) else None


def _asks_for_gradient(node: cst.If, name: str) -> bool:
    """`if p.grad is not None:`, `if p.requires_grad:`."""
    match node.test:
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=cst.IsNot(), comparator=cst.Name("None"))]
        ):
            return dotted(left) == f"{name}.grad"
    return dotted(node.test) == f"{name}.requires_grad"


def _reduction(work: NormalizationRound, line: cst.BaseStatement, name: str) -> str | None:
    """How a line reduces the gradient of a parameter."""
    call = _call_of(line)
    if call is None or work.values.torch_name(call.func) != f"{_DIST}.all_reduce":
        return None
    given = _named(call, ("tensor", "op"))
    if given is None or "tensor" not in given or dotted(given["tensor"]) not in _gradients(name):
        return None
    word = (dotted(given["op"]) or "").rpartition(".")[2] if "op" in given else "SUM"
    return word if word in ("SUM", "AVG") else None


def _gradients(name: str) -> tuple[str, str]:
    return f"{name}.grad", f"{name}.grad.data"


def _divides(work: NormalizationRound, line: cst.BaseStatement, name: str) -> bool:
    """Whether a line divides the gradient of a parameter by the number of processes."""
    call = _call_of(line)
    if call is not None:
        match call:
            case cst.Call(
                func=cst.Attribute(value=place, attr=cst.Name("div_")), args=[cst.Arg(value=size, keyword=None)]
            ):
                return dotted(place) in _gradients(name) and _is_world_size(work, size)
        return False
    match line:
        case cst.SimpleStatementLine(body=[cst.AugAssign(target=place, operator=cst.DivideAssign(), value=size)]):
            return dotted(place) in _gradients(name) and _is_world_size(work, size)
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=place)],
                    value=cst.BinaryOperation(left=left, operator=cst.Divide(), right=size),
                )
            ]
        ):
            return {dotted(place), dotted(left)} <= set(_gradients(name)) and _is_world_size(work, size)
    return False


def _is_world_size(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression is the number of processes, or a variable that only ever is."""
    match node:
        case cst.Call(func=cst.Name("float" | "int"), args=[cst.Arg(value=inner)]):
            return _is_world_size(work, inner) or variable_of_torchrun(inner) == "get_world_size"
        case cst.Call(args=[]):
            return work.values.torch_name(node.func) == f"{_DIST}.get_world_size"
        case cst.Name(name):
            scope: cst.CSTNode = work.index.function_of(node) or work.index.module
            given = [_given_to(item, name) for item in descendants(scope)]
            values = [value for value in given if value is not None]
            return bool(values) and all(
                not isinstance(value, cst.Name) and _is_world_size(work, value) for value in values
            )
    return False


def _given_to(node: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """What a node gives a variable: something that is no number of processes, where that cannot be said."""
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(bound))], value=value) if bound == name:
            return value
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=left))], value=cst.Tuple(elements=right)):
            pairs = zip(left, right, strict=False)
            return next((value.value for target, value in pairs if dotted(target.value) == name), None)
        case cst.AugAssign(target=cst.Name(bound)) | cst.Param(name=cst.Name(bound)) if bound == name:
            return cst.Name(name)
    return None


def _is_behind_backward(work: NormalizationRound, statement: cst.CSTNode) -> bool:
    """Whether nothing stands between a statement and the `backward()` in front of it."""
    block = work.index.parents[statement]
    lines = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    place = next((number for number, line in enumerate(lines) if line is statement), 0)
    call = _call_of(lines[place - 1]) if place else None
    return call is not None and isinstance(call.func, cst.Attribute) and call.func.attr.value == "backward"


def _count_as_wrapped(work: NormalizationRound, model: cst.BaseExpression) -> None:
    work.marks.update((WRAPPED, item) for item in work.values(model).types or {"*"})
    work.marks.add((UNSYNCED,))  # each process keeps the buffers that it has


def _only_averages(work: NormalizationRound, function: Function) -> bool:
    """Whether a function does nothing but to average the gradients of a module that it is given."""
    if function.owner is not None or len(function.parameter_names) != 1 or function.node.decorators:
        return False
    lines = [line for line in _statements(function.node.body) if not _is_plain(work, line)]
    if len(lines) != 1 or not isinstance(lines[0], cst.For):
        return False
    model = _averaged(work, lines[0])
    return model is not None and dotted(model) == function.parameter_names[0]


def _is_plain(work: NormalizationRound, line: cst.BaseStatement) -> bool:
    """A text, or a variable for the number of processes."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString())]):
            return True
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=value)]):
            return _is_world_size(work, value)
    return False


def _drop_calls(work: NormalizationRound, function: Function) -> None:
    """The function goes with its calls, where all of them stand behind a `backward()`."""
    calls = [call for call in work.index.calls if function in work.values.callees.get(call, ())]
    named = [
        node
        for node in work.index.names
        if node.value == function.name and not work.index.is_label(node) and node is not function.node.name
    ]
    lines = [work.index.statement_of(call) for call in calls]
    alone = all(_call_of(line) is call for line, call in zip(lines, calls, strict=True))
    known = all(len(call.args) == 1 and work.values(call.args[0].value).kind is Kind.MODULE for call in calls)
    if not calls or len(named) != len(calls) or not alone or not known:
        return
    if not all(_is_behind_backward(work, line) for line in lines):
        return
    for call, line in zip(calls, lines, strict=True):
        _count_as_wrapped(work, call.args[0].value)
        work.edits.remove(line)
    work.edits.remove(function.node)


__all__ = ["normalize_averaged_gradients"]
