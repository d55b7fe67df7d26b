"""Names of torch that are asked for as text.

hasattr(F, "scaled_dot_product_attention")   ->   True        getattr(nn, "ReLU")   ->   as `nn.ReLU`
"""

from __future__ import annotations

import libcst as cst

from torch2jax.ops.names import has_name
from torch2jax.program.program import canonical
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import always
from torch2jax.values import Kind


def rewrite_questions(unit: Unit) -> None:
    """Decide whether torch has something, as the version of torch does that is translated."""
    for call in unit.facts.program.index.calls:
        if not isinstance(call.func, cst.Name) or call.func.value != "hasattr" or len(call.args) != 2:
            continue
        base, name = (unit.facts.values(item.value) for item in call.args)
        module = unit.facts.values.torch_name(call.args[0].value)
        if (
            base.kind is not Kind.TORCH
            or module is None
            or name.kind is not Kind.STR
            or not isinstance(name.const, str)
        ):
            continue
        if name.const.startswith("_"):
            continue
        unit.settle(call)
        known = has_name(canonical(f"{module}.{name.const}")) or has_name(f"{module}.{name.const}")
        unit.edits.replace(call, always(cst.Name(str(known))))
