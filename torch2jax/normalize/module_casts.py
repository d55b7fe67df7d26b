"""Casts of modules are lines of their own about a place, and say which dtype by one method: torch casts in place.

model = model.to(torch.float16)      ->   model.half()
net = Net().double().to(device)      ->   net = Net().to(device)
                                          net.double()
return self.model.to(device, dtype)  ->   self.model.to(dtype=dtype)
                                          return self.model.to(device)
model.float()                        ->   (nothing, where no name in the program could give parameters another dtype)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.facts.moves import CAST, METHODS, cast_dtype, is_module_cast, is_single_precision, split_move
from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.normalize.evaluation_order import evaluated_before, give_name
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import GIVING_BACK
from torch2jax.program.calls import chain_start
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_module_casts(work: NormalizationRound) -> None:
    """Normalize all casts of modules of a file, one of each line in a round."""
    seen: set[cst.CSTNode] = set()
    casts = list(_casts(work))
    held = [item for item in casts if _place(item[0]) is not None]  # which are cast in front of the line, one by one
    for call, dtype in [*reversed(held), *(item for item in casts if item not in held)]:
        line = work.index.statement_of(call)
        if line in seen:
            continue
        if dtype != "float32" or not is_single_precision(work.program):
            if dtype != "float32":
                work.marks.add((CAST,))
            if _is_normal(work, call):
                continue
        seen.add(line)
        _normalize(work, line, call, dtype)


def _casts(work: NormalizationRound) -> Iterator[tuple[cst.Call, cst.BaseExpression | str]]:
    """The calls that cast a module, and the dtypes; in a chain the last one first."""
    for call in work.index.calls:
        if isinstance(call.func, cst.Attribute) and work.values(call.func.value).kind is Kind.MODULE:
            dtype = cast_dtype(work.values, call)
            if dtype is not None and not _is_own_method(work, call.func):
                yield call, dtype


def _is_own_method(work: NormalizationRound, func: cst.Attribute) -> bool:
    """Whether the class of a module has a method of this name itself."""
    assert work.effects is not None
    return any(item.method(func.attr.value) for item in work.effects.classes_of(work.values(func.value)))


def _is_normal(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a cast is a line of its own about a place, or of a layer that nothing else knows and that keeps no state."""
    assert isinstance(call.func, cst.Attribute)
    return is_module_cast(call) and (
        (isinstance(work.index.parents[call], cst.Expr) and dotted(call.func.value) is not None)
        or (_place(call) is None and _is_expression(work, call))
    )


def _place(call: cst.Call) -> cst.BaseExpression | None:
    """The place that holds what a chain is about: `self.model` of `self.model.to(device).half()`."""
    start = chain_start(call, GIVING_BACK)
    return start if dotted(start) is not None else None


