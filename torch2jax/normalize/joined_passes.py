"""Passes back of several losses for one step of an optimizer, normalized to that of their sum.

loss_a = f(net_a(x))                       loss_a = f(net_a(x))
loss_a.backward()                          loss_b = f(net_b(x))
loss_b = f(net_b(x))               ->      (loss_a + loss_b).backward()
loss_b.backward()                          opt.step()
opt.step()

Gradients add up in torch, and nothing looks at them between the two. Where steps are understood as they are, they stay.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import Step
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import bound_names, descendants

_LOOKING = frozenset(
    {"backward", "data", "grad", "load_state_dict", "requires_grad", "requires_grad_", "step", "zero_grad"}
)
_STAYING = (cst.Return, cst.Break, cst.Continue, cst.Raise, cst.Yield, cst.Await)


def normalize_joined_passes(work: NormalizationRound) -> None:
    """Join two passes of each block that stand behind each other, and of which the first is not understood."""
    if not _may_stand_together(work):
        return
    assert work.flows is not None
    steps = find_steps(work.program, work.values, work.flows)
    changed = set[cst.CSTNode]()
    for first in steps:
        second = _next(work, first, steps) if first.is_refused and first.block not in changed else None
        if second is not None and second.is_refused and _is_joined(work, first, second):
            changed.add(first.block)
            work.edits.remove(first.backward_statement)
            both = quote("{first} + {second}", first=first.loss.deep_clone(), second=second.loss.deep_clone())
            work.edits.replace(second.loss, always(both))


def _may_stand_together(work: NormalizationRound) -> bool:
    """Whether two losses go back in lines of one block: only then it is worth to look for steps."""
    passes = [
        work.index.parents[work.index.statement_of(call)]
        for call in work.index.calls
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "backward" and not call.args
    ]
    return len(set(passes)) < len(passes)


def _next(work: NormalizationRound, first: Step, steps: Sequence[Step]) -> Step | None:
    """The step of the same block whose pass comes next."""
    behind = [
        step for step in steps if step.block is first.block and work.is_behind(step.backward, first.backward_statement)
    ]
    return min(behind, key=lambda step: list(step.block.body).index(step.backward_statement), default=None)


def _is_joined(work: NormalizationRound, first: Step, second: Step) -> bool:
    """Whether a loss may go back later, with the next one: nothing between changes or asks for what takes part."""
    if dotted(first.loss) is None or first.backward.args or second.backward.args:
        return False
    body = list(first.block.body)
    between = body[body.index(first.backward_statement) + 1 : body.index(second.backward_statement)]
    if not all(isinstance(line, cst.SimpleStatementLine) for line in between):
        return False
    nodes = [node for line in between for node in descendants(line)]
    if any(dotted(node.target) == dotted(first.loss) for node in nodes if isinstance(node, cst.AssignTarget)):
        return False
    root = str(dotted(first.loss)).split(".")[0]
    if any(root in bound_names(node.target) for node in nodes if isinstance(node, cst.AssignTarget)):
        return False
    if any(isinstance(node, (cst.AugAssign, cst.NamedExpr, *_STAYING)) for node in nodes):
        return False
    called = [node for function in reached(between, work.values) for node in descendants(function.node)]
    looking = [node for node in (*nodes, *called) if isinstance(node, cst.Attribute) and node.attr.value in _LOOKING]
    return all(node.attr.value == "data" and _is_read(work, node) for node in looking)


def _is_read(work: NormalizationRound, data: cst.Attribute) -> bool:
    """Whether the values of a tensor are asked for, and not changed: `image.data.unsqueeze(0)`."""
    match work.index.parents.get(data):
        case cst.Attribute(attr=cst.Name(method)):
            return not is_inplace_name(method)
        case cst.Arg(keyword=None) as argument:
            call = work.index.parents[argument]
            return isinstance(call, cst.Call) and not is_inplace_name((dotted(call.func) or "_").rpartition(".")[2])
    return False


__all__ = ["normalize_joined_passes"]
