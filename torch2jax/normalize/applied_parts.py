"""`part.apply(init)` of the variable of a loop over modules is reported: what it makes would be lost.

for part in self.children():
    part.apply(init)            T2J200
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_REASON = "it changes the modules that a loop runs through: write `apply` of the whole model"


def normalize_applied_parts(work: NormalizationRound) -> None:
    """Report all such calls of a file."""
    for call in work.index.calls:
        match call.func:
            case cst.Attribute(value=cst.Name(name) as module, attr=cst.Name("apply")) if len(call.args) == 1:
                loops = [item for item in work.index.ancestors(call) if isinstance(item, cst.For)]
                if any(_binds(loop, name) for loop in loops) and work.values(module).kind is Kind.MODULE:
                    work.refuse(call, code(call.func), _REASON)


def _binds(loop: cst.For, name: str) -> bool:
    return any(isinstance(item, cst.Name) and item.value == name for item in (loop.target, *descendants(loop.target)))


__all__ = ["normalize_applied_parts"]
