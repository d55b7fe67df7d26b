"""Tensors of unknown dtypes that hold floats, by the arithmetic that makes them: beside a float anything becomes a float.

t = targets * gain          where `gain` holds floats, `t` does, whatever `targets` holds
gxy = t[:, 2:4]

A must-analysis over the bindings of variables. Tensors are taken to be real.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.ops.rules import FLOATS
from torch2jax.program.program import Program
from torch2jax.values import Kind

_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Power)
_JOINING = frozenset({"torch.cat", "torch.stack", "torch.concat", "torch.hstack", "torch.vstack"})
_SAME = frozenset(
    "clone contiguous detach expand flatten flip permute repeat reshape squeeze t transpose unsqueeze view".split()
)


def is_float(program: Program, values: Values, node: cst.BaseExpression) -> bool:
    """Whether an expression is a tensor of floats, or one of Python's, on all ways."""
    return _is_float(program, values, node, frozenset())


def _is_float(
    program: Program, values: Values, node: cst.BaseExpression, around: frozenset[cst.BaseExpression]
) -> bool:
    value = values(node)
    if value.dtype is not None or not value.is_a(Kind.TENSOR, Kind.UNKNOWN):
        return value.dtype in FLOATS or value.kind is Kind.FLOAT
    if node in around:
        return True  # by way of itself
    around |= {node}
    match node:
        case cst.Name():
            definitions = program.definitions.of(node)
            made = [item.value for one in definitions if (item := program.definitions.assignment(one)) is not None]
            is_known = bool(made) and len(made) == len(definitions)
            return is_known and all(_is_float(program, values, item, around) for item in made)
        case cst.BinaryOperation(left=left, operator=operator, right=right):
            if isinstance(operator, cst.Divide):
                return value.kind is Kind.TENSOR
            is_arithmetic = value.kind is Kind.TENSOR and isinstance(operator, _ARITHMETIC)
            return is_arithmetic and any(_is_float(program, values, item, around) for item in (left, right))
        case cst.UnaryOperation(operator=cst.Minus(), expression=item) | cst.Subscript(value=item):
            return values(item).kind is Kind.TENSOR and _is_float(program, values, item, around)
        case cst.Call(func=func, args=[cst.Arg(value=cst.Tuple() | cst.List() as parts), *_]) if (
            values.torch_name(func) in _JOINING
        ):
            return any(_is_float(program, values, item.value, around) for item in parts.elements)
        case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(method))) if method in _SAME:
            return values(base).kind is Kind.TENSOR and _is_float(program, values, base, around)
    return False


__all__ = ["is_float"]
