"""Questions whether an optimizer has a field: its state lies beside it in the translation, so they are answered.

second = hasattr(opt, "is_second_order") and opt.is_second_order    ->    second = False
if hasattr(opt, "param_groups"):                                    ->    rate = opt.param_groups[0]["lr"]
    rate = opt.param_groups[0]["lr"]

Questions whether a file of the program has a name are answered, too, where all have it that it may be: `importlib.import_module(path)`
is one of those that have all that is asked of it.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.names_as_text import module_of
from torch2jax.normalize.answers import find_answer
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.names import has_name
from torch2jax.program.program import Program
from torch2jax.values import Kind, files_of

_FIELDS = frozenset({"defaults", "param_groups", "state"})  # the methods have public names


def normalize_optimizer_questions(work: NormalizationRound) -> None:
    """Answer all such questions of a file."""
    for call in work.index.calls:
        says = _has_field(work, call)
        if says is not None:
            find_answer(work, call, says).put()


def _has_field(work: NormalizationRound, call: cst.Call) -> bool | None:
    """Whether an optimizer, or a file, has what a call asks it for: one that all of torch's have, or that nobody sets."""
    match call:
        case cst.Call(func=cst.Name("hasattr"), args=[cst.Arg(value=owner), cst.Arg(value=asked)]):
            name = work.values(asked).const
        case _:
            return None
    if isinstance(name, str) and (files := files_of(work.values(owner))):
        places = [module_of(work.program, file) for file in files]
        return True if all(place is not None and name in place.module_env for place in places) else None
    if work.values(owner).kind is not Kind.OPTIMIZER or not isinstance(name, str):
        return None
    if name in _FIELDS or has_name(f"torch.optim.Optimizer.{name}"):
        return True
    if name.startswith("_") or any(_sets_field(file, name) for file in work.program.files):
        return None
    return False


def _sets_field(file: Program, name: str) -> bool:
    """Whether a file sets a field of this name, in whatever object, or declares it in a class."""
    return name in file.changed_fields or any(name in item.fields for item in file.classes.values())


__all__ = ["normalize_optimizer_questions"]
