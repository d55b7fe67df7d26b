"""Parsed code templates with holes: the only way in which new code is made.

    quote("jnp.sum({x}, axis={axis})", x=node, axis=other)      an expression
    quote_statements("key, {sub} = jax.random.split(key)", sub=name)  statements

A hole is `{name}`; it takes an expression node, a string (a name or dotted name) or, for `{*name}` in an argument list or
display, a sequence of nodes. Parentheses are added where precedence asks for them.
"""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, TypeGuard

import libcst as cst

from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import child_fields, children, fields_of, is_node_type, with_fields

Hole = cst.BaseExpression | str | int | Sequence[cst.BaseExpression]

_HOLE = re.compile(r"\{(\*?)([A-Za-z_]\w*)\}")
_PREFIX = "T2J_HOLE_"

_ATOMS = (
    cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp,
    cst.SetComp, cst.SimpleString, cst.FormattedString, cst.Float, cst.Imaginary, cst.Ellipsis,
)  # fmt: skip
_BINARY = {
    cst.BitOr: 5, cst.BitXor: 6, cst.BitAnd: 7, cst.LeftShift: 8, cst.RightShift: 8, cst.Add: 9, cst.Subtract: 9,
    cst.Multiply: 10, cst.Divide: 10, cst.FloorDivide: 10, cst.Modulo: 10, cst.MatrixMultiply: 10, cst.Power: 12,
}  # fmt: skip
_ATOM = 15
_PRECEDENCE: dict[type[cst.CSTNode], int] = {
    **dict.fromkeys(_ATOMS, _ATOM),
    cst.NamedExpr: 0,
    cst.Comparison: 4,
    cst.Await: 13,
    cst.Integer: 13,
}  # all others: 1
_HEADED = frozenset({cst.Attribute, cst.Call, cst.Subscript})
_REQUIRED: dict[type[cst.CSTNode], int] = {
    cst.Comparison: 5,
    cst.ComparisonTarget: 5,
    cst.Await: 14,
    cst.StarredElement: 5,
    cst.FormattedStringExpression: 2,
    cst.Arg: 1,
    cst.Element: 1,
    cst.DictElement: 1,
    cst.CompFor: 2,
    cst.CompIf: 2,
    cst.ListComp: 1,
    cst.GeneratorExp: 1,
}  # all others: 0


def precedence(node: cst.CSTNode) -> int:
    """How tightly an expression binds (higher: tighter); a parenthesized one is an atom."""
    if getattr(node, "lpar", None):
        return _ATOM
    kind = type(node)
    if kind is cst.BinaryOperation:
        return _BINARY[type(node.operator)]  # type: ignore[attr-defined]
    if kind is cst.BooleanOperation:
        return 2 if type(node.operator) is cst.Or else 3  # type: ignore[attr-defined]
    if kind is cst.UnaryOperation:
        return 3 if type(node.operator) is cst.Not else 11  # type: ignore[attr-defined]
    return _PRECEDENCE.get(kind, 1)


def parenthesized(node: cst.BaseExpression) -> cst.BaseExpression:
    """The expression in parentheses (unchanged if it has some)."""
    if node.lpar:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _required(parent: cst.CSTNode, field: str) -> int:
    """The least precedence that an operand in that place needs."""
    kind = type(parent)
    if kind in _HEADED and field in ("value", "func"):
        return 14
    if kind is cst.BinaryOperation:
        operator = type(parent.operator)  # type: ignore[attr-defined]
        if operator is cst.Power:
            return 13 if field == "left" else 11
        return _BINARY[operator] + (field != "left")
    if kind is cst.UnaryOperation:
        return 4 if type(parent.operator) is cst.Not else 11  # type: ignore[attr-defined]
    if kind is cst.BooleanOperation:
        return (2 if type(parent.operator) is cst.Or else 3) + (field != "left")  # type: ignore[attr-defined]
    if kind is cst.IfExp:
        return 2 if field != "orelse" else 1
    return _REQUIRED.get(kind, 0)


