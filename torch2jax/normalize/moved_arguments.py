"""A module that is moved where a function of the program is given it is moved in front of the line: the function may change it.

train(net.to(device), loader)                 ->   net.to(device)
                                                   train(net, loader)
train(net.cuda() if use_cuda else net, data)  ->   train(net, data)

In torch that is the same module. What a function gives back of a module takes the place of what it was given, which has a name then.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.moves import split_move
from torch2jax.normalize.evaluation_order import say_apart
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_ACTING = (cst.Call, cst.NamedExpr, cst.Await, cst.Yield)
_LATER = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


def normalize_moved_arguments(work: NormalizationRound) -> None:
    """Normalize all such arguments of a file, where modules are values."""
    if work.effects is None or not work.effects.threads:
        return
    for call in work.index.calls:
        if not work.values.callees.get(call):
            continue
        for argument in call.args:
            match argument.value:
                case cst.Call() as moved if _place(work, moved) is not None:
                    _normalize(work, moved)
                case cst.IfExp(body=body, orelse=orelse) as choice:
                    yes, no = _place(work, body), _place(work, orelse)
                    is_one = yes is not None and no is not None and code(yes) == code(no)
                    if is_one and _only_asks_torch(work, choice.test):
                        work.edits.replace(choice, lambda rewrite, yes=yes: rewrite(yes))  # type: ignore[misc]


def _place(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The place of the module that an expression gives, or moves and gives: `net` of `net.to(device)`."""
    match node:
        case cst.Name() | cst.Attribute():
            is_module = dotted(node) is not None and work.values(node).kind is Kind.MODULE
            return node if is_module else None
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name))) if name in PLACING:
            call = cst.ensure_type(node, cst.Call)
            is_move = not work.values.callees.get(call) and split_move(work.values, call)[1] is None
            return _place(work, owner) if is_move else None
    return None


def _only_asks_torch(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression changes nothing: it reads, or asks torch where a module shall lie."""
    asks = [item for item in (node, *descendants(node)) if isinstance(item, _ACTING)]
    return all(isinstance(item, cst.Call) and work.values(item.func).kind is Kind.TORCH for item in asks)


def _normalize(work: NormalizationRound, moved: cst.Call) -> None:
    """Move the module in front of the line, which nothing else in it can tell from where it was moved."""
    line = work.index.statement_of(moved)
    around = list(work.index.ancestors(moved))
    around = around[: around.index(line)]
    owner = cst.ensure_type(moved.func, cst.Attribute).value
    if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
        is_plain = all(_only_asks_torch(work, item.value) for item in moved.args)
        if (
            is_plain
            and isinstance(owner, (cst.Name, cst.Attribute))
            and not any(isinstance(item, _LATER) for item in around)
        ):
            say_apart(work, line, moved, owner)


__all__ = ["normalize_moved_arguments"]
