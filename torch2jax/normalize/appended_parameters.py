"""Parameters that are filled before a list takes them, normalized to tensors that become parameters there.

w = nn.Parameter(torch.ones(n, m))         w = torch.ones(n, m)
nn.init.kaiming_normal_(w)           ->    nn.init.kaiming_normal_(w)
self.weights.append(w)                     self.weights.append(nn.Parameter(w))

The list is the only holder of the parameter: the variable is bound in the block of these lines, filled, and not read again.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter

_MADE = "torch.nn.Parameter"


def normalize_appended_parameters(work: NormalizationRound) -> None:
    """Normalize all such parameters of a file."""
    if not work.program.mentions("ParameterList"):
        return
    for call in work.index.calls:
        match call:
            case cst.Call(
                func=cst.Attribute(value=listed, attr=cst.Name("append")),
                args=[cst.Arg(value=cst.Name() as given, keyword=None, star="")],
            ) if work.values(listed).types == {"torch.nn.ParameterList"}:
                made = _made(work, call, given)
                if made is not None:
                    work.edits.replace(made, partial(_inner, made))
                    work.edits.replace(given, partial(_as_parameter, made, given))


def _made(work: NormalizationRound, call: cst.Call, given: cst.Name) -> cst.Call | None:
    """The call that makes a parameter of a new tensor, which nothing but lines that fill it see before the list does."""
    index, definitions = work.index, work.program.definitions
    definition = definitions.bound_once(given)
    assign = definitions.assignment(definition) if definition is not None else None
    match assign:
        case cst.Assign(targets=[_], value=cst.Call(args=[cst.Arg(value=cst.Call(), star=""), *_]) as made):
            block = index.parents[index.statement_of(assign)]
        case _:
            return None
    if work.values.torch_name(made.func) != _MADE or index.parents[index.statement_of(call)] is not block:
        return None
    uses = [item for item in definitions.uses(definition) if item is not given] if definition is not None else []
    return (
        made if uses and all(_fills(work, item) and index.order[item] < index.order[given] for item in uses) else None
    )


def _fills(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a variable is what an initializer fills there: `nn.init.zeros_(w)`."""
    parent = work.index.parents[use]
    call = work.index.parents[parent]
    if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call) or call.args[0] is not parent:
        return False
    return (work.values.torch_name(call.func) or "").startswith("torch.nn.init.")


def _inner(made: cst.Call, rewrite: Rewriter) -> cst.CSTNode:
    return rewrite.expression(made.args[0].value)


def _as_parameter(made: cst.Call, given: cst.Name, rewrite: Rewriter) -> cst.CSTNode:
    first, *others = made.args
    return cst.Call(rewrite.expression(made.func), [first.with_changes(value=given.deep_clone()), *others])


__all__ = ["normalize_appended_parameters"]