_BARE = frozenset({cst.Tuple, cst.GeneratorExp})
_OPEN = frozenset(
    {cst.Assign, cst.Return, cst.Expr, cst.Index, cst.For, cst.AssignTarget}
)  # for a tuple without brackets


_STATEMENTS = frozenset({cst.Assign, cst.AugAssign, cst.AnnAssign, cst.Return, cst.Expr})


def fit(node: cst.BaseExpression, parent: cst.CSTNode, field: str) -> cst.BaseExpression:
    """`node`, parenthesized if it must be to stand in `field` of `parent`."""
    needed = _required(parent, field)
    bare_tuple = type(node) in _BARE and not node.lpar
    if bare_tuple and type(parent) is cst.CompFor and field == "target":
        return node
    if bare_tuple and not (type(parent) in _OPEN and type(node) is cst.Tuple):
        return parenthesized(node)
    if len(node.lpar) == 1 and type(parent) is cst.Arg and _can_stand_bare(node):
        return node.with_changes(lpar=(), rpar=())
    if precedence(node) < needed:
        return parenthesized(node)
    return held_together(node) if type(parent) in _STATEMENTS else node


def _is_expression(node: cst.CSTNode) -> TypeGuard[cst.BaseExpression]:
    return _is_expression_type(type(node))


@cache
def _is_expression_type(kind: type[cst.CSTNode]) -> bool:
    return issubclass(kind, cst.BaseExpression)


@cache
def _is_inner(kind: type[cst.CSTNode]) -> bool:
    """Whether nodes of a type are, or stand for, parts of expressions."""
    return issubclass(kind, (cst.BaseExpression, cst.Arg, cst.BaseElement, cst.BaseDictElement))


def fit_instead(new: cst.CSTNode, old: cst.CSTNode, parent: cst.CSTNode, field: str) -> cst.CSTNode:
    """`new`, parenthesized if it must be to stand where `old` stood in `parent`."""
    if new is old or not _is_expression(new) or not _is_expression(old):
        return new
    if type(new) is not type(old) or precedence(new) < precedence(old):
        new = fit(new, parent, field)
    return new if _is_inner(type(parent)) else held_together(new)  # where it stands in others they are asked


def held_together(node: cst.BaseExpression) -> cst.BaseExpression:
    """An expression that is to stand in a line of its own, in parentheses if it breaks off outside of brackets."""
    return node if node.lpar or _holds_together(node) else parenthesized(node)


def _holds_together(node: cst.BaseExpression) -> bool:
    """Whether an expression stays one when it stands outside of brackets: line breaks are inside its own."""
    if not _may_break_outside(node):
        return True
    text = code(node)
    if "\n" not in text:
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(f"_ = {text}")
    except SyntaxError:
        return False
    return True


_BRACKETED = frozenset(
    {cst.List, cst.Set, cst.Dict, cst.ListComp, cst.SetComp, cst.DictComp, cst.SimpleString, cst.FormattedString}
)


def _may_break_outside(node: cst.BaseExpression) -> bool:
    """Whether the text of an expression can hold a line break that is not inside brackets or a string of its own."""
    stack: list[Any] = [node]
    while stack:
        value = stack.pop()
        kind: type[Any] = type(value)
        if kind is cst.ParenthesizedWhitespace or kind is cst.Newline:
            return True
        if kind is tuple or kind is list:
            stack += value
        elif kind is cst.Call:
            if not value.lpar:
                stack += (value.func, value.whitespace_after_func)
        elif kind is cst.Subscript:
            if not value.lpar:
                stack += (value.value, value.whitespace_after_value)
        elif kind is cst.SimpleWhitespace or kind in _BRACKETED or kind in _PLAIN or kind is str:
            pass  # a backslash before a line break holds the lines together
        elif is_node_type(kind) and not getattr(value, "lpar", None):  # type: ignore[arg-type]
            stack += fields_of(value)
    return False


def _can_stand_bare(node: cst.BaseExpression) -> bool:
    """Whether the parentheses around a whole argument say nothing: no tuple or generator, all on one line."""
    if isinstance(node, (cst.Tuple, cst.GeneratorExp, cst.NamedExpr, cst.Yield)):
        return False
    return not _may_break(node) or "\n" not in code(node)


