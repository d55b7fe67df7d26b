"""Lines that show numbers and with which both branches of a choice end, normalized to one line behind it.

if use_amp:                                   if use_amp:
    with torch.autocast("cuda"):                  with torch.autocast("cuda"):
        loss = criterion(model(x), y)                 loss = criterion(model(x), y)
        losses.append(loss.item())      ->    else:
else:                                             loss = criterion(model(x), y)
    loss = criterion(model(x), y)             losses.append(loss.item())
    losses.append(loss.item())

What a loss is computed with is compiled, what looks at its number is not.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.training import is_host
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.shared_backwards import is_same
from torch2jax.ops.contexts import AUTOCASTS
from torch2jax.syntax.edits import always_statements


def normalize_common_endings(work: NormalizationRound) -> None:
    """Normalize one line of each such choice, the inner ones first."""
    if not work.program.mentions("backward"):
        return
    for node in work.index.every(cst.If):
        assert isinstance(node, cst.If)
        if not isinstance(node.orelse, cst.Else) or not isinstance(
            work.index.parents[node], (cst.IndentedBlock, cst.Module)
        ):
            continue
        ours, theirs = _last(work, node.body), _last(work, node.orelse.body)
        if ours is None or theirs is None or not is_same(ours, theirs):
            continue
        if is_host(ours, work.values) and not any(line in work.edits.nodes for line in (ours, theirs)):
            work.edits.remove(ours)
            work.edits.remove(theirs)
            work.edits.after(node, always_statements([work.copy(ours).with_changes(leading_lines=[])]))


def _last(work: NormalizationRound, block: cst.BaseSuite) -> cst.SimpleStatementLine | None:
    """The line with which a block ends, below `with autocast()`, if others stand above it and it only calls something."""
    if not isinstance(block, cst.IndentedBlock) or not block.body:
        return None
    line = block.body[-1]
    if isinstance(line, cst.With) and all(_is_autocast(work, item.item) for item in line.items):
        return _last(work, line.body)
    is_call = isinstance(line, cst.SimpleStatementLine) and all(
        isinstance(item, cst.Expr) and isinstance(item.value, cst.Call) for item in line.body
    )
    return line if is_call and len(block.body) > 1 else None  # type: ignore[return-value]


def _is_autocast(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and work.values.torch_name(node.func) in AUTOCASTS


__all__ = ["normalize_common_endings"]
