"""The generator that setting the seed gives, where nobody reads it: `self.seed = torch.manual_seed(seed)` becomes `torch.manual_seed(seed)`."""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.effects import SEEDERS
from torch2jax.normalize.own_fields import may_be_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.walk import with_fields
from torch2jax.values import Kind


def normalize_seed_results(work: NormalizationRound) -> None:
    """Normalize all such lines of a file."""
    if not work.program.mentions("manual_seed"):
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name() | cst.Attribute() as target)], value=cst.Call() as call
                )
            ] if work.values.torch_name(call.func) in SEEDERS and not _may_be_read(work, target):
                made = with_fields(line, body=[cst.Expr(call)])
                work.edits.rewrite_statement(line, always_statements([made]))


def _may_be_read(work: NormalizationRound, target: cst.Name | cst.Attribute) -> bool:
    """Whether a variable of this name stands anywhere else in the file, or objects of the class may be asked for the field."""
    function = work.program.function_around(target)
    if function is None:
        return True
    if isinstance(target, cst.Name):
        return any(node.value == target.value and node is not target for node in work.index.names)
    owner, name = function.owner, target.attr.value
    if owner is None or dotted(target) != f"{function.self_name}.{name}" or name in work.program.read_elsewhere:
        return True
    keys = {item.key for item in work.program.class_by_key.values() if owner in (item, *item.lineage)}
    return any(map(work.program.mentions, ("__dict__", "vars", "getattr"))) or any(
        node.attr.value == name
        and not isinstance(work.index.parents[node], cst.AssignTarget)
        and not work.values(node.value).is_a(Kind.TORCH, Kind.PYTHON)
        and may_be_of(work.values(node.value), keys)
        for node in work.index.attributes
    )


__all__ = ["normalize_seed_results"]