_PLAIN = frozenset({type(None), cst.MaybeSentinel})


def _may_break(node: cst.CSTNode) -> bool:
    """Whether the text of a node can hold a line break: cheaper to ask than to write the text."""
    stack: list[Any] = [node]
    while stack:
        value = stack.pop()
        kind: type[Any] = type(value)
        if kind is str:
            if "\n" in value:
                return True
        elif kind is cst.SimpleWhitespace:
            if "\n" in value.value:
                return True
        elif kind is cst.ParenthesizedWhitespace or kind is cst.Newline:
            return True
        elif kind is tuple or kind is list:
            stack += value
        elif kind is cst.Name:
            stack += value.lpar  # whose white space could be broken
            stack += value.rpar
        elif kind not in _PLAIN and is_node_type(kind):  # type: ignore[arg-type]
            stack += fields_of(value)
    return False


@cache
def _template(text: str, kind: str) -> cst.CSTNode:
    source = _HOLE.sub(lambda match: f"{'*' if match[1] else ''}{_PREFIX}{match[2]}", text)
    if kind == "expression":
        return cst.parse_expression(source)
    return cst.parse_module(source)


def as_node(value: Hole) -> cst.BaseExpression:
    """An expression node from a node, a dotted name, or an int."""
    if isinstance(value, cst.BaseExpression):
        return value
    if isinstance(value, bool):
        return cst.Name(str(value))
    if isinstance(value, int):
        return cst.parse_expression(str(value))
    assert isinstance(value, str), f"cannot fill a hole with {type(value).__name__}"
    if value.isidentifier() and not keyword.iskeyword(value):
        return cst.Name(value)
    return cst.parse_expression(value)


def _hole_name(node: cst.CSTNode) -> str | None:
    if type(node) is cst.Name and node.value.startswith(_PREFIX):
        return node.value[len(_PREFIX) :]
    return None


@cache
def _filled_fields(node: cst.CSTNode) -> tuple[tuple[str, Any], ...]:
    """The fields of a template's node that hold nodes, with their values."""
    fields = ((field, getattr(node, field)) for field in child_fields(type(node)))
    return tuple(
        (field, value)
        for field, value in fields
        if (any(map(_is_node, value)) if isinstance(value, (tuple, list)) else _is_node(value))
    )


def _is_node(value: object) -> bool:
    return is_node_type(type(value))  # type: ignore[arg-type]


_LINES = frozenset({cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Expr, cst.Return})  # whose values no brackets hold


class _Filler:
    """Templates are kept, and each place of a tree has a node of its own: all nodes of what is filled are new."""

    def __init__(self, holes: dict[str, Hole]) -> None:
        self.holes = holes

    def fill(self, node: cst.CSTNode) -> cst.CSTNode:
        changes: dict[str, object] = {}
        for field, value in _filled_fields(node):
            if not isinstance(value, (tuple, list)):
                child = self._child(value, node, field)
                broken = field == "value" and type(node) in _LINES and not _holds_together(child)  # type: ignore[arg-type]
                changes[field] = parenthesized(child) if broken else child  # type: ignore[arg-type]
                continue
            items: list[cst.CSTNode] = []
            whole = True
            for item in value:
                spliced = self._splice(item)
                whole = whole and spliced is None
                items.extend([self._child(item, node, field)] if spliced is None else spliced)
            changes[field] = items if whole else _separate(items)
        return _simplified(with_fields(node, **changes))

    def _child(self, child: cst.CSTNode, parent: cst.CSTNode, field: str) -> cst.CSTNode:
        name = _hole_name(child)
        if name is not None:
            return fit(as_node(self.holes[name]), parent, field)
        return self.fill(child)

    def _splice(self, item: cst.CSTNode) -> list[cst.CSTNode] | None:
        if (type(item) is cst.Arg and item.star == "*") or type(item) is cst.StarredElement:
            name = _hole_name(item.value)
        else:
            return None
        if name is None:
            return None
        values = _several(self.holes[name])
        result: list[cst.CSTNode] = []
        for value in values:
            if isinstance(value, (cst.Arg, cst.BaseElement)):
                result.append(value)
            elif isinstance(item, cst.Arg):
                result.append(cst.Arg(fit(value, item, "value")))
            else:
                result.append(cst.Element(fit(value, cst.Element(cst.Name("_")), "value")))
        return result


