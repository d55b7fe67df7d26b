"""Decisions that constants leave no choice in, in the text of definitions: `if None is None`, `False and x`, variables for nothing.

if norm is None:                 where `norm` is None:       x = BatchNorm(8)
    norm = BatchNorm
x = norm(8)
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeGuard

import libcst as cst

from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import parenthesized, precedence
from torch2jax.syntax.walk import child_fields, descendants, is_node_type, lines_of, with_fields

_CLASSES = {item.__name__: item for item in (bool, bytes, dict, float, int, list, set, str, tuple)}
_BUILTINS = frozenset("abs bool float int isinstance len max min range round sum tuple zip".split())


_Method = Callable[..., Any]


class _Methods(dict[type[cst.CSTNode], tuple[_Method | None, _Method | None]]):
    """Kind of nodes -> the methods that a class of transformers has for it, where it has some: before and behind what is below."""

    def __init__(self, owner: type[Transformer]) -> None:
        super().__init__()
        self.owner = owner

    def __missing__(self, kind: type[cst.CSTNode]) -> tuple[_Method | None, _Method | None]:
        before, behind = self._own(f"visit_{kind.__name__}"), self._own(f"leave_{kind.__name__}")
        self[kind] = before, behind
        return self[kind]

    def _own(self, name: str) -> _Method | None:
        method: _Method = getattr(self.owner, name)
        return None if method is getattr(cst.CSTTransformer, name) else method


class Transformer(cst.CSTTransformer):
    """One of LibCST's with methods for kinds of syntax alone, whose nodes are made anew in a quarter of the time: it goes past
    layout, calls the methods that it has, and takes what these give for good.
    """

    _methods: ClassVar[_Methods]

    def __init_subclass__(cls) -> None:
        cls._methods = _Methods(cls)

    def on_visit(self, node: cst.CSTNode) -> bool:
        return False  # what is below a node is looked at when it is left

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        return self._left(original_node)

    def _left(self, node: cst.CSTNode) -> Any:
        before, behind = self._methods[type(node)]
        made = self._made_anew(node) if before is None or before(self, node) is not False else node
        return made if behind is None else behind(self, node, made)

    def _made_anew(self, node: cst.CSTNode) -> cst.CSTNode:
        changes: dict[str, object] = {}
        for name in child_fields(type(node)):
            value = getattr(node, name)
            kind: type[Any] = type(value)
            if kind is tuple or kind is list:
                changes[name] = self._each(value)
            elif is_node_type(kind):  # type: ignore[arg-type]
                changes[name] = self._one(node, value)
        return with_fields(node, **changes)

    def _one(self, node: cst.CSTNode, value: cst.CSTNode) -> cst.CSTNode | None:
        made = self._left(value)
        if type(made) is cst.FlattenSentinel:
            raise TypeError(f"several nodes for one of a {type(node).__name__}")
        return None if made is cst.RemovalSentinel.REMOVE else made

    def _each(self, values: Sequence[cst.CSTNode]) -> tuple[cst.CSTNode, ...]:
        found: list[cst.CSTNode] = []
        for value in values:
            made = self._left(value)
            if type(made) is cst.FlattenSentinel:
                found += made
            elif made is not cst.RemovalSentinel.REMOVE:
                found.append(made)
        return tuple(found)


class Folder(Transformer):
    """Puts literals for names, and takes decisions that they leave no choice in."""

    def __init__(self, values: Mapping[str, str]) -> None:
        super().__init__()
        self.values = values
        self.later: set[cst.If] = set()
        """Decisions that are an `elif`."""

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        value = self.values.get(updated_node.value)
        return updated_node if value is None else cst.parse_expression(value)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return with_fields(updated_node, attr=original_node.attr)

    def leave_Param(self, original_node: cst.Param, updated_node: cst.Param) -> cst.Param:
        return with_fields(updated_node, name=original_node.name)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return with_fields(updated_node, keyword=original_node.keyword)

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        value = literal_value(updated_node.expression)
        if isinstance(updated_node.operator, cst.Not) and value is not None:
            return cst.Name(str(not value.value))
        return updated_node

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        answer = _compared(updated_node)
        return updated_node if answer is None else cst.Name(str(answer))

    def leave_BooleanOperation(
        self, original_node: cst.BooleanOperation, updated_node: cst.BooleanOperation
    ) -> cst.BaseExpression:
        left = literal_value(updated_node.left)
        if left is None:
            return updated_node
        decided = bool(left.value) is isinstance(updated_node.operator, cst.Or)
        return _instead(updated_node, updated_node.left if decided else updated_node.right)

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        test, body, orelse = map(literal_value, (updated_node.test, updated_node.body, updated_node.orelse))
        if test is not None:
            return _instead(updated_node, updated_node.body if test.value else updated_node.orelse)
        acts = any(
            isinstance(node, (cst.Call, cst.NamedExpr, cst.Await))
            for node in (updated_node.test, *descendants(updated_node.test))
        )
        same = body is not None and orelse is not None and repr(body) == repr(orelse)
        return _instead(updated_node, updated_node.body) if same and not acts else updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        answer = _is_instance(updated_node)
        return updated_node if answer is None else cst.Name(str(answer))

    def visit_If(self, node: cst.If) -> None:
        if isinstance(node.orelse, cst.If):
            self.later.add(node.orelse)

    def leave_If(
        self, original_node: cst.If, updated_node: cst.If
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel:
        test = literal_value(updated_node.test)
        if test is None:
            return updated_node
        taken = cst.Else(updated_node.body) if test.value else updated_node.orelse
        if taken is None:
            return cst.RemoveFromParent()
        if original_node in self.later:
            return taken  # type: ignore[return-value]  # an `else` or `elif` in the place of an `elif`
        if isinstance(taken, cst.If):
            return taken.with_changes(leading_lines=updated_node.leading_lines)
        body = taken.body
        if isinstance(body, cst.SimpleStatementSuite):
            body = with_fields(body, body=[_without_semicolon(small) for small in body.body])
        return cst.FlattenSentinel(lines_of(body))

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        kept = _until_return(updated_node.body)
        return with_fields(updated_node, body=kept or [cst.SimpleStatementLine([cst.Pass()])])


def _without_semicolon(small: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
    return with_fields(small, semicolon=cst.MaybeSentinel.DEFAULT)


def _until_return(statements: Sequence[cst.BaseStatement]) -> Sequence[cst.BaseStatement]:
    for i, statement in enumerate(statements):
        if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[-1], (cst.Return, cst.Raise)):
            return statements[: i + 1]
    return statements


@dataclass(frozen=True, slots=True)
class LiteralValue:
    value: object


def literal_value(node: cst.BaseExpression) -> LiteralValue | None:
    """The value of a literal."""
    match node:
        case (
            cst.Name("None" | "True" | "False")
            | cst.Integer()
            | cst.Float()
            | cst.SimpleString()
            | cst.UnaryOperation(cst.Minus(), cst.Integer() | cst.Float())
        ):
            return LiteralValue(ast.literal_eval(code(node.with_changes(lpar=[], rpar=[]))))
    return None


def _compared(node: cst.Comparison) -> bool | None:
    """The answer of a comparison of literals."""
    if len(node.comparisons) != 1:
        return None
    operator, right_node = node.comparisons[0].operator, node.comparisons[0].comparator
    left, right = literal_value(node.left), literal_value(right_node)
    if isinstance(operator, cst.In) and isinstance(right_node, (cst.Tuple, cst.Set, cst.List)):
        members = [literal_value(element.value) for element in right_node.elements]
        return None if left is None or None in members else left in members
    if left is None or right is None:
        return None
    match operator:
        case cst.Equal():
            return left.value == right.value
        case cst.NotEqual():
            return left.value != right.value
        case cst.GreaterThan() if isinstance(left.value, (int, float)) and isinstance(right.value, (int, float)):
            return left.value > right.value
        case cst.Is() if left.value is None or right.value is None:
            return left.value is right.value
        case cst.IsNot() if left.value is None or right.value is None:
            return left.value is not right.value
    return None


def _is_instance(call: cst.Call) -> bool | None:
    """The answer of `isinstance(2, (int, float))` for a literal and classes of Python's."""
    match call:
        case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=item), cst.Arg(value=classes)]):
            known = literal_value(item)
            names = [part.value for part in classes.elements] if isinstance(classes, cst.Tuple) else [classes]
            if known is not None and all(isinstance(name, cst.Name) and name.value in _CLASSES for name in names):
                return isinstance(known.value, tuple(_CLASSES[name.value] for name in names))  # type: ignore[attr-defined]
    return None


