"""Names of torch that are asked for as text.

hasattr(F, "scaled_dot_product_attention")   ->   True        getattr(nn, "ReLU")   ->   as `nn.ReLU`
"silu" in dir(torch.nn.functional)           ->   True
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
    index = unit.facts.program.index
    for call in index.calls:
        match call:
            case cst.Call(func=cst.Name("hasattr"), args=[cst.Arg(value=base), cst.Arg(value=name)]):
                _decide(unit, call, base, name)
            case cst.Call(func=cst.Name("dir"), args=[cst.Arg(value=base)]):
                match index.parents.get(index.parents[call]):
                    case (
                        cst.Comparison(
                            left=name, comparisons=[cst.ComparisonTarget(cst.In() | cst.NotIn() as word)]
                        ) as asked
                    ):
                        _decide(unit, asked, base, name, is_negated=isinstance(word, cst.NotIn))


def _decide(
    unit: Unit, asked: cst.BaseExpression, base: cst.BaseExpression, name: cst.BaseExpression, is_negated: bool = False
) -> None:
    text, module = unit.facts.values(name), unit.facts.values.torch_name(base)
    if unit.facts.values(base).kind is not Kind.TORCH or module is None:
        return
    if text.kind is not Kind.STR or not isinstance(text.const, str) or text.const.startswith("_"):
        return
    unit.settle(asked)
    known = has_name(canonical(f"{module}.{text.const}")) or has_name(f"{module}.{text.const}")
    unit.edits.replace(asked, always(cst.Name(str(known is not is_negated))))
