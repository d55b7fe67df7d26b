"""`torch.__version__`: the version whose behaviour the translation has; comparisons with it are decided here.

if torch.__version__ >= "1.8":   ->   if True:

A program that asserts which version of timm or torchvision it has runs with that one only, and its translation without it: the
line goes.
"""

from __future__ import annotations

import operator
import re

import libcst as cst

from torch2jax.ops.names import VERSION
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import always
from torch2jax.values import Kind

_OPERATORS = {
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
}
_OF_LIBRARIES = ("timm.__version__", "torchvision.__version__", "torchaudio.__version__")
_MIRRORED = {operator.lt: operator.gt, operator.le: operator.ge, operator.gt: operator.lt, operator.ge: operator.le}


def rewrite_versions(unit: Unit) -> None:
    """Decide comparisons of the version with another, which torch compares number by number."""
    for line in unit.facts.program.index.every(cst.SimpleStatementLine):
        if len(line.body) == 1 and isinstance(line.body[0], cst.Assert) and _asks_library(unit, line.body[0].test):
            unit.settle(line)
            unit.edits.remove(line)
    for node in unit.facts.program.index.every(cst.Comparison):
        if len(node.comparisons) != 1:
            continue
        (target,) = node.comparisons
        sides = (node.left, target.comparator)
        ours = [_is_version(unit, side) for side in sides]
        if ours.count(True) != 1:
            continue
        compare = _OPERATORS.get(type(target.operator))
        other = _numbers(unit, sides[ours.index(False)])
        if compare is None or other is None:
            if compare is not None:
                unit.problem(node, "T2J205", name="torch.__version__")
            continue
        if not ours[0]:
            compare = _MIRRORED.get(compare, compare)
        mine = [int(part) for part in VERSION.split(".")]
        length = max(len(mine), len(other))
        result = compare(*(numbers + [0] * (length - len(numbers)) for numbers in (mine, other)))
        unit.settle(node)
        unit.edits.replace(node, always(cst.Name(str(result))))


def _asks_library(unit: Unit, test: cst.BaseExpression) -> bool:
    """`timm.__version__ == "0.3.2"`"""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    sides = (test.left, test.comparisons[0].comparator)
    names = [unit.facts.values.torch_name(side) for side in sides]
    texts = [unit.facts.values(side).kind is Kind.STR for side in sides]
    return any(texts) and any(name in _OF_LIBRARIES for name in names)


def _is_version(unit: Unit, node: cst.BaseExpression) -> bool:
    return unit.facts.values.torch_name(node) in ("torch.__version__", "torch.version.__version__")


def _numbers(unit: Unit, node: cst.BaseExpression) -> list[int] | None:
    """The numbers of a version that is written out as a text or a tuple."""
    value = unit.facts.values(node)
    if value.kind is Kind.STR and isinstance(value.const, str):
        return [int(part) for part in value.const.split(".")] if re.fullmatch(r"\d+(\.\d+)*", value.const) else None
    numbers = [item.const for item in value.items or ()]
    return [int(item) for item in numbers] if numbers and all(type(item) is int for item in numbers) else None  # type: ignore[call-overload]