def _instead(old: cst.BaseExpression, new: cst.BaseExpression) -> cst.BaseExpression:
    """One of the operands of an expression in its place: in its parentheses where it needs some."""
    if not new.lpar and precedence(new) < precedence(cst.Name("x")) and (old.lpar or precedence(new) < precedence(old)):
        return parenthesized(new)
    return new


# What is left over


def without_unused(module: cst.Module, constant_roots: frozenset[str] = frozenset()) -> cst.Module:
    """The module without variables that nobody reads, where the value is only computed, or that are others by a new name.
    What modules in `constant_roots` hold may have a new name, too: `norm = nn.LayerNorm`.
    """
    while True:
        names = [node.value for node in descendants(module, cst.Name)]
        stores = [target.target.value for target in descendants(module, cst.AssignTarget) if _is_name(target.target)]
        lines = list(descendants(module, cst.SimpleStatementLine))
        unused = [line for line in lines if _assigned_for_nothing(line, Counter(names))]
        copied = [] if unused else [line for line in lines if _is_copy(line, Counter(stores), constant_roots)][:1]
        if not unused and not copied:
            return module
        changed = module.visit(_Removal([*unused, *copied]))
        for line in copied:
            assign = cst.ensure_type(line.body[0], cst.Assign)
            name = cst.ensure_type(assign.targets[0].target, cst.Name).value
            changed = changed.visit(Insertion({name: assign.value}))
        assert isinstance(changed, cst.Module)
        module = changed


