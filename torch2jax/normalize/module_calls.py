"""Calls of torch's own files, such as `torch.utils.checkpoint(layer)` for `torch.utils.checkpoint.checkpoint`: torch answers with
an error, which is raised, and what stands behind it in its block never runs.

self.inc = torch.utils.checkpoint(self.inc)      ->   raise TypeError("'module' object is not callable")
self.outc = torch.utils.checkpoint(self.outc)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants


def normalize_module_calls(work: NormalizationRound) -> None:
    """Normalize all such lines of a file."""
    if work.effects is None:
        return
    removed: set[cst.CSTNode] = set()
    for call in work.index.calls:
        name = work.values.torch_name(call.func)
        if name is None or not _is_file(work, name) or _runs_before(call):
            continue
        small = work.index.parents[call]
        line = work.index.parents.get(small)
        is_value = isinstance(small, (cst.Assign, cst.Expr, cst.Return)) and small.value is call
        if not is_value or not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1 or line in removed:
            continue
        block = work.index.parents[line]
        if not isinstance(block, (cst.IndentedBlock, cst.Module)):
            continue
        error = quote_statement("raise TypeError(\"'module' object is not callable\")")
        work.edits.rewrite_statement(line, lambda rewrite, error=error: [error])  # type: ignore[misc]
        for other in block.body[list(block.body).index(line) + 1 :] if isinstance(block, cst.IndentedBlock) else ():
            work.edits.remove(other)
            removed.update(descendants(other))


def _is_file(work: NormalizationRound, name: str) -> bool:
    """Whether a name of torch is that of a module with functions, and no function itself."""
    assert work.effects is not None
    tables = work.effects.tables
    known = {*tables.functions, *tables.layers}
    last = name.rpartition(".")[2]
    return name.startswith("torch.") and last.islower() and name not in known and f"{name}.{last}" in known


def _runs_before(call: cst.Call) -> bool:
    """Whether an argument does something before the call fails."""
    inner = (node for item in call.args for node in descendants(item.value))
    return any(isinstance(node, (cst.Call, cst.Await, cst.Yield, cst.NamedExpr)) for node in inner)


__all__ = ["normalize_module_calls"]
