"""Helpers of the step of an optimizer, written out where they are called: what they decide and change is then seen.

lr = self.get_lr(group, state)     ->      if group["relative"]:
                                               lr = 1 / math.sqrt(state["step"])
                                           else:
                                               lr = group["lr"]

Helpers that only compute stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

import libcst as cst

from torch2jax.normalize.one_ending import with_one_ending
from torch2jax.normalize.optimizer_storage import VIEWS
from torch2jax.normalize.rounds import CannotNormalize
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import parenthesized, quote_statement
from torch2jax.syntax.walk import bound_names, descendants

_Line = cst.BaseStatement
_DEEPEST = 6
_APART = (cst.Lambda, cst.BaseComp, cst.IfExp, cst.BooleanOperation)  # what may not compute all that stands in it


@dataclass(slots=True)
class Inlining:
    """`helpers` are functions and methods by what calls say, `is_wanted` asks whether a call is written out."""

    helpers: Mapping[str, Function]
    is_wanted: Callable[[Function, cst.Call], bool]
    fresh: FreshNames
    caller: frozenset[str]  # the variables of the step
    written: set[str] = field(default_factory=set)  # the helpers that were written out
    depth: int = 0

    def lines(self, body: Sequence[_Line]) -> list[_Line]:
        return [made for line in body for made in self.line(line)]

    def line(self, line: _Line) -> list[_Line]:
        match line:
            case cst.If():
                return self.branch(line)
            case cst.For(body=cst.IndentedBlock() as block):
                made = block.with_changes(body=self.lines(block.body))
                return [line.with_changes(body=made)]
            case cst.With(body=cst.IndentedBlock() as block):
                return [line.with_changes(body=block.with_changes(body=self.lines(block.body)))]
            case cst.SimpleStatementLine(body=[small]):
                return self.small(line, small)
        return [line]

    def branch(self, line: cst.If) -> list[_Line]:
        above, test = self.taken_out(line.test)
        block = cst.ensure_type(line.body, cst.IndentedBlock)
        orelse = line.orelse
        if isinstance(orelse, cst.Else):
            inner = cst.ensure_type(orelse.body, cst.IndentedBlock)
            orelse = orelse.with_changes(body=inner.with_changes(body=self.lines(inner.body)))
        elif isinstance(orelse, cst.If):
            made = self.branch(orelse)
            is_same = len(made) == 1 and isinstance(made[0], cst.If)
            orelse = made[0] if is_same else cst.Else(cst.IndentedBlock(made))  # type: ignore[assignment]
        changed = line.with_changes(test=test, body=block.with_changes(body=self.lines(block.body)), orelse=orelse)
        return [*above, changed]

    def small(self, line: cst.SimpleStatementLine, small: cst.BaseSmallStatement) -> list[_Line]:
        match small:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as call) if (
                helper := self.asked(call)
            ) is not None and _is_row_of_names(target):
                above, changed = self.taken_out_of_arguments(call)
                return [*above, *self.written_out(helper, changed, target)]
            case cst.Expr(value=cst.Call() as call) if (helper := self.asked(call)) is not None:
                above, changed = self.taken_out_of_arguments(call)
                return [*above, *self.written_out(helper, changed, None)]
        above, made = self.taken_out(small)
        return [*above, line.with_changes(body=[made])]

    def asked(self, call: cst.Call) -> Function | None:
        helper = self.helpers.get(dotted(call.func) or "")
        return helper if helper is not None and self.is_wanted(helper, call) else None

    def taken_out_of_arguments(self, call: cst.Call) -> tuple[list[_Line], cst.Call]:
        above, args = [], []
        for item in call.args:
            more, value = self.taken_out(item.value)
            above += more
            args.append(item.with_changes(value=value))
        return above, call.with_changes(args=args)

    def taken_out(self, node: Any) -> tuple[list[_Line], Any]:
        """An expression or a small statement with variables for calls, and the statements that give these their values."""
        above: list[_Line] = []
        while (call := self.first_call(node)) is not None:
            helper = self.asked(call)
            assert helper is not None
            name = self.fresh(helper.name.strip("_"))
            above += self.written_out(helper, call, cst.Name(name))
            node = node.deep_replace(call, cst.Name(name))
        return above, node

    def first_call(self, node: cst.CSTNode) -> cst.Call | None:
        """The innermost call that is written out, of which nothing decides whether it is reached."""
        if isinstance(node, _APART):
            if any(self.asked(call) is not None for call in descendants(node, cst.Call)):
                raise CannotNormalize
            return None
        for item in node.children:
            if (found := self.first_call(item)) is not None:
                return found
        return node if isinstance(node, cst.Call) and self.asked(node) is not None else None

    def written_out(self, helper: Function, call: cst.Call, target: cst.BaseExpression | None) -> list[_Line]:
        """The statements of a helper, with the variables of the step for its parameters."""
        if self.depth >= _DEEPEST or "classmethod" in helper.decorators:
            raise CannotNormalize
        body = _unrolled([line for line in _block(helper.node.body) if not is_docstring(line)])
        if any(isinstance(node, _NOT_HERE) for line in body for node in descendants(line)):
            raise CannotNormalize
        given = _arguments(helper, call)
        rebound = {name for line in body for name in _bound(line)}
        above, words = list[_Line](), dict[str, cst.BaseExpression]()
        for name, value in given.items():
            if name in rebound or not _is_plain(value):
                words[name] = cst.Name(self.fresh(name))
                above.append(quote_statement(f"{words[name].value} = {{value}}", value=value))  # type: ignore[attr-defined]
            else:
                words[name] = value
        words |= {name: cst.Name(self.fresh(name)) for name in sorted(rebound - words.keys())}
        own = {name for line in body for name in _read(line)} - words.keys() - {"self"}
        if own & self.caller or (helper.self_name not in (None, "self")):
            raise CannotNormalize
        ended = _ended(helper, body, target is not None, self.fresh)
        lines = _renamed(ended[0], words)
        if target is not None:
            lines = _stored(lines, ended[1], target)
        self.written.add(dotted(call.func) or "")
        self.depth += 1
        lines = self.lines([*above, *lines])
        self.depth -= 1
        return lines


def changes_given(helper: Function) -> bool:
    """Whether a helper changes in place what it is given, as far as its text says."""
    names = set(helper.parameter_names) - {helper.self_name}
    for node in descendants(helper.node.body):
        match node:
            case cst.AugAssign(target=target) | cst.AssignTarget(target=cst.Subscript() as target):
                if _first_name(target) in names:
                    return True
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(name))) if is_inplace_name(name):
                if _first_name(value) in names:
                    return True
            case cst.Arg(keyword=cst.Name("out"), value=value):
                if _first_name(value) in names:
                    return True
    return False


def _first_name(node: cst.CSTNode) -> str | None:
    """`x` in `x[0].data.mul_(2)`: what a change may reach."""
    while isinstance(node, (cst.Attribute, cst.Subscript, cst.Call)):
        if isinstance(node, cst.Call):
            function = node.func
            if not isinstance(function, cst.Attribute) or not _keeps_storage(function.attr.value):
                return None
            node = function.value
        else:
            node = node.value
    return node.value if isinstance(node, cst.Name) else None


def _keeps_storage(name: str) -> bool:
    return name in VIEWS or is_inplace_name(name)


_NOT_HERE: tuple[type[cst.CSTNode], ...] = (
    cst.FunctionDef,
    cst.ClassDef,
    cst.Lambda,
    cst.BaseComp,
    cst.Global,
    cst.Nonlocal,
    cst.Try,
    cst.While,
    cst.Yield,
    cst.Await,
    cst.Del,
    cst.NamedExpr,
    cst.Import,
    cst.ImportFrom,
    cst.Break,
    cst.Continue,
)


def _block(suite: cst.BaseSuite) -> list[_Line]:
    if not isinstance(suite, cst.IndentedBlock):
        raise CannotNormalize
    return list(suite.body)


def _is_row_of_names(target: cst.BaseExpression) -> bool:
    parts = [item.value for item in target.elements] if isinstance(target, cst.Tuple) else [target]
    return all(isinstance(part, cst.Name) for part in parts)


def _is_plain(node: cst.BaseExpression) -> bool:
    """What may stand at several places instead of a variable."""
    match node:
        case cst.Name() | cst.Integer() | cst.Float() | cst.SimpleString():
            return True
        case cst.Attribute(value=value):
            return _is_plain(value)
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
            return _is_plain(value) and _is_plain(key)
    return False


def _arguments(helper: Function, call: cst.Call) -> dict[str, cst.BaseExpression]:
    """What the parameters of a helper stand for."""
    if helper.star_name is not None or helper.double_star_name is not None or any(item.star for item in call.args):
        raise CannotNormalize
    parameters = [item for item in helper.parameters if item.name.value != helper.self_name]
    given: dict[str, cst.BaseExpression] = {}
    for number, item in enumerate(call.args):
        if item.keyword is None and number >= len(parameters):
            raise CannotNormalize
        given[item.keyword.value if item.keyword is not None else parameters[number].name.value] = item.value
    for parameter in parameters:
        value = given.get(parameter.name.value, parameter.default)
        if value is None or (parameter.name.value not in given and not isinstance(value, _LITERALS)):
            raise CannotNormalize
        given[parameter.name.value] = value
    return given


_LITERALS = (cst.Integer, cst.Float, cst.SimpleString, cst.Name)


def _bound(line: _Line) -> set[str]:
    found = [item for item in descendants(line) if isinstance(item, (cst.AssignTarget, cst.AugAssign, cst.For))]
    return {name for item in found for name in bound_names(item.target)}


def _read(node: cst.CSTNode) -> set[str]:
    """The names that something reads or binds, without those of attributes and arguments."""
    match node:
        case cst.Name(value=name):
            return {name}
        case cst.Attribute(value=value) | cst.Arg(value=value):
            return _read(value)
    return set[str]().union(*map(_read, node.children))


def _unrolled(body: Sequence[_Line]) -> list[_Line]:
    """Statements without loops over what is listed from which they return."""
    result: list[_Line] = []
    for line in body:
        returns = any(isinstance(node, cst.Return) for node in descendants(line))
        if not isinstance(line, cst.For) or not returns:
            result.append(line)
            continue
        match line:
            case cst.For(
                target=cst.Name(name),
                iter=cst.List(elements=elements) | cst.Tuple(elements=elements),
                body=cst.IndentedBlock(body=inner),
                orelse=None,
            ) if all(_is_plain(item.value) for item in elements) and name not in {
                n for one in inner for n in _bound(one)
            }:
                rows = [_renamed(inner, {name: item.value}) for item in elements]
                result += [made for row in rows for made in _unrolled(row)]
            case _:
                raise CannotNormalize
    return result


def _ended(helper: Function, body: Sequence[_Line], is_asked: bool, fresh: FreshNames) -> tuple[list[_Line], str]:
    """The statements of a helper that store what it returns, and where they do."""
    name = fresh("result")
    returns = [node for line in body for node in descendants(line, cst.Return)]
    if not returns:
        if is_asked:
            raise CannotNormalize
        return list(body), name
    if not is_asked and any(node.value is not None for node in returns):
        raise CannotNormalize
    made = with_one_ending(helper.node.with_changes(body=cst.IndentedBlock(body)), name)
    if made is None:
        raise CannotNormalize
    return _block(made.body)[:-1], name


def _renamed(lines: Sequence[_Line], words: Mapping[str, cst.BaseExpression]) -> list[_Line]:
    made = [line.deep_clone().visit(_Renamed(words)) for line in lines]
    return [line for line in made if isinstance(line, cst.BaseStatement)]


def _stored(lines: Sequence[_Line], name: str, target: cst.BaseExpression) -> list[_Line]:
    """The statements with other variables for the one that has what a helper returns."""
    made = [line.visit(_Stored(name, target)) for line in lines]
    return [one for line in made for one in (line if isinstance(line, cst.FlattenSentinel) else [line])]  # type: ignore[misc]


class _Renamed(cst.CSTTransformer):
    """Names exchanged for expressions."""

    def __init__(self, words: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self.words = words

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        word = self.words.get(updated_node.value)
        return (
            updated_node
            if word is None
            else parenthesized(word.deep_clone())
            if not _is_plain(word)
            else word.deep_clone()
        )

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)


class _Stored(cst.CSTTransformer):
    """`result = a, b` as `x = a` and `y = b`."""

    def __init__(self, name: str, target: cst.BaseExpression) -> None:
        super().__init__()
        self.name, self.target = name, target

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Any:
        match updated_node.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)] if name == self.name:
                made = [line for line in self.lines(value) if not _is_idle(line)]
                return cst.FlattenSentinel(made or [quote_statement("pass")])
        return updated_node

    def lines(self, value: cst.BaseExpression) -> list[_Line]:
        match self.target, value:
            case cst.Tuple(elements=targets), cst.Tuple(elements=values) if len(targets) == len(values):
                names = [cst.ensure_type(item.value, cst.Name).value for item in targets]
                if any(set(names[:number]) & _read(item.value) for number, item in enumerate(values)):
                    raise CannotNormalize
                pairs = zip(names, values, strict=True)
                return [quote_statement(f"{name} = {{value}}", value=item.value) for name, item in pairs]
            case cst.Name(word), _:
                return [quote_statement(f"{word} = {{value}}", value=value)]
            case cst.Tuple(), cst.Call():
                return [quote_statement("{target} = {value}", target=self.target.deep_clone(), value=value)]
        raise CannotNormalize


def _is_idle(line: _Line) -> bool:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Name(other))]
        ):
            return name == other
    return False


__all__ = ["Inlining", "changes_given"]
