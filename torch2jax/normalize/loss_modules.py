"""What is asked of losses and layers that are plain functions in JAX, as of modules: they have no parameters and no parts.

params = list(net.parameters()) + list(criterion.parameters())     ->     params = list(net.parameters())
optimizer = SGD(chain(net.parameters(), criterion.parameters()))   ->     optimizer = SGD(chain(net.parameters()))
count = sum(p.numel() for p in criterion.parameters())             ->     count = sum(p.numel() for p in [])
criterion.load_state_dict(saved)                                   ->     (reported)
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import Tables
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.values import Kind

_EMPTY = frozenset({"parameters", "named_parameters", "children", "named_children"})
_BUFFERS = frozenset({"buffers", "named_buffers", "state_dict", "load_state_dict", "modules", "named_modules"})
_ALSO_EMPTY = frozenset({"buffers", "named_buffers", "state_dict"})  # where there are no weights of classes
_REASON = "a loss is a function in the translation and has no names: save what it was made with"


def normalize_loss_modules(work: NormalizationRound) -> None:
    """Answer all such questions of a file."""
    effects = work.effects
    assert effects is not None
    for call in work.index.calls:
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _EMPTY | _BUFFERS:
            continue
        if not _is_function(work, effects.tables, call.func.value):
            continue
        name = call.func.attr.value
        if name in _ALSO_EMPTY and not _has_weights(work, effects.tables, call.func.value):
            work.edits.replace(call, always(cst.Dict([]) if name == "state_dict" else cst.List([])))
        elif name in _BUFFERS:
            work.refuse(call, f"{dotted(call.func) or call.func.attr.value}()", _REASON)
        elif not _leave_out(work, call):
            work.edits.replace(call, always(cst.List([])))


def _is_function(work: NormalizationRound, tables: Tables, node: cst.BaseExpression) -> bool:
    """Whether an expression is a layer of torch that a function takes the place of, for all targets."""
    value = work.values(node)
    if value.kind is not Kind.MODULE or not value.types:
        return False
    specs = [tables.layers.get(name) for name in value.types]
    return all(
        spec is not None and all(column.call == "function" for column in spec.targets.values()) and bool(spec.targets)
        for spec in specs
    )


def _has_weights(work: NormalizationRound, tables: Tables, node: cst.BaseExpression) -> bool:
    """Whether a loss may hold weights of classes, which are buffers in torch."""
    return any("weight=" in tables.layers[name].signature for name in work.values(node).types)


def _leave_out(work: NormalizationRound, call: cst.Call) -> bool:
    """Leave nothing out of a sum of lists, or of the arguments of a chain."""
    node: cst.CSTNode = call
    around = work.index.parents[node]
    if isinstance(around, cst.Arg):
        holder = work.index.parents[around]
        if (
            isinstance(holder, cst.Call)
            and work.values(holder.func).const == "itertools.chain"
            and len(holder.args) > 1
        ):
            work.edits.replace(holder, partial(_without, holder, around))
            return True
        if isinstance(holder, cst.Call) and dotted(holder.func) == "list":
            node, around = holder, work.index.parents[holder]
    if isinstance(around, cst.BinaryOperation) and isinstance(around.operator, cst.Add) and node is not call:
        other = around.right if around.left is node else around.left
        work.edits.replace(around, lambda rewrite: rewrite.expression(other))
        return True
    return False


def _without(call: cst.Call, gone: cst.Arg, rewrite: Rewriter) -> cst.BaseExpression:
    kept = [item for item in call.args if item is not gone]
    kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return call.with_changes(args=[item.with_changes(value=rewrite.expression(item.value)) for item in kept])


__all__ = ["normalize_loss_modules"]
