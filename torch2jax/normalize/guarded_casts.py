"""Fields that a method casts to the type or device of its argument, normalized to a variable of the method.

if self.alpha.type() != input.type():                 alpha = self.alpha.type_as(input)
    self.alpha = self.alpha.type_as(input)     ->     at = alpha.gather(0, target)
at = self.alpha.gather(0, target)

A cast to the type that a tensor has is nothing, so that the question makes no difference; and a field that only this method
reads, behind the cast, is cast anew by each call.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import is_assigned
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants

_ASKED = ("type", "dtype", "device")


def normalize_guarded_casts(work: NormalizationRound) -> None:
    """Normalize all such fields of a file."""
    if not work.program.mentions("type_as"):
        return
    for item in work.program.classes.values():
        for method in item.methods.values():
            for line in descendants(method.node.body, cst.If, cst.SimpleStatementLine):
                if (cast := _cast(line)) is not None and _is_own(work, item, method, line, cast):
                    _to_variable(work, method, line, cast)
                    return  # one in a round


def _cast(line: cst.CSTNode) -> cst.Assign | None:
    """`self.f = self.f.type_as(x)`, alone or where `self.f.type() != x.type()`."""
    match line:
        case cst.If(
            test=cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.NotEqual())]),
            body=cst.IndentedBlock(body=[cst.SimpleStatementLine() as inner]),
            orelse=None,
        ):
            cast = _cast(inner)
            return cast if cast is not None and _asks_of(left) == dotted(cast.targets[0].target) else None
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name("self")) as field)],
                    value=cst.Call(func=cst.Attribute(value=cast_from, attr=cst.Name("type_as")), args=[_]),
                ) as assignment
            ]
        ) if dotted(field) == dotted(cast_from):
            return assignment
    return None


def _asks_of(node: cst.BaseExpression) -> str | None:
    """`self.f` of `self.f.type()` and `self.f.dtype`."""
    asked = node.func if isinstance(node, cst.Call) and not node.args else node
    is_question = isinstance(asked, cst.Attribute) and asked.attr.value in _ASKED
    return dotted(asked.value) if is_question and isinstance(asked, cst.Attribute) else None


def _is_own(work: NormalizationRound, item: Class, method: Function, line: cst.CSTNode, cast: cst.Assign) -> bool:
    """Whether nothing else reads the field, but for `__init__`, what stands before the cast, and behind it in its block."""
    target = cast.targets[0].target
    assert isinstance(target, cst.Attribute)
    inside = set(descendants(line))
    if method.name == "__init__" or work.index.function_of(line) is not method.node:
        return False
    for node in work.index.attributes:
        if node.attr.value != target.attr.value or node in inside:
            continue
        around = work.program.function_around(node)
        if around is method:
            if is_assigned(work.index, node) or not (work.is_behind(node, line) or _is_before(work, node, line)):
                return False
        elif around is None or around.owner is not item or around.name != "__init__":
            return False
    return True


def _is_before(work: NormalizationRound, node: cst.CSTNode, line: cst.CSTNode) -> bool:
    """Whether a node is run before a line: in a test around it, or in a line before these."""
    if any(isinstance(around, cst.For | cst.While) for around in work.index.ancestors(line)):
        return False
    return any(
        work.is_behind(line, around) or (isinstance(around, cst.If) and line in set(descendants(around.body)))
        for around in (node, *work.index.ancestors(node))
    )


def _to_variable(work: NormalizationRound, method: Function, line: cst.CSTNode, cast: cst.Assign) -> None:
    target = cast.targets[0].target
    assert isinstance(target, cst.Attribute) and isinstance(line, cst.BaseStatement)
    name = work.beside_variables(method.node)(target.attr.value)
    work.edits.rewrite_statement(line, partial(_assigned, name, cast))
    for node in descendants(method.node.body, cst.Attribute):
        if dotted(node) == dotted(target) and work.is_behind(node, line):
            work.edits.replace(node, always(cst.Name(name)))


def _assigned(name: str, cast: cst.Assign, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [quote_statement(f"{name} = {{value}}", value=rewrite.expression(cast.value))]


__all__ = ["normalize_guarded_casts"]