def _several(hole: Hole) -> Sequence[Any]:
    """What fills a starred hole: a sequence, or the elements of a display, as the default `()` of a parameter is one."""
    if isinstance(hole, (cst.Tuple, cst.List)) and all(isinstance(item, cst.Element) for item in hole.elements):
        return [item.value for item in hole.elements]
    assert isinstance(hole, Sequence) and not isinstance(hole, str)
    return hole


def _simplified(node: cst.CSTNode) -> cst.CSTNode:
    """`not not x`, which a template and its argument may make together, is `x` where only truth counts."""
    if type(node) is cst.UnaryOperation and type(node.operator) is cst.Not:
        inner = node.expression
        if type(inner) is cst.UnaryOperation and type(inner.operator) is cst.Not:
            return inner.expression
    return node


def _separate(items: list[cst.CSTNode]) -> list[cst.CSTNode]:
    """Give the items of an argument list or display their commas anew."""
    if not items or not hasattr(items[0], "comma"):
        return items
    space = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    last = len(items) - 1
    return [
        with_fields(item, comma=space if position < last else cst.MaybeSentinel.DEFAULT)
        for position, item in enumerate(items)
    ]


def with_other_quotes(text: cst.FormattedString) -> cst.FormattedString:
    """An f-string whose expressions hold no string with its own quotes: before Python 3.12 those would end it."""
    own = text.end
    other = '"' if own == "'" else "'"
    if len(own) > 1:  # the three quotes of a long one hardly stand in an expression
        return text

    class Requoted(cst.CSTTransformer):
        def leave_SimpleString(
            self, original_node: cst.SimpleString, updated_node: cst.SimpleString
        ) -> cst.SimpleString:
            if updated_node.quote != own or other in updated_node.raw_value:
                return updated_node
            return updated_node.with_changes(value=f"{updated_node.prefix}{other}{updated_node.raw_value}{other}")

    parts = [
        part.with_changes(expression=part.expression.visit(Requoted()))
        if isinstance(part, cst.FormattedStringExpression)
        else part
        for part in text.parts
    ]
    return text.with_changes(parts=parts)


def quote(text: str, **holes: Hole) -> cst.BaseExpression:
    """An expression from a template."""
    template = _template(text, "expression")
    name = _hole_name(template)
    if name is not None:
        return as_node(holes[name])
    result = _Filler(holes).fill(template)
    assert isinstance(result, cst.BaseExpression)
    return result


def quote_statements(text: str, **holes: Hole) -> list[cst.BaseStatement]:
    """Statements from a template (dedented text)."""
    template = _template(text, "statements")
    assert isinstance(template, cst.Module)
    result = _Filler(holes).fill(template)
    assert isinstance(result, cst.Module)
    body: list[Any] = list(result.body)
    if body and template.header:
        body[0] = body[0].with_changes(leading_lines=[*template.header, *body[0].leading_lines])
    return body


def quote_statement(text: str, **holes: Hole) -> cst.BaseStatement:
    """One statement from a template."""
    (statement,) = quote_statements(text, **holes)
    return statement


@lru_cache(maxsize=2048)
def names_in(node: cst.CSTNode) -> frozenset[str]:
    """Every identifier that stands below a node as a name."""
    found: set[str] = set()
    stack = [node]
    while stack:
        item = stack.pop()
        if type(item) is cst.Name:
            found.add(item.value)
        else:
            stack += children(item)
    return frozenset(found)


_TEMPLATE_HOLE = re.compile(r"\{(\*?)([A-Za-z_]\w*)([!]?)((?:\|\w+)?)\}")


def template_holes(text: str) -> list[str]:
    """The parameter names in a mapping row's template, where a hole may be `{x}`, `{*x}`, `{x!}` or `{x|axes}`."""
    return [match[2] for match in _TEMPLATE_HOLE.finditer(text)]
