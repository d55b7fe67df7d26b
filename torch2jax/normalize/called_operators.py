"""Operators of Python that are called by their names become the operators, or the methods of torch that do the same.

x.__setitem__(0, v)              ->   x[0] = v
operator.setitem(x, 0, v)        ->   x[0] = v
x.__getitem__(0)                 ->   x[0]
x.__iadd__(v)                    ->   x.add_(v)
torch.Tensor.__iadd__(x, v)      ->   x.add_(v)
x = operator.iadd(x, v)          ->   x = x.add_(v)
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.evaluation_order import placed_instead
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.values import Kind

_METHODS = {
    "__iadd__": "add_",
    "__iand__": "bitwise_and_",
    "__ifloordiv__": "floor_divide_",
    "__imul__": "mul_",
    "__ior__": "bitwise_or_",
    "__ipow__": "pow_",
    "__isub__": "sub_",
    "__itruediv__": "div_",
    "__ixor__": "bitwise_xor_",
}
_FUNCTIONS = {f"operator.{name.strip('_')}": name for name in ("__getitem__", "__setitem__", *_METHODS)}
_COUNTS = {"__setitem__": 3}


def normalize_called_operators(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    for call in work.index.calls:
        name, given = _called(work, call)
        if name is None or len(given) != _COUNTS.get(name, 2):
            continue
        kind = work.values(given[0]).kind
        if kind is not Kind.TENSOR and (kind is not Kind.UNKNOWN or not isinstance(call.func, cst.Attribute)):
            continue
        if name == "__setitem__":
            _store(work, call, given)
        elif name == "__getitem__":
            work.edits.replace(call, partial(_read, given))
        elif kind is Kind.TENSOR:
            work.edits.replace(call, partial(_changed, given, _METHODS[name]))


def _called(work: NormalizationRound, call: cst.Call) -> tuple[str | None, list[cst.BaseExpression]]:
    """The special method that a call means, and what that is given, the object first."""
    given = [item.value for item in call.args if not item.star and item.keyword is None]
    if len(given) != len(call.args):
        return None, []
    function = work.values(call.func).const
    if isinstance(function, str) and function in _FUNCTIONS:
        return _FUNCTIONS[function], given
    match call.func:
        case cst.Attribute(value=owner, attr=cst.Name(name)) if name in _FUNCTIONS.values():
            if work.values.torch_name(owner) == "torch.Tensor":
                return name, given
            if not _is_super(owner):
                return name, [owner, *given]
    return None, []


def _is_super(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "super"


def _store(work: NormalizationRound, call: cst.Call, given: list[cst.BaseExpression]) -> None:
    line = work.index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=value)]) if value is call:
            work.edits.rewrite_statement(line, partial(_stored, work, line, given))
        case _:
            fields = {"name": code(given[0]), "operation": code(call)}
            work.problems.append(Problem(call, "T2J302", fields))


def _stored(
    work: NormalizationRound, line: cst.SimpleStatementLine, given: list[cst.BaseExpression], rewrite: Rewriter
) -> list[cst.BaseStatement]:
    target, place, value = (as_expression(rewrite(item)) for item in given)
    return placed_instead(work, line, quote_statement("{x}[{i}] = {value}", x=target, i=place, value=value))


def _read(given: list[cst.BaseExpression], rewrite: Rewriter) -> cst.CSTNode:
    return quote("{x}[{i}]", x=as_expression(rewrite(given[0])), i=as_expression(rewrite(given[1])))


def _changed(given: list[cst.BaseExpression], method: str, rewrite: Rewriter) -> cst.CSTNode:
    return quote(
        "{x}." + method + "({value})", x=as_expression(rewrite(given[0])), value=as_expression(rewrite(given[1]))
    )
