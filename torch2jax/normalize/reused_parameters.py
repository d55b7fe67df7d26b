"""Parameters that say what to make, and are the variable for what is made, too: that gets a name of its own.

def make(model, lr):                               def make(model, lr):
    if model == "small":                               if model == "small":
        model = Small()                    ->              net = Small()
    elif model == "large":                             elif model == "large":
        model = Large()                                    net = Large()
    return model, SGD(model.parameters(), lr)          return net, SGD(net.parameters(), lr)

A variable that may hold a text or a model is followed as neither. Callers give nothing but texts, or no path leads past what is
made: torch would go on with a text where a model, an optimizer or a scheduler is needed.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Function
from torch2jax.syntax.edits import always
from torch2jax.syntax.fresh import FreshNames
from torch2jax.values import Kind

_NAMES = {
    Kind.MODULE: ("model", "net", "network", "module"),
    Kind.OPTIMIZER: ("optimizer", "opt", "optim"),
    Kind.SCHEDULER: ("scheduler", "lr_scheduler", "sched"),
}
_LOSSES = ("criterion", "loss_fn")


def normalize_reused_parameters(work: NormalizationRound) -> None:
    """Normalize all such parameters of a file."""
    for function in work.program.functions.values():
        fresh: FreshNames | None = None
        for param in function.parameters:
            made = _made(work, function, param)
            if made is None:
                continue
            reads = _reads(work, made)
            if reads is None:
                continue
            fresh = fresh or work.names_at(function.node.body)
            name = _name(work, made, param.name.value, fresh)
            for node in (*(item.node for item in made), *reads):
                work.edits.replace(node, always(cst.Name(name)))


def _made(work: NormalizationRound, function: Function, param: cst.Param) -> list[Definition] | None:
    """What a parameter is bound to besides what callers give, where some of that is a model, an optimizer or a scheduler."""
    every = work.program.definitions.every_of_name(param.name)
    made = [item for item in every if item.how is not How.PARAMETER]
    if not made or len(made) == len(every):
        return None
    for item in made:
        if item.how is not How.ASSIGNED or not isinstance(item.node, cst.Name) or item.value is None:
            return None
        if work.program.function_around(item.node) is not function or work.set_alone(item.node) is None:
            return None
    return made if any(work.values(item.value).kind in _NAMES for item in made if item.value) else None


def _reads(work: NormalizationRound, made: Sequence[Definition]) -> list[cst.Name] | None:
    """The reads of what is made; None if they are not told from those of what callers give."""
    definitions, function = work.program.definitions, work.program.function_around(made[0].node)
    variable = made[0].variable
    given: list[cst.Name] = []
    found: list[cst.Name] = []
    is_mixed = False
    for use in work.index.names:
        if use.value != variable.name or work.index.is_label(use) or definitions.scopes.variable(use) != variable:
            continue
        if definitions.is_bound(use):
            continue
        if work.program.function_around(use) is not function:
            return None
        seen = definitions.of(use)
        is_given = any(item.how is How.PARAMETER for item in seen)
        is_mixed = is_mixed or (is_given and len(seen) > 1)
        (found if any(item in made for item in seen) else given).append(use)
    are_texts = all(work.values(use).kind is Kind.STR for use in given)
    if not given or (is_mixed and not are_texts):
        return None
    return found if are_texts or all(_is_compared(work, use) for use in given) else None


def _is_compared(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a variable is compared with a text there."""
    match work.index.parents[use]:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=cst.SimpleString())]):
            return left is use
    return False


def _name(work: NormalizationRound, made: Sequence[Definition], own: str, fresh: FreshNames) -> str:
    values = [work.values(item.value) for item in made if item.value is not None]
    kind = next(value.kind for value in values if value.kind in _NAMES)
    wishes = _LOSSES if all(value.is_loss_module for value in values) else _NAMES[kind]
    return fresh(next((wish for wish in wishes if wish != own and fresh.is_free(wish)), own))


__all__ = ["normalize_reused_parameters"]