def _is_expression(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a cast of what is made in an expression may stay there: it gets no name by its line, and has no state beside it."""
    assert work.effects is not None
    return _target(work, call) is None and not work.effects.is_stateful(work.values(call))


def _target(work: NormalizationRound, call: cst.Call) -> cst.BaseExpression | None:
    """The place that a line gives what a chain of methods gives: `net` of `net = Net().double().eval()`."""
    node: cst.CSTNode = call
    parent = work.index.parents[node]
    while isinstance(parent, cst.Attribute) and parent.attr.value in GIVING_BACK:
        node = work.index.parents[parent]
        parent = work.index.parents[node]
    match parent:
        case cst.Assign(targets=[cst.AssignTarget(target=target)]) if dotted(target) is not None:
            return target
    return None


def _normalize(
    work: NormalizationRound, line: cst.BaseStatement, call: cst.Call, dtype: cst.BaseExpression | str
) -> None:
    assert isinstance(call.func, cst.Attribute) and work.effects is not None
    place, target = _place(call), _target(work, call)
    if isinstance(place, cst.Name) and isinstance(target, cst.Attribute):
        place = None  # `self.model = model.half()`: by the name that it has from now on
    if (dtype == "float32" and is_single_precision(work.program)) or is_plain_layer(
        work.effects.tables, work.values(call.func.value)
    ):
        _leave_out(work, line, call)
    elif place is not None and isinstance(line, cst.SimpleStatementLine) and _is_first(work, call):
        said = _said(work, line, place, dtype)
        if _is_all(work, line, call, place):
            work.edits.rewrite_statement(line, lambda rewrite: [said])
        else:
            work.edits.before(line, lambda rewrite: [said])
            _leave_out(work, line, call)
    elif place is None and target is not None and isinstance(line, cst.SimpleStatementLine):
        said = _said(work, line, target, dtype)
        work.edits.after(line, lambda rewrite: [said])
        _leave_out(work, line, call)
    elif place is None and _is_expression(work, call):
        inner = call.func.value
        work.edits.replace(call, partial(_canonical, call, inner, dtype))
    elif place is None and _is_first(work, call):
        start = chain_start(call, GIVING_BACK)
        give_name(work, line, start, work.names_at(line)("model"))
    else:
        work.problems.append(Problem(call, "T2J603", {"name": code(call.func)}))


def _is_first(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a line has called nothing that knows of modules before it casts one."""
    before = evaluated_before(work.index, call)
    return before is not None and not any(
        isinstance(item, cst.Call) and not _is_of_tensor(work, item)
        for node in before
        for item in (node, *descendants(node))
    )


def _is_of_tensor(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a method of a tensor is called."""
    return isinstance(call.func, cst.Attribute) and work.values(call.func.value).kind is Kind.TENSOR


def _is_all(work: NormalizationRound, line: cst.SimpleStatementLine, call: cst.Call, place: cst.CSTNode) -> bool:
    """Whether a line does no more than cast what a place holds: `model = model.half()`."""
    assert isinstance(call.func, cst.Attribute)
    moves = isinstance(call.func.value, cst.Call) or split_move(work.values, call)[0] is not None
    match work.index.parents[call]:
        case cst.Expr():
            return not moves
        case cst.Assign(targets=[cst.AssignTarget(target=target)]):
            return not moves and dotted(target) == dotted(place)  # type: ignore[arg-type]
    return False


def _said(
    work: NormalizationRound, line: cst.CSTNode, place: cst.BaseExpression, dtype: cst.BaseExpression | str
) -> cst.SimpleStatementLine:
    """The line that casts what a place holds."""
    held = work.copy(place).with_changes(lpar=(), rpar=())
    said = cst.SimpleStatementLine([cst.Expr(_cast(held, dtype if isinstance(dtype, str) else work.copy(dtype)))])
    work.copies[said] = line
    return said


def _cast(place: cst.BaseExpression, dtype: cst.BaseExpression | str) -> cst.Call:
    if isinstance(dtype, str):
        return cst.Call(cst.Attribute(place, cst.Name(METHODS[dtype])))
    bare = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return cst.Call(cst.Attribute(place, cst.Name("to")), [cst.Arg(dtype, keyword=cst.Name("dtype"), equal=bare)])


def _canonical(
    call: cst.Call, inner: cst.BaseExpression, dtype: cst.BaseExpression | str, rewrite: Rewriter
) -> cst.BaseExpression:
    given = dtype if isinstance(dtype, str) else rewrite.expression(dtype)
    return _cast(rewrite.expression(inner), given).with_changes(lpar=call.lpar, rpar=call.rpar)


def _leave_out(work: NormalizationRound, line: cst.BaseStatement, call: cst.Call) -> None:
    """Leave a cast out of its line, but for what it says about the device."""
    assert isinstance(call.func, cst.Attribute)
    device, inner = split_move(work.values, call)[0], call.func.value
    if device is not None:
        others = [item for item in call.args if item.value is device]
        kept = call.with_changes(args=[item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in others])
        work.edits.replace(call, lambda rewrite: rewrite.inside(call).with_changes(args=kept.args))
    elif isinstance(work.index.parents[call], cst.Expr) and dotted(inner) is not None:
        work.edits.remove(line)
    else:
        work.edits.replace(call, lambda rewrite: rewrite(inner))


__all__ = ["normalize_module_casts"]
