"""The text of trees.

LibCST writes each node in a method of its own, between two hooks and inside of a generator-based context manager, for
providers of positions. Here the nodes that programs mostly consist of have a layout, which lists their parts in order, and
one loop writes those; the text of a module is ready in a third of the time. All other nodes are left to LibCST.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import libcst as cst
from libcst._nodes.internal import CodegenState

from torch2jax.syntax.walk import with_fields

Part = Any  # a node, a string, None or a sentinel (nothing), a change of the indentation, or a sequence of parts
Layout = Callable[[Any], Sequence[Part]]

NOTHING = nullcontext()


class Text(CodegenState):
    """What has been written, and how it is indented."""

    def record_syntactic_position(  # type: ignore[override]  # any context manager does
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        return NOTHING

    def add_token(self, value: str) -> None:
        if value:
            _keep_apart(self.tokens, value)
            self.tokens.append(value)


_WORDS = frozenset(keyword.kwlist) - {"None", "True", "False"}


def _keep_apart(tokens: list[str], text: str) -> None:
    """A space between a word of the language and a name: what stood in parentheses, as in `if(x):`, may be exchanged for
    what has none.
    """
    if tokens and (
        (tokens[-1] in _WORDS and (text[0].isalnum() or text[0] == "_"))
        or (text in _WORDS and tokens[-1].isidentifier())
    ):
        tokens.append(" ")


def code_in(module: cst.Module, node: cst.CSTNode) -> str:
    """The text of a node with the indentation and line ends of a module."""
    state = Text(module.default_indent, module.default_newline)
    write(node, state)
    return "".join(state.tokens)


def code(node: cst.CSTNode) -> str:
    """The text of a node."""
    return code_in(_EMPTY, node)


def write(node: cst.CSTNode, state: CodegenState, observed: Collection[cst.CSTNode] = ()) -> None:
    """Add the text of a node to a state. LibCST writes the nodes that are `observed`, so that the hooks of the state see
    them.
    """
    tokens = state.tokens
    add = tokens.append
    kinds = frozenset(map(type, observed))

    def write_all(parts: Sequence[Part]) -> None:
        for part in parts:
            if not part:
                continue
            kind = type(part)
            if kind is cst.SimpleWhitespace:
                if part.value:
                    add(part.value)
            elif kind is str:
                _keep_apart(tokens, part)
                add(part)
            elif kind in kinds and part in observed:
                part._codegen(state)
            elif kind is cst.Name and not part.lpar:
                if tokens and tokens[-1] in _WORDS:
                    add(" ")
                add(part.value)
            elif kind in _LAYOUTS:
                write_all(_LAYOUTS[kind](part))
            elif kind is tuple or kind is list:
                write_all(part)
            elif kind is cst.Newline:
                add(part.value or state.default_newline)
            elif kind is _Indent:
                _change_indentation(part, state)
            else:
                part._codegen(state)

    write_all((node,))


class _Indent(NamedTuple):
    """Where a line begins (`step` is 0), or a block (1) or what is behind one (-1)."""

    step: int
    own: str | None = None  # how a block is indented, unless it is as the module is


def _change_indentation(change: _Indent, state: CodegenState) -> None:
    if change.step > 0:
        state.increase_indent(state.default_indent if change.own is None else change.own)
    elif change.step < 0:
        state.decrease_indent()
    else:
        state.add_indent_tokens()


_BEGIN, _DEDENT = _Indent(0), _Indent(-1)
_BRACKETS: dict[type, str] = {
    cst.LeftParen: "(", cst.LeftSquareBracket: "[", cst.LeftCurlyBrace: "{",
    cst.RightParen: ")", cst.RightSquareBracket: "]", cst.RightCurlyBrace: "}",
}  # fmt: skip
_SPACE = cst.SimpleWhitespace(" ")
_COMMA = cst.Comma(whitespace_after=_SPACE)
_SEMICOLON = cst.Semicolon(whitespace_after=_SPACE)


def _or_default(part: Part, default: Part, *, needed: bool) -> Part:
    """A part that is left out where a default of LibCST's takes its place."""
    return default if needed and part is cst.MaybeSentinel.DEFAULT else part


def _listed(items: Sequence[cst.CSTNode], *, to_be_continued: bool = False) -> Sequence[cst.CSTNode]:
    """The items of a list with a comma behind each, the last one excepted unless others follow."""
    followed = len(items) - (not to_be_continued)
    if all(item.comma is not cst.MaybeSentinel.DEFAULT for item in items[:followed]):  # type: ignore[attr-defined]
        return items
    return [
        with_fields(item, comma=_or_default(item.comma, _COMMA, needed=position < followed))  # type: ignore[attr-defined]
        for position, item in enumerate(items)
    ]


def _tuple(node: cst.Tuple) -> Sequence[Part]:
    elements: Sequence[cst.CSTNode] = node.elements
    if len(elements) == 1 and node.elements[0].comma is cst.MaybeSentinel.DEFAULT:
        elements = [with_fields(elements[0], comma=cst.Comma())]
    return node.lpar, _listed(elements), node.rpar


