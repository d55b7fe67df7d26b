"""Which calls attach forward hooks to modules, and what the files of a program have noted of the places of these modules."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.ops.modules import FORWARD_HOOKS
from torch2jax.program.program import Program

HOOKED = "hooked"
"""Marks: this word, the key of a function (none at module level), and a place in it that holds a module that takes hooks."""


def hook_calls(program: Program) -> Iterator[cst.Call]:
    """The calls of a file that attach a forward hook."""
    for call in program.index.calls:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in FORWARD_HOOKS:
            yield call


def takes_hooks(program: Program) -> bool:
    """Whether modules of a program have hooks, as far as its translation allows it."""
    return any(mark[0] == HOOKED for mark in all_marks(program))
