"""Whether a module is trained, said in the middle of an expression, is said behind its line.

target = copy.deepcopy(model).eval().requires_grad_(False)   ->   target = copy.deepcopy(model).eval()
                                                                  target.requires_grad_(False)
return net.requires_grad_(False)                              ->   net.requires_grad_(False)
                                                                  return net
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.evaluation_order import say_apart
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING, SETTING
from torch2jax.program.calls import chain_start
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_FLAG = "requires_grad_"


def normalize_chained_flags(work: NormalizationRound) -> None:
    """Normalize the lines of a file that give a place, or the caller, a module which they flag."""
    for line in work.index.every(cst.SimpleStatementLine):
        if len(line.body) != 1 or not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)):
            continue
        match line.body[0]:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() | cst.Attribute() as place)], value=value):
                call = _flagging(work, value)
                if call is not None and dotted(place) is not None:
                    say_apart(work, line, call, place, behind=True)
            case cst.Return(value=cst.BaseExpression() as value):
                call = _flagging(work, value)
                start = chain_start(value, PLACING | SETTING)
                if call is not None and isinstance(start, cst.Name):
                    say_apart(work, line, call, start)


def _flagging(work: NormalizationRound, value: cst.BaseExpression) -> cst.Call | None:
    """The one call that sets the flag in a chain of methods which give their module back."""
    found: list[cst.Call] = []
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        if value.func.attr.value not in PLACING | SETTING:
            break
        found += [value] if value.func.attr.value == _FLAG else []
        value = value.func.value
    if len(found) != 1 or work.values(found[0].func.value).kind is not Kind.MODULE:  # type: ignore[attr-defined]
        return None
    acts = any(isinstance(node, (cst.Call, cst.NamedExpr)) for item in found[0].args for node in descendants(item))
    return None if acts else found[0]


__all__ = ["normalize_chained_flags"]
