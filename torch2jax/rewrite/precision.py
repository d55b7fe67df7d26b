"""Contexts of mixed precision of which only the running program knows whether they round.

with torch.autocast(device.type, enabled=amp):   ->   require_full_precision(type_of_device(device), enabled=amp)
    y = model(x)                                      y = model(x)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.precision import is_open, options
from torch2jax.ops.contexts import AUTOCASTS
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter


def is_decided_later(unit: Unit, context: cst.Call) -> bool:
    """Whether a context of mixed precision is one that the running program must find to change nothing."""
    name = unit.facts.values.torch_name(context.func)
    return name in AUTOCASTS and is_open(context, name, unit.facts.values, unit.facts.program.index.parents)


def require_full_precision(unit: Unit, context: cst.Call, rewrite: Rewriter) -> cst.BaseExpression:
    """`require_full_precision(kind, enabled=amp)`, which refuses what torch would round on the device that there is."""
    values = unit.facts.values
    given = options(context, str(values.torch_name(context.func)))
    kind = given.pop("device_type", None)
    if "dtype" in given and values(given["dtype"]).dtype in ("float16", "bfloat16"):
        del given["dtype"]
    if "enabled" in given and values(given["enabled"]).const is True:
        del given["enabled"]
    first = rewrite.expression(kind) if kind is not None else cst.SimpleString('"cpu"')
    text = ", ".join(["{kind}", *(f"{word}={{{word}}}" for word in given)])
    holes = {word: rewrite.expression(value) for word, value in given.items()}
    return unit.quote(f"require_full_precision({text})", kind=first, **holes)


__all__ = ["is_decided_later", "require_full_precision"]
