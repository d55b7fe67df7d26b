"""Lists of optimizers hold pairs: what takes one out of them gets two variables, and what puts one there gives both.

opt = opts[i]        ->    opt, opt_state = opts[i]
opts[i] = opt        ->    opts[i] = opt, opt_state
opts.append(opt)     ->    opts.append((opt, opt_state))
"""

from __future__ import annotations

import libcst as cst

from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import always
from torch2jax.syntax.quote import quote

_BARE = (cst.AssignTarget, cst.Assign)


def rewrite_listed_states(unit: Unit) -> None:
    """Write all such pairs of a file."""
    states = unit.plan.listed_states
    for name in (*states.taken, *states.given):
        function = unit.facts.program.function_around(name)
        state = companion_place(unit, function, name.value, "opt_state")
        pair = quote("({opt}, {state})", opt=name.deep_clone(), state=state or "_")
        if isinstance(unit.facts.program.index.parents[name], _BARE):
            pair = pair.with_changes(lpar=(), rpar=())
        unit.edits.replace(name, always(pair))


__all__ = ["rewrite_listed_states"]
