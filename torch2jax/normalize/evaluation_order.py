"""What Python evaluates first in a statement, and how that comes in front of it."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import Index, children, descendants
from torch2jax.values import Kind


def evaluated_before(index: Index, inner: cst.BaseExpression) -> list[cst.CSTNode] | None:
    """The expressions of the statement that are evaluated before one in it; None if that may not be evaluated exactly once."""
    found: list[cst.CSTNode] = []
    node: cst.CSTNode = inner
    for parent in index.ancestors(inner):
        match parent:
            case cst.SimpleStatementLine():
                return found if len(parent.body) == 1 else None
            case cst.If():
                above = index.parents.get(parent)
                is_elif = isinstance(above, cst.If) and above.orelse is parent
                return found if parent.test is node and not is_elif else None
            case cst.For():
                return found if parent.iter is node else None
            case (
                cst.Assign() | cst.AnnAssign() | cst.Return() | cst.Expr() | cst.Raise() | cst.NamedExpr() | cst.Yield()
            ):
                pass
            case cst.AugAssign():
                found[:0] = [] if isinstance(parent.target, cst.Name) else [parent.target]
            case cst.Assert():
                if parent.test is not node:
                    return None
            case cst.BooleanOperation():
                if parent.left is not node:
                    return None
            case cst.IfExp():
                if parent.test is not node:
                    return None
            case cst.Comparison():
                if parent.left is not node and parent.comparisons[0] is not node:
                    return None
                found[:0] = [] if parent.left is node else [parent.left]
            case (
                cst.BinaryOperation() | cst.UnaryOperation() | cst.Call() | cst.Arg() | cst.Attribute()
                | cst.Subscript() | cst.SubscriptElement() | cst.Index() | cst.Slice() | cst.Tuple() | cst.List()
                | cst.Set() | cst.Dict() | cst.Element() | cst.StarredElement() | cst.DictElement()
                | cst.ComparisonTarget() | cst.FormattedString() | cst.FormattedStringExpression()
            ):  # fmt: skip
                before = []
                for child in children(parent):
                    if child is node:
                        break
                    before.append(child)
                operators = (cst.BaseBinaryOp, cst.BaseUnaryOp, cst.BaseCompOp)
                found[:0] = [_expression(item) for item in before if not isinstance(item, operators)]
            case _:
                return None
        node = parent
    return None


def stays(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether an expression gives the same object whatever is called between: a variable, a constant, a function or a module."""
    if isinstance(node, (cst.Name, cst.BaseNumber, cst.SimpleString)):
        return True
    kinds = (Kind.MODULE, Kind.TORCH, Kind.FUNCTION, Kind.CLASS)
    return isinstance(node, cst.Attribute) and dotted(node) is not None and work.values(node).kind in kinds


def say_apart(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    call: cst.Call,
    place: cst.BaseExpression,
    *,
    behind: bool = False,
) -> None:
    """A call within a line that gives back what it is a method of becomes a line of its own about a place: `net.eval()`."""
    func = cst.ensure_type(call.func, cst.Attribute)
    named = func.with_changes(
        value=work.copy(place), dot=cst.Dot(), lpar=(), rpar=()
    )  # which stood on a line of its own
    said = cst.SimpleStatementLine([cst.Expr(cst.Call(named, [work.copy(item) for item in call.args]))])
    work.copies[said] = line
    work.edits.replace(call, lambda rewrite: rewrite(func.value))
    add = work.edits.after if behind else work.edits.before
    add(line, lambda rewrite: [said])


def give_name(work: NormalizationRound, line: cst.CSTNode, node: cst.BaseExpression, name: str) -> None:
    """Evaluate an expression of a line in front of it, as the value of a variable that stands in its place."""

    def made(rewrite: Rewriter) -> list[cst.BaseStatement]:
        inner = rewrite.inside(node)
        assert isinstance(inner, cst.BaseExpression)
        return placed_instead(work, node, quote_statement("{x} = {value}", x=name, value=inner))

    work.edits.before(line, made)
    work.edits.replace(node, lambda rewrite: cst.Name(name))


def placed_instead(
    work: NormalizationRound, origin: cst.CSTNode, statement: cst.BaseStatement
) -> list[cst.BaseStatement]:
    """A new statement stands where an original node does."""
    work.copies[statement] = origin
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        work.copies[small] = origin
    return [statement]


def _expression(node: cst.CSTNode) -> cst.CSTNode:
    """The expression in an argument or element, behind a key that is a constant or a name."""
    while True:
        match node:
            case cst.Arg(value=inner) | cst.Element(value=inner) | cst.ComparisonTarget(comparator=inner):
                node = inner
            case cst.DictElement(key=cst.SimpleString() | cst.Integer() | cst.Name(), value=inner):
                node = inner
            case cst.FormattedStringExpression(expression=inner, format_spec=spec) if _is_text(spec):
                node = inner
            case _:
                return node


def _is_text(spec: Sequence[cst.CSTNode] | None) -> bool:
    return all(isinstance(item, cst.FormattedStringText) for item in spec or ())


def paired(line: cst.CSTNode) -> list[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """The places and values of `a, self.b = f(x), g(y)`, where none of the places is read for a value; else none."""
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Tuple(elements=places))], value=cst.Tuple(elements=made)
                )
            ]
        ) if len(places) == len(made) and all(isinstance(item, cst.Element) for item in (*places, *made)):
            bound = {dotted(item.value) for item in places}
            whole = [node for item in made for node in (item.value, *descendants(item.value))]
            labels = {node.attr for node in whole if isinstance(node, cst.Attribute)}
            read = {dotted(node) for node in whole if isinstance(node, cst.BaseExpression) and node not in labels}
            if None not in bound and not bound & read:
                return [(place.value, item.value) for place, item in zip(places, made, strict=True)]
    return []


def say_one_by_one(work: NormalizationRound, line: cst.SimpleStatementLine) -> None:
    """Write an assignment of pairs as one for each of them."""
    pairs = paired(line)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        lines: list[cst.BaseStatement] = []
        for place, value in pairs:
            target = rewrite.expression(place)
            assert isinstance(target, (cst.Name, cst.Attribute))
            assign = cst.Assign([cst.AssignTarget(target)], rewrite.expression(value))
            lines.append(cst.SimpleStatementLine([assign], leading_lines=[] if lines else line.leading_lines))
        return [*lines[:-1], lines[-1].with_changes(trailing_whitespace=line.trailing_whitespace)]

    work.edits.rewrite_statement(line, build)


__all__ = ["evaluated_before", "give_name", "paired", "placed_instead", "say_apart", "say_one_by_one"]