def _annotation(node: cst.Annotation | None, sign: str) -> Sequence[Part]:
    if node is None:
        return ()
    before = _or_default(node.whitespace_before_indicator, " ", needed=sign == "->")
    return before, sign, node.whitespace_after_indicator, node.annotation


def _parameter(node: cst.Param) -> Sequence[Part]:
    equal = _or_default(node.equal, " = ", needed=node.default is not None)
    return (
        node.star, node.whitespace_after_star, node.name, _annotation(node.annotation, ":"), equal, node.default,
        node.comma, node.whitespace_after_param,
    )  # fmt: skip


def _starred(node: cst.Param | None, star: str) -> list[cst.Param]:
    if node is None:
        return []
    return [node if isinstance(node.star, str) else with_fields(node, star=star)]


def _parameters(node: cst.Parameters) -> Sequence[Part]:
    kwonly, kwarg = node.kwonly_params, _starred(node.star_kwarg, "**")
    star: Part = node.star_arg
    bare = star is cst.MaybeSentinel.DEFAULT
    behind_star = bool(kwonly or kwarg)
    behind = bool(kwonly) if bare else star is not None
    behind = behind or behind_star
    behind_slash = behind or bool(node.params)
    slash: Part = node.posonly_ind
    if isinstance(slash, cst.ParamSlash):
        slash = _listed([slash], to_be_continued=behind_slash)
    elif node.posonly_params:
        slash = "/, " if behind_slash else "/"
    if bare and kwonly:
        star = "*, "
    elif isinstance(star, cst.Param):
        star = _listed(_starred(star, "*"), to_be_continued=behind_star)
    return (
        _listed(node.posonly_params, to_be_continued=True), slash, _listed(node.params, to_be_continued=behind), star,
        _listed(kwonly, to_be_continued=bool(kwarg)), kwarg,
    )  # fmt: skip


def _conditional(node: cst.If, word: str) -> Sequence[Part]:
    orelse = _conditional(node.orelse, "elif") if type(node.orelse) is cst.If else node.orelse
    return (
        node.leading_lines, _BEGIN, word, node.whitespace_before_test, node.test, node.whitespace_after_test, ":",
        node.body, orelse,
    )  # fmt: skip


def _class(node: cst.ClassDef) -> Sequence[Part]:
    arguments = [*node.bases, *node.keywords]
    return (
        node.leading_lines, node.decorators, node.lines_after_decorators, _BEGIN, "class", node.whitespace_after_class,
        node.name, node.whitespace_after_name, node.type_parameters, node.whitespace_after_type_parameters,
        _or_default(node.lpar, "(", needed=bool(arguments)), _listed(arguments),
        _or_default(node.rpar, ")", needed=bool(arguments)), node.whitespace_before_colon, ":", node.body,
    )  # fmt: skip


def _block(node: cst.IndentedBlock) -> Sequence[Part]:
    body: Part = node.body or (_BEGIN, "pass", cst.Newline())
    return node.header, _Indent(1, node.indent), body, node.footer, _DEDENT


def _line(node: cst.SimpleStatementLine) -> Sequence[Part]:
    body: Part = node.body or "pass"
    if len(node.body) > 1:
        body = [
            with_fields(item, semicolon=_SEMICOLON) if item.semicolon is cst.MaybeSentinel.DEFAULT else item
            for item in node.body[:-1]
        ]
        body.append(node.body[-1])
    return node.leading_lines, _BEGIN, body, node.trailing_whitespace


