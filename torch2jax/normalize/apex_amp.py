"""Mixed precision of apex, normalized away: it is for GPUs, and everything is computed in the precision of the arrays themselves.

model, optimizer = amp.initialize(model, optimizer, opt_level="O1")   ->   (gone)
with amp.scale_loss(loss, optimizer) as scaled_loss:                       loss.backward()
    scaled_loss.backward()
amp.master_params(optimizer)                                               [p for group in optimizer.param_groups for p in ...]
{"amp": amp.state_dict()}                                                  {"amp": {}}
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.combined_schedulers import argument
from torch2jax.normalize.accelerators import give_back
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants

_AMP = "apex.amp."
_SILENT = frozenset({"init", "load_state_dict", "register_float_function", "register_half_function"})
_FULL = "O0"  # the level that computes in float32


def normalize_apex_amp(work: NormalizationRound) -> None:
    """Normalize all that is done with `apex.amp`."""
    if not work.program.mentions("apex"):
        return
    for call in work.index.calls:
        name = work.values.torch_name(call.func) or ""
        if not name.startswith(_AMP) or any(item.star for item in call.args):
            continue
        match name.removeprefix(_AMP):
            case "initialize":
                _initialize(work, call)
            case "scale_loss":
                _scale_loss(work, call)
            case "master_params" if len(call.args) == 1:
                work.edits.replace(call, partial(_trained, call))
            case "state_dict" if not call.args:
                work.edits.replace(call, always(quote("{}")))
            case silent if silent in _SILENT and isinstance(work.index.parents[call], cst.Expr):
                work.edits.remove(work.index.statement_of(call))


def _initialize(work: NormalizationRound, call: cst.Call) -> None:
    """Models come back as they are; models and optimizers as a pair."""
    names = [(0, "models"), (1, "optimizers")]
    given = [value for place, name in names if (value := argument(call, place, name)) is not None]
    level = argument(call, 3, "opt_level")
    if not given:
        return
    if level is None or work.values(level).const != _FULL:
        work.lasting.append(Problem(work.index.statement_of(call), "T2J102", {"name": code(call.func)}))
    give_back(work, call, [cst.Arg(value) for value in given])


def _trained(call: cst.Call, rewrite: Rewriter) -> cst.BaseExpression:
    optimizer = rewrite.expression(call.args[0].value)
    return quote("[p for group in {optimizer}.param_groups for p in group['params']]", optimizer=optimizer)


def _scale_loss(work: NormalizationRound, call: cst.Call) -> None:
    """`with amp.scale_loss(loss, optimizer) as scaled:` is its block, with the loss in the place of `scaled`."""
    statement = work.index.parents[work.index.parents[call]]
    loss = argument(call, 0, "loss")
    match statement:
        case cst.With(
            items=[cst.WithItem(asname=cst.AsName(name=cst.Name(scaled)))], body=cst.IndentedBlock() as block
        ):
            pass
        case _:
            return
    if loss is None:
        return
    uses = [node for node in descendants(block, cst.Name) if node.value == scaled]
    if len(uses) == 1 and uses[0] in descendants(block.body[0]) and not _is_read_behind(work, call, scaled):
        work.edits.replace(uses[0], lambda rewrite: rewrite.expression(loss))
        work.edits.rewrite_statement(statement, lambda rewrite: rewrite.block(block))
        return

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        first = quote_statement(f"{scaled} = {{loss}}", loss=rewrite.expression(loss))
        return [first, *rewrite.block(block)]

    work.edits.rewrite_statement(statement, build)


def _is_read_behind(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    """Whether a name that `with` binds is used outside of such blocks."""
    function = work.index.function_of(call) or work.index.module
    every = [node for node in descendants(function, cst.Name) if node.value == name]
    return not all(any(_binds(around, name) for around in work.index.ancestors(node)) for node in every)


def _binds(statement: cst.CSTNode, name: str) -> bool:
    return isinstance(statement, cst.With) and any(
        item.asname is not None and dotted(item.asname.name) == name for item in statement.items
    )


__all__ = ["normalize_apex_amp"]
