"""Loops that add up the loss of a step, and report its parts on the way: what they report is kept, and reported behind them.

for name, weight in weights.items():              logged = []
    value = weight * parts[name]                  for name, weight in weights.items():
    loss += value                          ->         value = weight * parts[name]
    print(name, value.item())                         loss += value
                                                      logged.append((name, value))
loss.backward()                                   for name, value in logged:
                                                      print(name, value.item())
                                                  loss.backward()

Numbers are then no part of what the loss is computed with, and the step can be compiled. What else a round does is only computed: it
reads nothing that reporting may change.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import is_backward
from torch2jax.program.program import root_name
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_LEAVING = (cst.Break, cst.Continue, cst.Return, cst.Yield, cst.Await, cst.NamedExpr, cst.Try, cst.With, cst.Lambda)


def normalize_logged_rounds(work: NormalizationRound) -> None:
    """Part such loops of a file."""
    if work.effects is None or not work.program.mentions("backward"):
        return
    for loop in work.index.every(cst.For):
        reports = _reports(work, loop)
        if reports and _is_of_loss(work, loop, set(_kept(loop, reports))) and _can_wait(work, loop, reports):
            _part(work, loop, reports)


def _reports(work: NormalizationRound, loop: cst.For) -> list[cst.BaseStatement]:
    """The last statements of a loop, as far as they do nothing but report."""
    if loop.orelse is not None or not isinstance(loop.body, cst.IndentedBlock) or loop.asynchronous is not None:
        return []
    found: list[cst.BaseStatement] = []
    for statement in reversed(loop.body.body):
        if not _only_reports(work, statement):
            break
        found.insert(0, statement)
    return found if len(found) < len(loop.body.body) else []


def _only_reports(work: NormalizationRound, statement: cst.CSTNode) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
            return any(_takes_number(work, item) for item in (call, *descendants(call, cst.Call)))
        case cst.If(body=cst.IndentedBlock(body=body), orelse=None):
            return all(_only_reports(work, inner) for inner in body)
    return False


def _takes_number(work: NormalizationRound, call: cst.Call) -> bool:
    match call.func:
        case cst.Attribute(value=tensor, attr=cst.Name("item")):
            return work.values(tensor).kind is Kind.TENSOR
    return False


def _is_of_loss(work: NormalizationRound, loop: cst.For, kept: set[str]) -> bool:
    """Whether a `backward()` of what the loop computes stands behind it, and that is none of the variables that are kept."""
    around = work.index.parents[loop]
    if not isinstance(around, (cst.IndentedBlock, cst.Module)):
        return False
    bound = reads_and_writes(loop)[1] - kept
    behind = around.body[list(around.body).index(loop) + 1 :]
    return any(
        isinstance(small, cst.Expr)
        and isinstance(small.value, cst.Call)
        and is_backward(small.value)
        and isinstance(small.value.func, cst.Attribute)
        and root_name(small.value.func.value) in bound
        for line in behind
        if isinstance(line, cst.SimpleStatementLine)
        for small in line.body
    )


def _can_wait(work: NormalizationRound, loop: cst.For, reports: Sequence[cst.BaseStatement]) -> bool:
    """Whether reporting makes no difference to the rounds, nor they to it."""
    rest = [item for item in loop.body.body if item not in reports]
    nodes = [node for statement in rest for node in (statement, *descendants(statement))]
    calls = [node for node in nodes if isinstance(node, cst.Call)]
    if any(isinstance(node, _LEAVING) for node in descendants(loop)) or any(map(_acts, calls)):
        return False
    if any(_takes_number(work, call) for call in calls) or _print(work, calls):
        return False
    if not all(_is_plain(work, call) for item in reports for call in descendants(item, cst.Call)):
        return False
    told = {root_name(call.func) for item in reports for call in descendants(item, cst.Call)}
    changed = {root_name(node.target) for node in nodes if isinstance(node, cst.AugAssign)}
    stored = {
        str(root_name(node.target))
        for node in nodes
        if isinstance(node, cst.AssignTarget) and not isinstance(node.target, (cst.Name, cst.Tuple))
    }
    read = frozenset().union(*(names_in(item) for item in reports))
    computed = {name for item in rest for name in reads_and_writes(item)[0]}
    kept, surely = set(_kept(loop, reports)), bound_names(loop.target)
    surely |= {name for item in rest if isinstance(item, cst.SimpleStatementLine) for name in reads_and_writes(item)[1]}
    return bool(kept) and kept <= surely and not read & (changed | stored) and not (told - kept) & computed


def _is_plain(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call in a report draws nothing, and changes no tensor and no module: it may run later."""
    if work.values(call.func).kind in (Kind.MODULE, Kind.TORCH, Kind.TORCH_OBJECT) or work.values.torch_name(call.func):
        return False
    if isinstance(call.func, cst.Attribute) and is_inplace_name(call.func.attr.value):
        return False
    assert work.effects is not None
    return all(
        item.owner is not None and not item.owner.is_module and work.effects.of(item).draw is Draw.NONE
        for item in work.values.reached_by(call)
    )


def _print(work: NormalizationRound, calls: Sequence[cst.Call]) -> bool:
    """Whether functions that are called print something themselves."""
    return any("print" in names_in(function.node.body) for function in work.values.run_in(calls))


def _acts(call: cst.Call) -> bool:
    """Whether a call may change a tensor in place, or is seen by others."""
    match call.func:
        case cst.Attribute(attr=cst.Name(name)):
            return is_inplace_name(name) or name in ("append", "backward", "write", "log", "update")
        case cst.Name("print" | "next" | "input" | "setattr"):
            return True
    return False


def _kept(loop: cst.For, reports: Sequence[cst.BaseStatement]) -> list[str]:
    """The variables of a round that its reports read, in the order in which they do."""
    bound = reads_and_writes(loop)[1]
    return list(
        dict.fromkeys(node.value for item in reports for node in descendants(item, cst.Name) if node.value in bound)
    )


def _part(work: NormalizationRound, loop: cst.For, reports: Sequence[cst.BaseStatement]) -> None:
    names, logged = _kept(loop, reports), work.fresh("logged")
    held = names[0] if len(names) == 1 else f"({', '.join(names)})"
    header = f"for {', '.join(names)} in {logged}:\n    pass"

    def build(rewrite: object) -> list[cst.BaseStatement]:
        rest = [item for item in loop.body.body if item not in reports]
        added = quote_statement(f"{logged}.append({held})")
        own = loop.with_changes(leading_lines=(), body=loop.body.with_changes(body=[*rest, added]))
        behind = quote_statement(header)
        assert isinstance(behind, cst.For)
        made = quote_statement(f"{logged} = []").with_changes(leading_lines=loop.leading_lines)
        return [made, own, behind.with_changes(body=cst.IndentedBlock(body=list(reports)))]

    work.edits.rewrite_statement(loop, build)


__all__ = ["normalize_logged_rounds"]
