"""Texts that a program evaluates become what they say.

KIND = "CIFAR10"
eval("datasets." + KIND)(root)           ->   datasets.CIFAR10(root)
eval(f"nn.{kind}")(4, 8)                 ->   getattr(nn, kind)(4, 8)
eval("self.fc%d" % i)(x)                 ->   getattr(self, "fc%d" % i)(x)
eval("models." + name + ".get_net")()    ->   getattr(models, name).get_net()
eval(f"nn.{kind}()")                     ->   getattr(nn, kind)()

What evaluates a text is Python, which knows the names of the translation only. A text of which no more is known than that it
names something of torch, and that nothing calls, may say anything, and is reported; so is one that does more with a part of a
module than to name it.
"""

from __future__ import annotations

import ast
import builtins
import re

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Class, Function
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always
from torch2jax.syntax.quote import names_in, quote
from torch2jax.values import LOCAL, Kind

_PREFIX = re.compile(r"((?:[^\W\d]\w*\.)+)([\w%{}]*)")
_FIELDS = re.compile(r"(?:\.[^\W\d]\w*|\(\))+")
_TEMPLATE = re.compile(r"(.*(?:%s|\{\}))((?:\.[^\W\d]\w*|\(\))+)")
_NAME = re.compile(r"[\w%{}]*")
_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.List, cst.Dict, cst.Set, cst.SimpleString)
_BUILTINS = frozenset(dir(builtins))


def normalize_evaluated_texts(work: NormalizationRound) -> None:
    """Normalize, or report, all such calls of a file."""
    if "eval" in work.program.module_env:
        return
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Name("eval"), args=[cst.Arg(value=text, star="", keyword=None)]):
                _normalize(work, call, text)


def _normalize(work: NormalizationRound, call: cst.Call, text: cst.BaseExpression) -> None:
    said = work.values(text).const
    meant = _parsed(said) if isinstance(said, str) else None
    if meant is not None:
        if all(_means_the_same(work, call, name) for name in _names(str(said))):
            work.edits.replace(call, always(meant))
        return
    text, fields = _without_fields(text)
    asked = _asked(text)
    owner = _owner(work, call, asked[0]) if asked is not None else None
    is_own = owner is not None
    if asked is None or not (is_own or _is_namespace(work, call, asked[0])):
        return
    holder, name = asked
    parent = work.index.parents[call]
    is_called = (isinstance(parent, cst.Call) and parent.func is call) or fields.endswith("()")
    if _may_be_name(name) and (is_called or is_own):
        made = quote(
            f"getattr({{holder}}, {{name}}){fields}", holder=cst.parse_expression(holder), name=name.deep_clone()
        )
        work.edits.replace(call, always(made))
    elif owner.is_module if owner is not None else work.program.module_env[holder.partition(".")[0]].kind is Kind.TORCH:
        work.refuse(call, code(call), f"write `getattr({holder}, ...)`, or a table of what the text may name")


def _owner(work: NormalizationRound, call: cst.Call, holder: str) -> Class | None:
    """The class of the method around a call, if a name is what that calls its object: `self` of `"self.fc%d"`."""
    function = work.program.function_around(call)
    if function is None or function.owner is None or function.self_name is None:
        return None
    return function.owner if holder.partition(".")[0] == function.self_name else None


def _may_be_name(node: cst.BaseExpression) -> bool:
    """Whether what a text is put together of may be one name: `"fc" + str(i)`, but not `"fc" + str(i) + "(x)"`."""
    match node:
        case cst.SimpleString():
            return _NAME.fullmatch(_text(node)) is not None
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return _may_be_name(left) and _may_be_name(right)
        case cst.FormattedString(parts=parts):
            texts = [part.value for part in parts if isinstance(part, cst.FormattedStringText)]
            return all(map(_NAME.fullmatch, texts))
    return True


