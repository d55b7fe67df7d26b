"""Fields of modules that are set by names which are computed, and statements written out for names that are known."""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import REGISTERING
from torch2jax.program.program import dotted
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import NOTHING, Kind


def sets_by_name(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a call gives a module a field whose name is computed."""
    if not isinstance(node, cst.Call) or any(item.star for item in node.args):
        return False
    by_name = {item.keyword.value: item.value for item in node.args if item.keyword is not None}
    plain = [item.value for item in node.args if item.keyword is None]
    if dotted(node.func) == "setattr" and len(plain) == 3:
        owner, name = plain[0], plain[1]
    elif isinstance(node.func, cst.Attribute) and node.func.attr.value in REGISTERING and (plain or "name" in by_name):
        owner, name = node.func.value, plain[0] if plain else by_name["name"]
    else:
        return False
    return work.values(owner).kind is Kind.MODULE and work.values(name).const is NOTHING


def substituted(
    work: NormalizationRound, statement: cst.BaseStatement, given: dict[str, cst.BaseExpression]
) -> cst.BaseStatement:
    """A second tree of a statement in which names stand for what is given for them."""
    clone = statement.deep_clone()
    origin = {id(new): old for new, old in zip(descendants(clone), descendants(statement), strict=True)}
    if not names_in(statement) & given.keys():
        work.copies.update(zip(descendants(clone), descendants(statement), strict=True))
        return clone
    made = clone.visit(_Substitution(work, given, origin))
    assert isinstance(made, cst.BaseStatement)
    return made


def expression_with(
    work: NormalizationRound, made: cst.BaseExpression, given: dict[str, cst.BaseExpression]
) -> cst.BaseExpression:
    """A second tree of an expression in which names stand for what is given for them."""
    line = substituted(work, cst.SimpleStatementLine([cst.Expr(made)]), given)
    assert isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Expr)
    return line.body[0].value


class _Substitution(cst.CSTTransformer):
    """Variables are replaced by what they stand for, also in the names of fields."""

    def __init__(self, work: NormalizationRound, given: dict[str, cst.BaseExpression], origin: dict[int, cst.CSTNode]):
        super().__init__()
        self.work, self.given, self.origin = work, given, origin

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        made = updated_node
        match original_node, updated_node:
            case cst.Name(name), _ if name in self.given:
                made = self.given[name].deep_clone()
            case cst.Attribute(attr=label), cst.Attribute():
                made = updated_node.with_changes(attr=label.deep_clone())
            case cst.Arg(keyword=cst.Name() as label), cst.Arg():
                made = updated_node.with_changes(keyword=label.deep_clone())
            case cst.FormattedString(), cst.FormattedString():
                made = _plain_text(updated_node)
            case cst.BinaryOperation(), cst.BinaryOperation(
                left=cst.SimpleString() as left,
                operator=cst.Modulo(),
                right=cst.Integer() | cst.SimpleString() as right,
            ):
                made = _filled_text(updated_node, left, right)
        origin = self.origin.get(id(original_node))  # None for blanks
        if origin is not None:
            self.work.copies[made] = origin
        return made


def _plain_text(node: cst.FormattedString) -> cst.BaseExpression:
    """`"norm0"` for `f"norm{0}"`."""
    text = ""
    for part in node.parts:
        match part:
            case cst.FormattedStringText(value=value):
                text += value
            case cst.FormattedStringExpression(
                expression=cst.SimpleString() | cst.Integer() as value, conversion=None, format_spec=None, equal=None
            ):
                text += str(value.evaluated_value)
            case _:
                return node
    return cst.SimpleString(f'"{text}"') if text.isidentifier() else node


def _filled_text(
    node: cst.BinaryOperation, left: cst.SimpleString, right: cst.Integer | cst.SimpleString
) -> cst.BaseExpression:
    """`"norm0"` for `"norm%d" % 0`."""
    text = left.evaluated_value
    if not isinstance(text, str) or text.count("%") != 1 or not any(form in text for form in ("%d", "%i", "%s")):
        return node
    if not isinstance(right, cst.Integer) and "%s" not in text:
        return node
    full = text % right.evaluated_value
    return cst.SimpleString(f'"{full}"') if full.isidentifier() else node


__all__ = ["expression_with", "sets_by_name", "substituted"]
