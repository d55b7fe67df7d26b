"""Parts of modules that are asked for by names which the program computes: `getattr(self, f"enc_{i}")`.

"enc_{:d}".format(i + 1), "enc_%d" % (i + 1), "enc_" + str(i + 1), f"enc_{i + 1}"    ->    enc_{i + 1}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from torch2jax.program.definitions import How
from torch2jax.program.program import Program
from torch2jax.syntax.codegen import code

_HOLE = re.compile(r"\{(?::d)?\}|%[ids]")
_PATH = re.compile(r"[\w.]*")


def asked_by_name(node: cst.CSTNode) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The module and the name of `getattr(module, name)`."""
    match node:
        case cst.Call(
            func=cst.Name("getattr"),
            args=[cst.Arg(value=module, star="", keyword=None), cst.Arg(value=name, star="", keyword=None)],
        ):
            return module, name
    return None


def as_filled_text(name: cst.BaseExpression) -> str | None:
    """What stands between the quotes of an f-string that gives a computed name; None where it cannot be written so."""
    match name:
        case cst.SimpleString():
            text = name.evaluated_value
            return text if isinstance(text, str) and _PATH.fullmatch(text) else None
        case cst.FormattedString(parts=parts):
            return _joined([_part(part) for part in parts])
        case cst.Name():
            return _hole(name)
        case cst.Call(func=cst.Name("str"), args=[cst.Arg(value=value, star="", keyword=None)]):
            return _hole(value)
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return _joined([as_filled_text(left), as_filled_text(right)])
        case cst.BinaryOperation(left=cst.SimpleString() as text, operator=cst.Modulo(), right=given):
            values = [item.value for item in given.elements] if isinstance(given, cst.Tuple) else [given]
            return _filled(text, values)
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as text, attr=cst.Name("format")), args=args):
            is_plain = not any(item.star or item.keyword is not None for item in args)
            return _filled(text, [item.value for item in args]) if is_plain else None
    return None


def _part(part: cst.BaseFormattedStringContent) -> str | None:
    match part:
        case cst.FormattedStringText(value=text):
            return text if _PATH.fullmatch(text) else None
        case cst.FormattedStringExpression(expression=value, conversion=None, format_spec=None, equal=None):
            return _hole(value)
    return None


def _joined(parts: Sequence[str | None]) -> str | None:
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) else None


def _filled(template: cst.SimpleString, given: Sequence[cst.BaseExpression]) -> str | None:
    """The text of `"enc_{}".format(i)` and `"enc_%d" % i`, whose holes are filled in their order."""
    text = str(template.evaluated_value)
    holes, between = _HOLE.findall(text), _HOLE.split(text)
    if len(holes) != len(given) or not all(map(_PATH.fullmatch, between)):
        return None
    numbers = [":d" if hole in ("{:d}", "%d", "%i") else "" for hole in holes]
    filled = [*map(_hole, given, numbers), ""]
    return _joined([part for pair in zip(between, filled, strict=True) for part in pair])


def _hole(value: cst.BaseExpression, form: str = "") -> str | None:
    return f"{{{code(value.with_changes(lpar=(), rpar=()))}{form}}}" if _is_simple(value) else None


def _is_simple(value: cst.BaseExpression) -> bool:
    """Whether a number or a text is a variable, or computed of variables and numbers."""
    match value:
        case cst.BinaryOperation(left=left, operator=cst.Add() | cst.Subtract() | cst.Multiply(), right=right):
            return _is_simple(left) and _is_simple(right)
    return isinstance(value, (cst.Name, cst.Integer))


def texts_of_loop(program: Program, name: cst.BaseExpression) -> tuple[str, ...]:
    """The texts that a variable runs through: `name` in `for name in ["enc_1", "enc_2"]`; none if there may be others."""
    found = program.definitions.only(name) if isinstance(name, cst.Name) else None
    if found is None or found.how is not How.NEXT:
        return ()
    if not isinstance(program.index.parents[found.node], (cst.For, cst.CompFor)):
        return ()  # it gets a part of what the loop goes through
    given = found.value
    if isinstance(given, cst.Name):
        bound = program.definitions.bound_once(given)
        given = bound.value if bound is not None and bound.how is How.ASSIGNED else None
        given = given if isinstance(given, cst.Tuple) else None  # which nothing changes
    if not isinstance(given, (cst.List, cst.Tuple)):
        return ()
    texts = [item.value.evaluated_value for item in given.elements if isinstance(item.value, cst.SimpleString)]
    known = tuple(text for text in texts if isinstance(text, str))
    return known if len(known) == len(given.elements) else ()


def is_only_flagged(program: Program, part: cst.Call) -> bool:
    """Whether a part of whatever name is only asked for its parameters, to say whether these are trained."""
    parents = program.index.parents
    method = parents.get(part)
    call = parents.get(method) if isinstance(method, cst.Attribute) else None
    if not isinstance(call, cst.Call) or call.func is not method or not isinstance(method, cst.Attribute):
        return False
    match method.attr.value, parents.get(call):
        case "requires_grad_", cst.Expr():
            return True
        case "parameters", cst.For(target=cst.Name(name), iter=iterated, body=body) if iterated is call:
            match body.body:
                case [
                    cst.SimpleStatementLine(
                        body=[
                            cst.Assign(
                                targets=[
                                    cst.AssignTarget(
                                        target=cst.Attribute(value=cst.Name(held), attr=cst.Name("requires_grad"))
                                    )
                                ]
                            )
                        ]
                    )
                ]:
                    return held == name
    return False


__all__ = ["as_filled_text", "asked_by_name", "is_only_flagged", "texts_of_loop"]
