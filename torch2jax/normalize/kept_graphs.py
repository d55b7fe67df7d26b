"""Two backward passes that belong together, normalized to the one of the sum of their losses: gradients add up. Their losses
may have a graph in common (`retain_graph=True`), or are computed side by side.

policy_loss.backward(retain_graph=True)    ->    (policy_loss + value_loss).backward()
value_loss.backward()
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.dependence import Dependence
from torch2jax.facts.training import keeps_graph, method_call
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_ON_GRADIENTS = frozenset({"backward", "grad", "step", "zero_grad"})


def normalize_kept_graphs(work: NormalizationRound) -> None:
    """Normalize pairs of backward passes that follow each other, nothing between them that looks at gradients."""
    if not work.program.mentions("backward"):
        return
    for call in work.index.calls:
        line = work.index.statement_of(call)
        if method_call(line, "backward") is not call or not all(map(keeps_graph, call.args)):
            continue
        block = work.index.parents[line]
        if not isinstance(block, (cst.IndentedBlock, cst.Module)) or not _is_loss(work, call):
            continue
        body = list(block.body)
        behind = body[body.index(line) + 1 :]
        other = _next(work, behind if call.args else behind[:1], call)
        if other is not None:
            _add(work, call, other)
            return


def _is_loss(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a backward pass is of variables that could be asked for again."""
    assert isinstance(call.func, cst.Attribute)
    acts = any(isinstance(node, (cst.Call, cst.Subscript)) for node in descendants(call.func.value))
    return not acts and _is_tensor(work, call)


def _next(work: NormalizationRound, behind: list[cst.BaseStatement], first: cst.Call) -> cst.Call | None:
    """The backward pass that follows one in its block, before anything that it makes a difference to."""
    assert isinstance(first.func, cst.Attribute)
    nodes = [node for node in descendants(first.func.value) if isinstance(node, (cst.Name, cst.Attribute))]
    loss = {place for node in nodes if (place := dotted(node)) is not None}
    dependence = Dependence(work.values, work.program.function_around(first))
    for statement in behind:
        call = method_call(statement, "backward")
        if call is not None:
            given = [item for item in call.args if not keeps_graph(item)]
            return call if not given and _is_tensor(work, call) else None
        if any(isinstance(node, cst.Attribute) and node.attr.value in _ON_GRADIENTS for node in descendants(statement)):
            return None
        access = dependence.of(statement)
        if access.gradients or access.leaves or loss & (access.binds | access.changes):
            return None
    return None


def _is_tensor(work: NormalizationRound, call: cst.Call) -> bool:
    assert isinstance(call.func, cst.Attribute)
    return work.values(call.func.value).kind is Kind.TENSOR


def _add(work: NormalizationRound, first: cst.Call, second: cst.Call) -> None:
    """Take the gradient of the sum where the second one was taken."""
    assert isinstance(first.func, cst.Attribute) and isinstance(second.func, cst.Attribute)
    one, other = first.func.value, second.func.value
    work.edits.remove(work.index.statement_of(first))
    work.edits.replace(other, lambda rewrite: quote("({one} + {other})", one=one.deep_clone(), other=other))


__all__ = ["normalize_kept_graphs"]
