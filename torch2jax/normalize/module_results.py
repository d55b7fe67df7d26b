"""Modules that a function makes where it gives them back among other things, normalized to two lines: what is said of them, and
the state that they have, needs a name.

return Net(width), 2 * width      ->   module = Net(width)
                                       return module, 2 * width
return width, Net(width).eval()   ->   module = Net(width).eval()
                                       return width, module
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.evaluation_order import give_name, stays
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING, WRAPPING
from torch2jax.program.calls import chain_start
from torch2jax.syntax.walk import elements_of
from torch2jax.values import Kind


def normalize_made_results(work: NormalizationRound) -> None:
    """Normalize the first such module of each line of a file, where nothing but constants and names stands in front of it."""
    if work.effects is None:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Return(value=cst.Tuple() as given)]:
                first = next((item for item in elements_of(given) if not stays(work, item)), None)
                if first is not None and _is_made(work, first):
                    give_name(work, line, first, work.names_at(line)("module"))


def _is_made(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression makes a module that keeps state, where that has a place of its own, or sets the mode of one."""
    assert work.effects is not None
    made, value = chain_start(node, WRAPPING), work.values(node)
    if not isinstance(made, cst.Call) or value.kind is not Kind.MODULE:
        return False
    return chain_start(node, PLACING) is not made or (work.effects.threads and work.effects.is_stateful(value))


__all__ = ["normalize_made_results"]
