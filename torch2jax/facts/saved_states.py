"""Optimizers whose states a program saves, or takes over: these have torch's form, so that files of torch fit.

torch.save(optimizer.state_dict(), path)    ->    torch.save(optimizer_state_dict(opt_state), path)

What asks for a state may stand in another file than what makes the optimizer: files are marked for each other.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values, all_marks, places_of_makers
from torch2jax.program.program import Program
from torch2jax.values import GROUPED, Kind, Value

_SAVED = "states of its optimizers are saved"  # the mark of a file
_METHODS = ("load_state_dict", "state_dict")


def saved_keys(program: Program, values: Values) -> set[str]:
    """The optimizers whose states a file asks for, or gives them."""
    if not any(map(program.mentions, _METHODS)):
        return set()
    functions = [call.func for call in program.index.calls if isinstance(call.func, cst.Attribute)]
    asked = [values(node.value) for node in functions if node.attr.value in _METHODS]
    return set[str]().union(*(value.types for value in asked if value.kind is Kind.OPTIMIZER))


def saved_marks(program: Program, values: Values) -> set[tuple[str, str]]:
    """Marks of the other files that make optimizers whose states a file saves."""
    return {(_SAVED, place) for place in places_of_makers(saved_keys(program, values)) - {program.prefix}}


def is_saved(value: Value, program: Program, values: Values) -> bool:
    """Whether the state of an optimizer that a file makes is saved somewhere."""
    if (_SAVED, program.prefix) in all_marks(program):
        return True
    return bool(value.types & saved_keys(program, values))


def has_torch_form(value: Value) -> bool:
    """Whether the state of an optimizer that is saved has torch's form: each that has groups of parameters."""
    return value.among == {GROUPED}


__all__ = ["has_torch_form", "is_saved", "saved_keys", "saved_marks"]
