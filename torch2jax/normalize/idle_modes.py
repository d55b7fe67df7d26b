"""Modes that are set in the middle of a training step, where nothing asks for them before its end.

q = self.critic(x, a)                q = self.critic(x, a)
self.critic.train()                  self.critic_opt.zero_grad()
self.critic_opt.zero_grad()          loss = F.mse_loss(q, target)
loss = F.mse_loss(q, target)    ->   loss.backward()
loss.backward()                      self.critic_opt.step()
self.critic_opt.step()               self.critic.train()

A line goes where its module has no mode, or where another one sets it anew before anybody asks.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.training import method_call
from torch2jax.normalize.mode_calls import may_ask, rebinds
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import is_backward
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_OF_STEPS = frozenset({"backward", "step", "zero_grad"})


def normalize_idle_modes(work: NormalizationRound) -> None:
    """Normalize all such lines of the blocks that call `backward()`, one of each block in a round."""
    if not work.program.mentions("backward"):
        return
    blocks = {work.index.parents[work.index.statement_of(call)]: None for call in work.index.calls if is_backward(call)}
    for block in blocks:
        if isinstance(block, (cst.IndentedBlock, cst.Module)):
            for number, line in enumerate(block.body):
                if _normalize(work, line, block.body[number + 1 :]):
                    break


def _normalize(work: NormalizationRound, line: cst.BaseStatement, behind: Sequence[cst.BaseStatement]) -> bool:
    place = _set_by(work, line)
    if place is None:
        return False
    assert work.effects is not None
    if not work.effects.has_mode(work.values(place)) and not work.effects.may_be_derived(work.values(place)):
        work.edits.remove(line)
        return True
    last = None
    for other in behind:
        again = _set_by(work, other)
        if again is not None and dotted(again) == dotted(place):
            work.edits.remove(line)
            return True
        if not isinstance(other, cst.SimpleStatementLine) or rebinds(other, str(dotted(place))):
            break
        if any(may_ask(work, node) and not _is_of_step(work, node) for node in descendants(other)):
            break
        last = other if method_call(other, "backward") or method_call(other, "step") else last
    if last is None:
        return False
    work.edits.remove(line)
    work.edits.after(last, always_statements([line]))
    return True


def _set_by(work: NormalizationRound, line: cst.CSTNode) -> cst.BaseExpression | None:
    """The module whose mode, and that of its parts, a line sets."""
    call = method_call(line, "train") or method_call(line, "eval")
    if call is None or not isinstance(call.func, cst.Attribute) or dotted(call.func.value) is None:
        return None
    value = work.values(call.func.value)
    assert work.effects is not None
    is_own = value.kind is Kind.MODULE and work.effects.is_mode_method(value, call.func.attr.value)
    return call.func.value if is_own else None


def _is_of_step(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a call takes gradients, empties them or steps an optimizer of torch."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or node in work.values.callees:
        return False
    kind = work.values(node.func.value).kind
    return node.func.attr.value in _OF_STEPS and kind in (Kind.OPTIMIZER, Kind.TENSOR)


__all__ = ["normalize_idle_modes"]
