"""What functions of other files have left of gradients, once their own `backward()` has become torch.autograd.grad.

opt.zero_grad()
adv = attack(model, x, y)  # whose gradients torch has added to those of the parameters
loss = f(model(adv), y)
loss.backward()
opt.step()

is reported: `attack` does not say any more what it adds. So is a call that passes a tensor which may have a gradient by then, to
whose gradient such a function adds.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.normalize.followed_gradients import GIVEN_NEW, LEAVES, Followed
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function
from torch2jax.syntax.problem import Problem
from torch2jax.values import Kind


def check_outside_gradients(work: NormalizationRound) -> None:
    """Report such calls, and mark the functions for which the same holds since they call them."""
    marks = list(all_marks(work.program))
    given = [(mark[1], mark[2]) for mark in marks if mark[0] == GIVEN_NEW]
    leaving = {mark[1] for mark in marks if mark[0] == LEAVES}
    if not given and not leaving:
        return
    followed = Followed(work)
    _tell_unseen(work, given)
    for call in work.index.calls:
        for callee in work.values.callees.get(call, ()):
            if callee.key in leaving:
                _note_left(work, call, followed, callee)
            if callee.node not in work.program.functions:
                for name in (name for key, name in given if key == callee.key):
                    if not followed.passes_new(callee, call, name):
                        _report(work, call, f"`{callee.name}` adds to the gradient that `{name}` may have by then")
    work.marks |= {(GIVEN_NEW, item.key, name) for item, name in followed.given_new}


def _tell_unseen(work: NormalizationRound, given: Sequence[tuple[str, str]]) -> None:
    """Tell of functions that nobody in sight calls."""
    for function in work.program.functions.values():
        for name in dict.fromkeys(name for key, name in given if key == function.key):
            value = function.env.get(name)
            if not function.callers and not function.seen_elsewhere and value is not None and value.kind is Kind.TENSOR:
                fields = {"function": function.name, "name": name}
                work.problems.append(Problem(function.node.name, "T2J515", fields))


def _note_left(work: NormalizationRound, call: cst.Call, followed: Followed, callee: Function) -> None:
    """Mark the function around a call as its callee is; report a call of another file whose gradients a step uses."""
    around = work.program.function_around(call)
    if around is not None:
        work.marks.add((LEAVES, around.key))
    is_of_another = callee.node not in work.program.functions
    if is_of_another and followed.gradients.are_used_behind(work.index.statement_of(call), around):
        _report(work, call, f"`{callee.name}` adds to the gradients that `step()` uses: no `zero_grad()` is between")


def _report(work: NormalizationRound, call: cst.Call, reason: str) -> None:
    work.problems.append(Problem(call, "T2J500", {"reason": reason}))