def _parsed(text: str) -> cst.BaseExpression | None:
    """The expression that a text is; None where it is none that can stand anywhere."""
    try:
        found = cst.parse_expression(text.strip())
    except cst.ParserSyntaxError:
        return None
    is_atom = isinstance(found, _ATOMS) or bool(found.lpar)
    return found if is_atom else found.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _names(text: str) -> frozenset[str]:
    tree = ast.parse(text.strip(), mode="eval")
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _means_the_same(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    """Whether a name of an evaluated text, which sees no variables of functions around its own, is the same when it is written out."""
    around = work.program.function_around(call)
    outer = around.outer if around is not None else None
    while outer is not None:
        if _binds(outer, name):
            return False
        outer = outer.outer
    return name in work.program.module_env or name in _BUILTINS or (around is not None and _binds(around, name))


def _binds(function: Function, name: str) -> bool:
    return name in names_in(function.node) and name not in free_variables(function.node)


def _is_namespace(work: NormalizationRound, call: cst.Call, holder: str) -> bool:
    """Whether a name stands for a part of torch, or a file of the program, for all that the function around it binds."""
    root = holder.partition(".")[0]
    value, function = work.program.module_env.get(root), work.program.function_around(call)
    while function is not None:
        if _binds(function, root):
            return False
        function = function.outer
    if value is None:
        return False
    is_file = value.kind is Kind.PYTHON and isinstance(value.const, str) and value.const.startswith(LOCAL)
    return value.kind is Kind.TORCH or (is_file and "." not in holder)


def _asked(text: cst.BaseExpression) -> tuple[str, cst.BaseExpression] | None:
    """What a text asks for something, `nn` of `"nn." + name`, and the name; None of other texts."""
    match text:
        case cst.SimpleString():
            return _cut(str(text.evaluated_value))
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            found = _asked(left)
            return None if found is None else (found[0], _joined(found[1], right))
        case cst.BinaryOperation(left=cst.SimpleString() as template, operator=cst.Modulo(), right=given):
            found = _cut(str(template.evaluated_value))
            if found is None or _text(found[1]) != "%s" or isinstance(given, cst.Tuple):
                return None if found is None else (found[0], text.with_changes(left=found[1]))
            return found[0], given
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as template, attr=cst.Name("format")) as func):
            found = _cut(str(template.evaluated_value))
            if found is None:
                return None
            if _text(found[1]) == "{}" and len(text.args) == 1 and not text.args[0].star:
                return found[0], text.args[0].value
            return found[0], text.with_changes(func=func.with_changes(value=found[1]))
        case cst.FormattedString(parts=[cst.FormattedStringText(value=first), *parts]):
            return _asked_by_parts(text, first, parts)
    return None


def _without_fields(text: cst.BaseExpression) -> tuple[cst.BaseExpression, str]:
    """A text without the fields and calls at its end, and these: `.get_net` of `"models." + name + ".get_net"`, and of `"models.%s.get_net" % name`."""
    match text:
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=cst.SimpleString() as last):
            if _FIELDS.fullmatch(_text(last)) is not None:
                return left, _text(last)
        case cst.BinaryOperation(left=cst.SimpleString() as template, operator=cst.Modulo()):
            if (found := _TEMPLATE.fullmatch(_text(template))) is not None:
                return text.with_changes(left=cst.SimpleString(repr(found[1]))), found[2]
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as template, attr=cst.Name("format")) as func):
            if (found := _TEMPLATE.fullmatch(_text(template))) is not None:
                changed = func.with_changes(value=cst.SimpleString(repr(found[1])))
                return text.with_changes(func=changed), found[2]
        case cst.FormattedString(parts=[*parts, cst.FormattedStringText(value=last)]) if parts:
            if _FIELDS.fullmatch(last) is not None:
                return text.with_changes(parts=parts), last
    return text, ""


def _asked_by_parts(
    text: cst.FormattedString, first: str, parts: list[cst.BaseFormattedStringContent]
) -> tuple[str, cst.BaseExpression] | None:
    found = _PREFIX.fullmatch(first)
    if found is None:
        return None
    match parts:
        case [cst.FormattedStringExpression(expression=name, conversion=None, format_spec=None)] if not found[2]:
            return found[1][:-1], name
    return found[1][:-1], text.with_changes(parts=[cst.FormattedStringText(found[2]), *parts])


def _cut(text: str) -> tuple[str, cst.SimpleString] | None:
    found = _PREFIX.fullmatch(text)
    return None if found is None else (found[1][:-1], cst.SimpleString(repr(found[2])))


def _text(node: cst.SimpleString) -> str:
    return str(node.evaluated_value)


def _joined(name: cst.BaseExpression, right: cst.BaseExpression) -> cst.BaseExpression:
    is_empty = isinstance(name, cst.SimpleString) and not name.evaluated_value
    return right if is_empty else cst.BinaryOperation(name, cst.Add(), right)


__all__ = ["normalize_evaluated_texts"]