_LAYOUTS: dict[type, Layout] = {
    cst.MaybeSentinel: lambda node: (),
    cst.TrailingWhitespace: lambda node: (node.whitespace, node.comment, node.newline),
    cst.EmptyLine: lambda node: (_BEGIN if node.indent else "", node.whitespace, node.comment, node.newline),
    cst.ParenthesizedWhitespace: lambda node: (
        node.first_line, node.empty_lines, _BEGIN if node.indent else "", node.last_line,
    ),
    cst.Comment: lambda node: (node.value,),
    **dict.fromkeys(
        (cst.Name, cst.Integer, cst.Float, cst.SimpleString), lambda node: (node.lpar, node.value, node.rpar)
    ),
    **dict.fromkeys(
        (cst.LeftParen, cst.LeftSquareBracket, cst.LeftCurlyBrace), lambda node: (_BRACKETS[type(node)], node.whitespace_after)
    ),
    **dict.fromkeys(
        (cst.RightParen, cst.RightSquareBracket, cst.RightCurlyBrace), lambda node: (node.whitespace_before, _BRACKETS[type(node)])
    ),
    **dict.fromkeys(
        (
            cst.Comma, cst.Semicolon, cst.Colon, cst.Dot, cst.AssignEqual, cst.And, cst.Or, cst.Add, cst.Subtract,
            cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power, cst.MatrixMultiply, cst.LessThan,
            cst.GreaterThan, cst.Equal, cst.LessThanEqual, cst.GreaterThanEqual, cst.NotEqual, cst.In, cst.Is,
            cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, cst.DivideAssign,
        ),
        lambda node: (node.whitespace_before, node._get_token(), node.whitespace_after),
    ),
    **dict.fromkeys((cst.Minus, cst.Not), lambda node: (node._get_token(), node.whitespace_after)),
    cst.Attribute: lambda node: (node.lpar, node.value, node.dot, node.attr, node.rpar),
    cst.Call: lambda node: (
        node.lpar, node.func, node.whitespace_after_func, "(", node.whitespace_before_args, _listed(node.args), ")",
        node.rpar,
    ),
    cst.Arg: lambda node: (
        node.star, node.whitespace_after_star, node.keyword,
        _or_default(node.equal, " = ", needed=node.keyword is not None), node.value, node.comma,
        node.whitespace_after_arg,
    ),
    cst.Subscript: lambda node: (
        node.lpar, node.value, node.whitespace_after_value, node.lbracket, _listed(node.slice), node.rbracket, node.rpar,
    ),
    cst.SubscriptElement: lambda node: (node.slice, node.comma),
    cst.Index: lambda node: (node.star, node.whitespace_after_star, node.value),
    cst.Slice: lambda node: (
        node.lower, node.first_colon, node.upper,
        _or_default(node.second_colon, ":", needed=node.step is not None), node.step,
    ),
    **dict.fromkeys(
        (cst.BinaryOperation, cst.BooleanOperation),
        lambda node: (node.lpar, node.left, node.operator, node.right, node.rpar),
    ),
    cst.UnaryOperation: lambda node: (node.lpar, node.operator, node.expression, node.rpar),
    cst.Comparison: lambda node: (node.lpar, node.left, node.comparisons, node.rpar),
    cst.ComparisonTarget: lambda node: (node.operator, node.comparator),
    cst.IfExp: lambda node: (
        node.lpar, node.body, node.whitespace_before_if, "if", node.whitespace_after_if, node.test,
        node.whitespace_before_else, "else", node.whitespace_after_else, node.orelse, node.rpar,
    ),
    cst.Tuple: _tuple,
    cst.List: lambda node: (node.lpar, node.lbracket, _listed(node.elements), node.rbracket, node.rpar),
    cst.Dict: lambda node: (node.lpar, node.lbrace, _listed(node.elements), node.rbrace, node.rpar),
    cst.Element: lambda node: (node.value, node.comma),
    cst.DictElement: lambda node: (
        node.key, node.whitespace_before_colon, ":", node.whitespace_after_colon, node.value, node.comma,
    ),
    cst.ListComp: lambda node: (node.lpar, node.lbracket, node.elt, node.for_in, node.rbracket, node.rpar),
    cst.GeneratorExp: lambda node: (node.lpar, node.elt, node.for_in, node.rpar),
    cst.CompFor: lambda node: (
        node.whitespace_before, node.asynchronous, "for", node.whitespace_after_for, node.target,
        node.whitespace_before_in, "in", node.whitespace_after_in, node.iter, node.ifs, node.inner_for_in,
    ),
    cst.Assign: lambda node: (node.targets, node.value, node.semicolon),
    cst.AssignTarget: lambda node: (
        node.target, node.whitespace_before_equal, "=", node.whitespace_after_equal,
    ),
    cst.AnnAssign: lambda node: (
        node.target, _annotation(node.annotation, ":"),
        _or_default(node.equal, " = ", needed=node.value is not None), node.value, node.semicolon,
    ),
    cst.AugAssign: lambda node: (node.target, node.operator, node.value, node.semicolon),
    cst.Expr: lambda node: (node.value, node.semicolon),
    cst.Return: lambda node: (
        "return", _or_default(node.whitespace_after_return, " ", needed=node.value is not None), node.value,
        node.semicolon,
    ),
    cst.SimpleStatementLine: _line,
    cst.IndentedBlock: _block,
    cst.If: lambda node: _conditional(node, "if"),
    cst.Else: lambda node: (node.leading_lines, _BEGIN, "else", node.whitespace_before_colon, ":", node.body),
    cst.For: lambda node: (
        node.leading_lines, _BEGIN, node.asynchronous, "for", node.whitespace_after_for, node.target,
        node.whitespace_before_in, "in", node.whitespace_after_in, node.iter, node.whitespace_before_colon, ":",
        node.body, node.orelse,
    ),
    cst.Decorator: lambda node: (
        node.leading_lines, _BEGIN, "@", node.whitespace_after_at, node.decorator, node.trailing_whitespace,
    ),
    cst.FunctionDef: lambda node: (
        node.leading_lines, node.decorators, node.lines_after_decorators, _BEGIN, node.asynchronous, "def",
        node.whitespace_after_def, node.name, node.whitespace_after_name, node.type_parameters,
        node.whitespace_after_type_parameters, "(", node.whitespace_before_params, node.params, ")",
        _annotation(node.returns, "->"), node.whitespace_before_colon, ":", node.body,
    ),
    cst.ClassDef: _class,
    cst.Parameters: _parameters,
    cst.Param: _parameter,
    cst.ParamStar: lambda node: ("*", node.comma),
}  # fmt: skip

_EMPTY = cst.Module([])
