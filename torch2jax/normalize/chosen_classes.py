"""Module classes without `__init__` that are called beside others, as `CLASSES[name]()`: they get one, which takes the same key.

class Identity(nn.Module):          ->   class Identity(nn.Module):
    def forward(self, x):                    def __init__(self):
        return x                                 super().__init__()

                                             def forward(self, x):
                                                 return x
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.quote import quote_statement
from torch2jax.values import Kind


def normalize_chosen_classes(work: NormalizationRound) -> None:
    """Normalize all such classes of a file."""
    effects = work.effects
    assert effects is not None
    bare = {
        key: item for key, item in work.program.class_by_key.items() if item.is_module and not item.method("__init__")
    }
    chosen: set[str] = set()
    for call in work.index.calls if bare else ():
        callee = work.values(call.func)
        if (
            callee.kind in (Kind.CLASS, Kind.FUNCTION)
            and len(callee.types) > 1
            and not bare.keys().isdisjoint(callee.types)
        ):
            if effects.draw_of(call) is not Draw.NONE:
                chosen |= bare.keys() & callee.types
    own = set(work.program.classes.values())
    for key in sorted(chosen):
        if bare[key] in own and isinstance(bare[key].node.body, cst.IndentedBlock):
            made = quote_statement("def __init__(self):\n    super().__init__()\n")
            work.edits.prologue(bare[key].node.body, lambda rewrite, made=made: [made])  # type: ignore[misc]


__all__ = ["normalize_chosen_classes"]
