"""Lowering of clone: values need no copies, but the arrays of modules go when a step of training is given them to reuse: no two
places may have one array then.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.ops.rules import Facts
from torch2jax.ops.schema import Alternative
from torch2jax.values import PARAMETER_ROOT


def clone(facts: Facts) -> Alternative:
    """torch.clone: a copy of a parameter, or of what has a name where a module keeps the clone, an array of what a state dict
    holds, and otherwise the value itself.
    """
    node = facts.bound.one("input")
    while node is not None:
        value = facts.value_of(node)
        if "parameter" in value.types or PARAMETER_ROOT in value.roots:
            return Alternative("jnp.copy({input})")
        if "saved" in value.types:
            return Alternative("jnp.array({input})")
        match node:
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("detach"))):
                node = inner
            case cst.Attribute(value=inner, attr=cst.Name("data")):
                node = inner
            case cst.Name() | cst.Attribute() if facts.is_kept:
                return Alternative("jnp.copy({input})")
            case _:
                node = None
    return Alternative("{input}")
