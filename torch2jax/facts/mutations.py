"""Which calls change the tensors that they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeGuard

import libcst as cst

from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted
from torch2jax.program.statements import statement_above
from torch2jax.syntax.walk import Index
from torch2jax.values import INPLACE, Value

SETS_INPLACE = "sets inplace"  # marks files that tell layers which are there by then to change their arguments in place
_TWICE_AS_ONCE = {"torch.nn.ReLU": "relu_"}  # layers that change nothing of what they have given
_VIEWING = frozenset({"torch.nn.Identity", "torch.nn.Flatten", "torch.nn.Unflatten"})


def changes_values(name: str) -> bool:
    """Whether a method or function of this name changes the values of its tensor."""
    return is_inplace_name(name) and name != "requires_grad_"


def filled_arguments(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """The arguments that a function changes: of `torch.relu_(x)`, `F.relu(x, inplace=True)` and `torch.add(a, b, out=c)`."""
    match call.func:
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            pass
        case _:
            name = ""
    keywords = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    makes_layer = name[:1].isupper()
    if call.args and (("inplace" in keywords and not makes_layer) or changes_values(name)):
        yield call.args[0].value
    if "out" in keywords:
        yield keywords["out"]


def first_change(module: Value) -> str | None:
    """The method that does to its argument what a Sequential surely does first, of those that may be done twice."""
    first = module.items[0] if module.types == {"torch.nn.Sequential"} and module.items else None
    if first is None or first.const != INPLACE or len(first.types) != 1:
        return None
    return _TWICE_AS_ONCE.get(min(first.types))


def surely_changes(module: Value) -> bool:
    """Whether a layer, or what a Sequential does first, changes its argument in place whatever the program is given."""
    if module.types != {"torch.nn.Sequential"}:
        return module.const == INPLACE
    first = next((item for item in module.items or () if not item.types & _VIEWING), None)
    return first is not None and surely_changes(first)


def is_begun(index: Index, look: Callable[[cst.CSTNode], Value], call: cst.Call) -> bool:
    """Whether a line above has done to a variable what a Sequential does to it first: `x.relu_()`, perhaps with `residual = x`
    behind it.
    """
    above = statement_above(index, index.statement_of(call))
    while _is_other_name(above, call):
        above = statement_above(index, above)
    match above:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name(method)), args=[]))]
        ):
            is_argument = (
                bool(call.args) and isinstance(call.args[0].value, cst.Name) and call.args[0].value.value == name
            )
            return is_argument and first_change(look(call.func)) == method
    return False


def _is_other_name(line: cst.CSTNode | None, call: cst.Call) -> TypeGuard[cst.SimpleStatementLine]:
    """Whether a line gives what a call is given, a variable, another name."""
    match line, call.args:
        case (
            cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(other))], value=cst.Name(name))]
            ),
            [cst.Arg(value=cst.Name(given))],
        ):
            return name == given != other
    return False


def copied_place(line: cst.CSTNode | None) -> str | None:
    """The place whose values a line gives a tensor: `u` of `self.u.copy_(u)`."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name("copy_")), args=[cst.Arg(value=given), *_]))]
        ):
            return dotted(given)
    return None
