"""Tests of the class of a module by its name: `"Norm" in m.__class__.__name__`, `type(m).__name__ == "Block"`, `name.find("Conv") != -1`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial

import libcst as cst

from torch2jax.program.definitions import Definitions
from torch2jax.syntax.codegen import code


def named_test(test: cst.BaseExpression, definitions: Definitions) -> tuple[cst.Name, Callable[[str], bool]] | None:
    """The variable whose class a test asks for, and which names pass it; None if it asks for something else."""
    passes: Callable[[str, str], bool]
    match test:
        case cst.Comparison(
            left=cst.SimpleString() as text, comparisons=[cst.ComparisonTarget(operator=cst.In(), comparator=name)]
        ):
            passes = _contains
        case cst.Comparison(
            left=name, comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=cst.SimpleString() as text)]
        ):
            passes = operator.eq
        case cst.Comparison(
            left=cst.Call(
                func=cst.Attribute(value=name, attr=cst.Name("find")), args=[cst.Arg(value=cst.SimpleString() as text)]
            ),
            comparisons=[cst.ComparisonTarget() as found],
        ) if _is_found(found):
            passes = _contains
        case _:
            return None
    subject, asked = _subject(name, definitions), ast.literal_eval(text.value)
    return (subject, partial(passes, asked)) if subject is not None and isinstance(asked, str) else None


def _contains(part: str, name: str) -> bool:
    return part in name


def _is_found(target: cst.ComparisonTarget) -> bool:
    """Whether what `find` gives is compared so that the text was found: `!= -1`, `> -1`, `>= 0`."""
    match target.operator:
        case cst.NotEqual() | cst.GreaterThan():
            return code(target.comparator) == "-1"
        case cst.GreaterThanEqual():
            return code(target.comparator) == "0"
    return False


def _subject(name: cst.BaseExpression, definitions: Definitions) -> cst.Name | None:
    """`m` of `m.__class__.__name__` and `type(m).__name__`, also where a variable has that name."""
    if isinstance(name, cst.Name):
        bound = definitions.bound_once(name)
        name = bound.value if bound is not None and bound.value is not None else name
    match name:
        case cst.Attribute(
            value=cst.Attribute(value=cst.Name() as subject, attr=cst.Name("__class__")), attr=cst.Name("__name__")
        ):
            return subject
        case cst.Attribute(
            value=cst.Call(func=cst.Name("type"), args=[cst.Arg(value=cst.Name() as subject)]),
            attr=cst.Name("__name__"),
        ):
            return subject
    return None


__all__ = ["named_test"]
