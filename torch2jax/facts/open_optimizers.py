"""What an optimizer trains of which nothing is known but the step that it stands in: the caller has made it.

def train(model: nn.Module, criterion: nn.Module, loader, optimizer: Optimizer):
    ...
    loss = criterion(model(x), y)       `model`: a module that only compares what others have computed is a loss
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.contexts import is_under_no_grad
from torch2jax.facts.infer import Values
from torch2jax.program.program import dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Value


def may_be_trained(region: Sequence[cst.CSTNode], models: Sequence[str], values: Values) -> list[str]:
    """The modules that gradients go into, without those that nothing shows to be more than a loss."""
    reached = [place for place in models if any(_is_recorded(call, values) for call in _calls(region, place))]
    return [place for place in reached if not _is_loss(region, place, reached, values)]


def losses_of_any_class(region: Sequence[cst.CSTNode], models: Sequence[str], values: Values) -> list[str]:
    """The modules of unknown class that are taken for losses."""
    trained = may_be_trained(region, models, values)
    return [place for place in models if place not in trained and _is_loss(region, place, models, values)]


def _is_loss(region: Sequence[cst.CSTNode], place: str, models: Sequence[str], values: Values) -> bool:
    """Whether a module of unknown class is given what others have computed beside something else, and no other is given what
    it computes.
    """
    others = [other for other in models if other != place]
    calls = list(_calls(region, place))
    if not others or not calls or any(_value(call, place, values).types for call in calls):
        return False
    fed, judged = _spread(region, others), _spread(region, [place])
    if any(dotted(call.func) != place or not _compares(call, others, fed) for call in calls):
        return False
    return not any(
        names_in(argument) & judged or any(inner in calls for inner in descendants(argument))
        for other in others
        for call in _calls(region, other)
        for argument in call.args
    )


def _compares(call: cst.Call, others: Sequence[str], fed: set[str]) -> bool:
    """Whether a call has several arguments, the first of them computed by other modules."""
    if len(call.args) < 2 or any(argument.star for argument in call.args):
        return False
    first = call.args[0].value
    return bool(names_in(first) & fed) or any(next(_calls([first], other), None) for other in others)


def _spread(region: Sequence[cst.CSTNode], places: Sequence[str]) -> set[str]:
    """The variables with what some modules have computed, by statements in their order."""
    found: set[str] = set()
    for part in region:
        reads, writes = reads_and_writes(part)
        if reads & found or any(next(_calls([part], place), None) for place in places):
            found |= writes
    return found


def _calls(region: Sequence[cst.CSTNode], place: str) -> Iterator[cst.Call]:
    """The calls of a module, its methods and parts."""
    for part in region:
        for node in (part, *descendants(part)):
            if isinstance(node, cst.Call) and f"{dotted(node.func)}.".startswith(f"{place}."):
                yield node


def _is_recorded(call: cst.Call, values: Values) -> bool:
    return call not in values.program.index.parents or not is_under_no_grad(call, values)


def _value(call: cst.Call, place: str, values: Values) -> Value:
    """What is known of the module that a call begins with."""
    node: cst.BaseExpression = call.func
    while dotted(node) != place and isinstance(node, cst.Attribute):
        node = node.value
    return values(node)


__all__ = ["losses_of_any_class", "may_be_trained"]
