"""Questions after the gradient mode, which JAX does not have, where the answer is known or makes no difference.

with torch.no_grad():                                   with torch.no_grad():
    print(torch.is_grad_enabled())              ->          print(False)
if self.saves and torch.is_grad_enabled():              if self.saves:
    x = checkpoint(self.block, x)               ->          x = checkpoint(self.block, x)
else:                                                   else:
    x = self.block(x)                                       x = self.block(x)

What a checkpoint computes again is the same, and nothing where no gradient is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.contexts import gradient_set, is_under_no_grad
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.contexts import GRADIENT_CONTEXTS, Gradient
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always

_QUESTION = "torch.is_grad_enabled"


def normalize_gradient_modes(work: NormalizationRound) -> None:
    """Answer all such questions of a file."""
    asked = [item for item in work.index.calls if work.values.torch_name(item.func) == _QUESTION]
    is_lexical = bool(asked) and not _is_switched(work)
    for call in asked:
        here = is_lexical and not any(isinstance(around, cst.Lambda) for around in work.index.ancestors(call))
        if here and is_under_no_grad(call, work.values):
            work.edits.replace(call, always(cst.Name("False")))
        elif here and _is_on(work, call):
            work.edits.replace(call, always(cst.Name("True")))
        else:
            for choice in _choices(work, call):
                if _is_alike(work, choice):
                    _leave_out(work, call, choice)


def _is_switched(work: NormalizationRound) -> bool:
    """Whether a file has a call that sets the mode for all that follows."""
    switches = [item for item in work.index.calls if work.values.torch_name(item.func) in GRADIENT_CONTEXTS]
    return any(isinstance(work.index.parents[item], cst.Expr) for item in switches)


def _is_on(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether gradients are recorded: outside of functions and contexts."""
    if work.program.is_imported or work.index.function_of(call) is not None:
        return False
    for around in work.index.ancestors(call):
        if isinstance(around, cst.With):
            modes = [gradient_set(item.item, work.values) for item in around.items]
            if any(mode not in (None, Gradient.ON, Gradient.AS_AROUND) for mode in modes):
                return False
    return True


def _choices(work: NormalizationRound, call: cst.Call) -> Iterator[cst.If | cst.IfExp]:
    """The choice of which a question is a condition, alone or beside others that must hold, too."""
    node: cst.CSTNode = call
    around = work.index.parents[call]
    while isinstance(around, cst.BooleanOperation) and isinstance(around.operator, cst.And):
        node, around = around, work.index.parents[around]
    if isinstance(around, (cst.If, cst.IfExp)) and around.test is node:
        yield around


def _is_alike(work: NormalizationRound, choice: cst.If | cst.IfExp) -> bool:
    """Whether both ways compute the same, one of them in a checkpoint, which is a plain call by now."""
    if isinstance(choice, cst.IfExp):
        return code(choice.body) == code(choice.orelse)
    if not isinstance(choice.orelse, cst.Else):
        return False
    ours, theirs = choice.body, choice.orelse.body
    if not isinstance(ours, cst.IndentedBlock) or not isinstance(theirs, cst.IndentedBlock):
        return False
    return _words(ours) == _words(theirs)


def _words(block: cst.IndentedBlock) -> list[str]:
    return [code(item.with_changes(leading_lines=())).strip() for item in block.body]


def _leave_out(work: NormalizationRound, call: cst.Call, choice: cst.If | cst.IfExp) -> None:
    """Ask only what else must hold."""
    around = work.index.parents[call]
    is_nested = isinstance(work.index.parents[choice], cst.If)
    if isinstance(around, cst.BooleanOperation):
        other = around.right if around.left is call else around.left
        work.edits.replace(around, lambda rewrite: rewrite.expression(other))
    elif isinstance(choice, cst.IfExp):
        work.edits.replace(choice, lambda rewrite: rewrite.expression(choice.body))
    elif is_nested or not isinstance(choice.body, cst.IndentedBlock):
        work.edits.replace(call, always(cst.Name("True")))
    else:
        block = choice.body
        work.edits.rewrite_statement(choice, lambda rewrite: rewrite.block(block))


__all__ = ["normalize_gradient_modes"]
