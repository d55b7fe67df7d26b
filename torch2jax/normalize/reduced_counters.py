"""Tensors whose elements count for all processes become numbers, which are a tensor when they are reduced.

total = torch.zeros(2)                ->    total_0, total_1 = 0.0, 0.0
for x, y in loader:                         for x, y in loader:
    ...                                         ...
    total[0] += loss.item()                     total_0 += loss.item()
    total[1] += len(x)                          total_1 += len(x)
dist.all_reduce(total)                      total = torch.tensor([total_0, total_1])
                                            dist.all_reduce(total)

What each device has counted can be followed through numbers (`facts/reductions.py`).
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.parallel import knows_processes
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.values import Kind

_REDUCING = frozenset({"torch.distributed.all_reduce", "torch.distributed.reduce"})


def normalize_reduced_counters(work: NormalizationRound) -> None:
    """Normalize all such tensors of a file for several processes."""
    if not knows_processes(work.program, work.values) or not work.program.mentions("zeros"):
        return
    for call in work.index.calls:
        if work.values.torch_name(call.func) in _REDUCING and isinstance(work.index.parents[call], cst.Expr):
            line = work.index.statement_of(call)
            tensor = next((item.value for item in call.args if item.keyword is None), None)
            if isinstance(tensor, cst.Name) and isinstance(line, cst.SimpleStatementLine):
                _normalize(work, tensor, line)


def _normalize(work: NormalizationRound, tensor: cst.Name, line: cst.SimpleStatementLine) -> None:
    definition = work.program.definitions.bound_once(tensor)
    made = work.index.statement_of(definition.node) if definition is not None else None
    zeros = _zeros(work, made) if made is not None else None
    if definition is None or made is None or zeros is None or work.index.parents[made] is not work.index.parents[line]:
        return
    count = int(zeros.args[0].value.value)  # type: ignore[attr-defined]
    uses = [use for use in work.program.definitions.uses(definition) if use is not tensor]
    counting = {use: _counted(work, use, count) for use in uses if not work.is_behind(use, line)}
    behind = [use for use in uses if use not in counting]
    if not counting or any(_counted(work, use, count) is not None for use in behind):
        return
    if any(element is None or not work.is_behind(use, made) for use, element in counting.items()):
        return
    names = [work.names_at(line)(f"{tensor.value}_{number}") for number in range(count)]
    starts = [quote_statement(f"{name} = 0.0") for name in names]
    work.edits.rewrite_statement(made, always_statements(_below_comments(starts, made)))
    for use, element in counting.items():
        assert element is not None
        work.edits.replace(work.index.parents[use], partial(_named, names[element]))
    maker = code(zeros.func).removesuffix("zeros")
    again = quote_statement(f"{tensor.value} = {maker}tensor([{', '.join(names)}])")
    work.edits.before(line, always_statements([again]))


def _named(name: str, rewrite: Rewriter) -> cst.CSTNode:
    return cst.Name(name)


def _below_comments(lines: list[cst.BaseStatement], old: cst.CSTNode) -> list[cst.BaseStatement]:
    above = getattr(old, "leading_lines", ())
    return [lines[0].with_changes(leading_lines=above), *lines[1:]]


def _zeros(work: NormalizationRound, line: cst.CSTNode) -> cst.Call | None:
    """`torch.zeros(n)` with n elements, of a line that binds nothing but a variable to it, moved to a device or not."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=value)]):
            pass
        case _:
            return None
    match value:
        case cst.Call(func=cst.Attribute(value=cst.Call() as inner, attr=cst.Name("to" | "cuda"))):
            value = inner
    match value:
        case cst.Call(func=cst.Attribute(), args=[cst.Arg(value=cst.Integer(), keyword=None), *others]):
            is_plain = all(item.keyword is not None and item.keyword.value == "device" for item in others)
            return value if is_plain and work.values.torch_name(value.func) == "torch.zeros" else None
    return None


def _counted(work: NormalizationRound, use: cst.Name, count: int) -> int | None:
    """The element to which a line adds a number: `total[0] += len(x)`."""
    element = work.index.parents[use]
    line = work.index.parents[element]
    match element:
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer(value=number)))]) if (
            isinstance(line, cst.AugAssign) and line.target is element and isinstance(line.operator, cst.AddAssign)
        ):
            value = work.values(line.value)
            is_number = value.is_number or (value.kind is Kind.TENSOR and value.rank == 0)
            is_read = use.value in names_in(line.value)
            return int(number) if is_number and not is_read and int(number) < count else None
    return None


__all__ = ["normalize_reduced_counters"]
