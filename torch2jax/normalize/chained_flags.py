"""Whether a module is trained, said in the middle of an expression, is said behind its line.

target = copy.deepcopy(model).eval().requires_grad_(False)   ->   target = copy.deepcopy(model).eval()
                                                                  target.requires_grad_(False)
return net.requires_grad_(False)                              ->   net.requires_grad_(False)
                                                                  return net
self.emb.weight = nn.Parameter(table, requires_grad=False)   ->   self.emb.weight = nn.Parameter(table)
                                                                  self.emb.weight.requires_grad = False
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.parameters import parameter_flag
from torch2jax.normalize.evaluation_order import placed_instead, say_apart
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING, SETTING
from torch2jax.program.calls import chain_start
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import NOTHING, Kind

_FLAG = "requires_grad_"


def normalize_chained_flags(work: NormalizationRound) -> None:
    """Normalize the lines of a file that give a place, or the caller, a module which they flag, or a layer its weight."""
    for line in work.index.every(cst.SimpleStatementLine):
        if len(line.body) != 1 or not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)):
            continue
        match line.body[0]:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() | cst.Attribute() as place)], value=value):
                call = _flagging(work, value)
                if call is not None and dotted(place) is not None:
                    say_apart(work, line, call, place, behind=True)
                made = _weight_with_flag(work, place, value)
                if made is not None:
                    behind = _flagged_behind(work, place, made)
                    work.edits.replace(made, lambda rewrite, made=made: _trained(made, rewrite))  # type: ignore[misc]
                    work.edits.after(line, always_statements(placed_instead(work, line, behind)))
            case cst.Return(value=cst.BaseExpression() as value):
                call = _flagging(work, value)
                start = chain_start(value, PLACING | SETTING)
                if call is not None and isinstance(start, cst.Name):
                    say_apart(work, line, call, start)


def _weight_with_flag(
    work: NormalizationRound, place: cst.BaseExpression, value: cst.BaseExpression
) -> cst.Call | None:
    """The call that makes a parameter which is not trained, or by a flag, where a layer of torch gets it for a weight."""
    if not isinstance(place, cst.Attribute) or not isinstance(value, cst.Call) or not value.args:
        return None
    layer, flag = work.values(place.value), parameter_flag(value)
    layers = work.effects.tables.layers.keys() if work.effects is not None else frozenset()
    is_layer = layer.kind is Kind.MODULE and bool(layer.types) and layer.types <= layers
    is_made = work.values.torch_name(value.func) == "torch.nn.Parameter" and value.args[0].keyword is None
    if flag is None or not is_layer or not is_made or len(value.args) != 2:
        return None
    is_asked = isinstance(flag, cst.Name) and work.values(flag).const is NOTHING
    return value if is_asked or work.values(flag).const is False else None


def _flagged_behind(work: NormalizationRound, place: cst.BaseExpression, made: cst.Call) -> cst.BaseStatement:
    """The statement that takes the parameter out of training."""
    flag, text = parameter_flag(made), "{place}.requires_grad = False"
    if flag is None or work.values(flag).const is False:
        return quote_statement(text, place=work.copy(place))
    return quote_statement(f"if not {{flag}}:\n    {text}\n", place=work.copy(place), flag=work.copy(flag))


def _trained(made: cst.Call, rewrite: Rewriter) -> cst.Call:
    """The parameter without its flag."""
    given = made.args[0].with_changes(value=rewrite.expression(made.args[0].value), comma=cst.MaybeSentinel.DEFAULT)
    return made.with_changes(args=[given])


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
