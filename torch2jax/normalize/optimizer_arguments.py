"""Optimizers that are made in the middle of a call get a name, which their state can be named after; so do schedulers.

fit(model, torch.optim.Adam(model.parameters()), loader)   ->   optimizer = torch.optim.Adam(model.parameters())
                                                                fit(model, optimizer, loader)
fit(model, optimizer, StepLR(optimizer, 10))               ->   scheduler = StepLR(optimizer, 10)
                                                                fit(model, optimizer, scheduler)
first, second = SGD(a.parameters()), SGD(b.parameters())   ->   first = SGD(a.parameters())
                                                                second = SGD(b.parameters())
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.parameters import makes_optimizer
from torch2jax.normalize.evaluation_order import evaluated_before, paired, say_one_by_one
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.values import Kind

_NEW = (Kind.MODULE, Kind.LOADER, Kind.DATASET, Kind.TORCH_OBJECT)
_READING = frozenset({"parse_args", "parse_known_args"})
_MAKING = frozenset({"list", "tuple", "dict", "range", "zip", "len", "int", "float", "str"})


def normalize_optimizer_arguments(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    made: dict[cst.SimpleStatementLine, dict[cst.Call, str]] = {}
    for call in work.index.calls:
        wish = _wish(work, call)
        line = _line_of(work, call) if wish is not None else None
        if line is not None and wish is not None:
            made.setdefault(line, {})[call] = wish
    for line, calls in made.items():
        fresh = work.names_at(line)
        names = {call: fresh(wish) for call, wish in calls.items()}
        for call, chosen in names.items():
            work.edits.replace(call, always(cst.Name(chosen)))
        work.edits.rewrite_statement(line, partial(_above, line, names))
    _split_pairs(work)


def _split_pairs(work: NormalizationRound) -> None:
    """Give optimizers and schedulers that are made side by side an assignment each."""
    for line in work.index.every(cst.SimpleStatementLine):
        calls = [value for _, value in paired(line) if isinstance(value, cst.Call)]
        kinds = [work.values(call).kind for call in calls if work.values(call.func).kind in (Kind.TORCH, Kind.CLASS)]
        if not {Kind.OPTIMIZER, Kind.SCHEDULER}.isdisjoint(kinds) and line not in work.edits.statements:
            say_one_by_one(work, line)


def _wish(work: NormalizationRound, call: cst.Call) -> str | None:
    """The name that what a call makes should have, if that is an optimizer, or a scheduler of torch for one that has a name."""
    if makes_optimizer(call, work.values):
        return "optimizer"
    is_scheduler = work.values(call).kind is Kind.SCHEDULER and work.values(call.func).kind is Kind.TORCH
    is_of_named = is_scheduler and call.args and dotted(call.args[0].value) is not None
    return "scheduler" if is_of_named and isinstance(work.index.parents[call], cst.Arg) else None


def _line_of(work: NormalizationRound, call: cst.Call) -> cst.SimpleStatementLine | None:
    """The statement within which a call stands, if all that is computed before it may as well be computed behind it."""
    line, before = work.index.statement_of(call), evaluated_before(work.index, call)
    is_inside = isinstance(work.index.parents[call], (cst.Arg, cst.Attribute))
    if before is None or not is_inside or not isinstance(line, cst.SimpleStatementLine):
        return None
    if isinstance(work.index.parents.get(work.index.parents[line]), cst.ClassDef):
        return None
    return line if all(_can_wait(work, item) for item in before) else None


def _can_wait(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether an expression is a name, a constant, or something new of torch's or Python's own (a layer, a loader, a list): an
    optimizer that is made before it changes nothing of it.
    """
    match node:
        case cst.Arg(star="", value=value) | cst.Element(value=value):
            return _can_wait(work, value)
        case cst.FormattedStringText() | cst.BaseBinaryOp() | cst.BaseCompOp():
            return True
        case cst.Call(func=function, args=args):
            is_new = work.values(node).kind in _NEW if work.values.torch_name(function) else _is_plain(work, function)
            return is_new and all(_can_wait(work, item.value) for item in args)
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return all(_can_wait(work, item.value) for item in elements)
    is_place = isinstance(node, cst.BaseExpression) and dotted(node) is not None
    return is_place or isinstance(node, (cst.BaseNumber, cst.BaseString))


def _is_plain(work: NormalizationRound, function: cst.BaseExpression) -> bool:
    """Whether a function makes something of its arguments, or of its tensor, or reads the arguments of the command line."""
    if not isinstance(function, cst.Attribute):
        return dotted(function) in _MAKING
    name, is_tensor = function.attr.value, work.values(function.value).kind is Kind.TENSOR
    return name in _READING or (is_tensor and not is_inplace_name(name) and _can_wait(work, function.value))


def _above(line: cst.SimpleStatementLine, names: dict[cst.Call, str], rewrite: Rewriter) -> list[cst.BaseStatement]:
    last = rewrite.inside(line)
    assert isinstance(last, cst.SimpleStatementLine)
    made = []
    for call, name in names.items():
        value = rewrite.inside(call)
        assert isinstance(value, cst.Call)
        made.append(cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], value)]))
    made[0] = made[0].with_changes(leading_lines=last.leading_lines)
    return [*made, last.with_changes(leading_lines=[])]


__all__ = ["normalize_optimizer_arguments"]
