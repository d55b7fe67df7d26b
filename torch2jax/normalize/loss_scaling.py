"""Scaling of losses, normalized away: it keeps float16 from underflow, and changes no number of a step in float32.

scaler = torch.cuda.amp.GradScaler()   ->   (gone, where nothing else is done with it)
scaler.scale(loss).backward()               loss.backward()
scaler.unscale_(optimizer)                  (gone)
scaler.step(optimizer)                      optimizer.step()
scaler.update()                             (gone)

Torch itself switches a scaler for a GPU off where there is none.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind

SCALER = "GradScaler"  # the type of its values
_GONE = frozenset({"unscale_", "update", "load_state_dict"})


def normalize_loss_scaling(work: NormalizationRound) -> None:
    """Normalize all that is done with scalers of losses."""
    if not work.program.mentions(SCALER):
        return
    for call in work.index.calls:
        if isinstance(call.func, cst.Attribute) and _is_scaler(work, call.func.value):
            _method(work, call, call.func)
        elif _is_scaler(work, call):
            _drop_unused(work, call)


def _is_scaler(work: NormalizationRound, node: cst.CSTNode) -> bool:
    value = work.values(node)
    return value.kind is Kind.TORCH_OBJECT and value.types == {SCALER}


def _method(work: NormalizationRound, call: cst.Call, function: cst.Attribute) -> None:
    parent = work.index.parents[call]
    is_statement = isinstance(parent, cst.Expr)
    given = call.args[0].value if call.args and not call.args[0].star else None
    match function.attr.value:
        case "scale" if given is not None:
            work.edits.replace(call, lambda rewrite: rewrite.expression(given))
        case "step" if given is not None and is_statement:
            work.edits.replace(call, lambda rewrite: quote("{optimizer}.step()", optimizer=rewrite.expression(given)))
        case name if name in _GONE and is_statement:
            work.edits.remove(work.index.statement_of(call))


def _drop_unused(work: NormalizationRound, call: cst.Call) -> None:
    """Drop `scaler = GradScaler()` where nothing is done with it any more."""
    parent = work.index.parents[call]
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1 or _may_refuse(work, call):
        return
    name = dotted(parent.targets[0].target)
    if name is not None and sum(dotted(node) == name for node in (*work.index.names, *work.index.attributes)) == 1:
        work.edits.remove(work.index.statement_of(call))


def _may_refuse(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether only the running program knows that a scaler is not one for a CPU, which would scale."""
    if work.values.torch_name(call.func) == "torch.cuda.amp.GradScaler":
        return False
    given = {
        item.keyword.value if item.keyword is not None else str(place): item for place, item in enumerate(call.args)
    }
    device, enabled = given.get("device", given.get("0")), given.get("enabled", given.get("5"))
    if device is None or work.values(device.value).const == "cuda":
        return False
    return enabled is None or work.values(enabled.value).const is not False
