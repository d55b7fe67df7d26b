"""Layers of torch that are told to change their arguments in place, or not: their results are the same, and the lines go.

for m in net.modules():                      ->   for m in net.modules():
    if isinstance(m, nn.ReLU):                        if isinstance(m, nn.ReLU):
        m.inplace = True                                  pass

That some layer may change its argument from there on is noted: whoever still reads such an argument is told.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import LISTED_MODULE
from torch2jax.facts.mutations import SETS_INPLACE
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.signatures import parse_signature
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.values import Kind


def normalize_inplace_settings(work: NormalizationRound) -> None:
    """Leave out all such lines of a file."""
    if work.effects is None:
        return
    for node in work.index.attributes:
        target = work.index.parents[node] if node.attr.value == "inplace" else None
        assign = work.index.parents[target] if isinstance(target, cst.AssignTarget) else None
        line = work.index.parents[assign] if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or not isinstance(assign, cst.Assign):
            continue
        if not isinstance(work.values(assign.value).const, bool) or not _is_of_layer(work, node.value):
            continue
        if work.values(assign.value).const is not False:
            work.marks.add((SETS_INPLACE,))
        is_alone = len(getattr(work.index.parents[line], "body", ())) == 1
        work.edits.rewrite_statement(line, always_statements([quote_statement("pass")] if is_alone else []))


def _is_of_layer(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether a module is a layer of torch that may change its argument in place, or some layer, where no class of the program has
    such a setting of its own.
    """
    value = work.values(place)
    is_module = value.kind is Kind.MODULE or LISTED_MODULE in value.types
    if not is_module or dotted(place) is None or work.effects is None:
        return False
    layers = [work.effects.tables.layers.get(name) for name in value.types - {LISTED_MODULE}]
    if layers:
        return all(layer is not None and "inplace" in parse_signature(layer.signature) for layer in layers)
    own = (item for item in work.program.class_by_key.values() if item.is_module)
    return not any(name == "inplace" for item in own for name, _ in item.all_fields())


__all__ = ["normalize_inplace_settings"]