def _is_name(node: cst.CSTNode) -> TypeGuard[cst.Name]:
    return isinstance(node, cst.Name)


def _is_copy(line: cst.SimpleStatementLine, stores: Counter[str], constant_roots: frozenset[str]) -> bool:
    """Whether a line gives a variable that is bound once another one, which is bound once, too, or None, True or False."""
    match line.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Name(other))]:
            return stores[name] == 1 and (stores[other] == 1 or other in ("None", "True", "False"))
        case [
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Attribute(value=cst.Name(other)))
        ]:
            return stores[name] == 1 and other in constant_roots
    return False


def _assigned_for_nothing(line: cst.SimpleStatementLine, counts: Mapping[str, int]) -> bool:
    match line.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)]:
            return counts[name] == 1 and _only_computes(value)
    return False


class _Removal(Transformer):
    """Takes statements out."""

    def __init__(self, statements: Iterable[cst.BaseStatement]) -> None:
        super().__init__()
        self.statements = frozenset(statements)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        return cst.RemoveFromParent() if original_node in self.statements else updated_node


def _only_computes(value: cst.BaseExpression) -> bool:
    """Whether nothing but the value of an expression is to be had from it: calls are of methods, modules and plain builtins."""
    return all(
        isinstance(call.func, cst.Attribute) or (isinstance(call.func, cst.Name) and call.func.value in _BUILTINS)
        for call in (value, *descendants(value))
        if isinstance(call, cst.Call)
    )


class Insertion(Transformer):
    """Puts arguments for parameters."""

    def __init__(self, values: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self.values = values

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        value = self.values.get(updated_node.value)
        if value is None:
            return updated_node
        return parenthesized(value) if precedence(value) < precedence(cst.Name("x")) else value

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return with_fields(updated_node, attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return with_fields(updated_node, keyword=original_node.keyword)


__all__ = ["Folder", "Insertion", "LiteralValue", "literal_value", "without_unused"]
