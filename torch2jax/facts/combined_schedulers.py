"""Schedulers of schedulers: one that runs after the other becomes a schedule that joins theirs.

warmup = LinearLR(optimizer, 0.1)                      ->    warmup = optax.linear_schedule(0.4 * 0.1, 0.4, 5)
decay = CosineAnnealingLR(optimizer, 20)                     decay = cosine_annealing(0.4, 20)
scheduler = SequentialLR(optimizer, [warmup, decay], [5])    scheduler = optax.join_schedules([warmup, decay], [5])

What is combined must be in sight, made for this alone, and be the same function of the count of steps wherever it starts.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Program
from torch2jax.values import Kind

_PREFIX = "torch.optim.lr_scheduler."
SEQUENTIAL = f"{_PREFIX}SequentialLR"
_PARTS = frozenset(
    f"{_PREFIX}{name}"
    for name in (
        "ConstantLR",
        "CosineAnnealingLR",
        "CosineAnnealingWarmRestarts",
        "ExponentialLR",
        "LinearLR",
        "MultiStepLR",
        "PolynomialLR",
        "StepLR",
    )
)  # schedulers that begin with the learning rate of the optimizer, whatever it is at the moment


def argument(call: cst.Call, position: int, name: str) -> cst.BaseExpression | None:
    """What a call gives to a parameter."""
    named = [item.value for item in call.args if item.keyword is not None and item.keyword.value == name]
    given = [item.value for item in call.args if item.keyword is None and not item.star]
    return named[0] if named else given[position] if position < len(given) else None


def combined_parts(program: Program, values: Values, made: Sequence[cst.Call]) -> dict[cst.Call, list[cst.Call]]:
    """The schedulers that others combine, in their order, as far as they can be followed."""
    found = {}
    for call in made:
        if values.torch_name(call.func) != SEQUENTIAL:
            continue
        parts = _parts(program, values, made, call)
        if parts and all(values.torch_name(item.func) in _PARTS for item in parts) and _has_counts(values, call):
            found[call] = parts
    return found


def milestones(call: cst.Call) -> list[cst.BaseExpression]:
    """The counts of steps at which one scheduler follows the other, where they are in sight."""
    given = argument(call, 2, "milestones")
    elements = list(given.elements) if isinstance(given, (cst.List, cst.Tuple)) else []
    return [] if any(isinstance(item, cst.StarredElement) for item in elements) else [item.value for item in elements]


def _has_counts(values: Values, call: cst.Call) -> bool:
    """Whether the milestones are numbers that the count of steps may reach."""
    given = milestones(call)
    return bool(given) and all(values(item).kind is not Kind.FLOAT for item in given)


def _parts(program: Program, values: Values, made: Sequence[cst.Call], call: cst.Call) -> list[cst.Call]:
    given = argument(call, 1, "schedulers")
    elements = list(given.elements) if isinstance(given, (cst.List, cst.Tuple)) else []
    found = [_maker(program, values, made, item.value) for item in elements]
    known = [item for item in found if item is not None]
    return known if len(known) == len(found) and len(set(known)) == len(known) else []


def _maker(program: Program, values: Values, made: Sequence[cst.Call], element: cst.BaseExpression) -> cst.Call | None:
    """The call that makes an element of the list: there, or in a variable that is read there alone."""
    index = program.index
    if isinstance(element, cst.Call):
        return element if element in made else None
    if not isinstance(element, cst.Name):
        return None
    uses = [
        item
        for item in index.names
        if item.value == element.value
        and item is not element
        and values(item).kind is Kind.SCHEDULER
        and values(item).types & values(element).types
        and not index.is_label(item)
    ]
    for item in made:
        parent = index.parents[item]
        if isinstance(parent, cst.Assign) and [target.target for target in parent.targets] == uses:
            return item if program.function_around(item) is program.function_around(element) else None
    return None
