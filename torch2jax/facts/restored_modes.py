"""Methods that set the mode of their own module, or of a part of it, for a while: what calls them sees nothing of it.

    def predict(self, x):
        was_training = self.training
        self.eval()
        y = self(x)
        self.train(was_training)
        return y

A must-analysis over the statements of a method: behind the first call that sets the mode control leaves it only behind the one that
sets the mode that there was before.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.effects import Effects
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LEAVING = (cst.Return, cst.Yield, cst.Await, cst.Global, cst.Nonlocal)


def restores_mode(effects: Effects, function: Function | None, part: str | None = None) -> bool:
    """Whether a method of a module leaves the module, or a part of it, in the mode in which it was called."""
    own = _own_name(function)
    if function is None or own is None or not (part or own).startswith((own, f"{own}.")):
        return False
    return _restores(effects, function, part or own)


def restores_mode_of(effects: Effects, function: Function, parameter: str) -> bool:
    """Whether a function leaves a module that it is given in the mode in which it got it."""
    return parameter in function.parameter_names and _restores(effects, function, parameter)


def _restores(effects: Effects, function: Function, own: str) -> bool:
    body = function.node.body.body
    at = [number for number, line in enumerate(body) if _mode_calls(line, own)]
    if not at or _sets_modes_of_parts(effects, function, own):
        return False
    saved = _saved(body[: at[0]], function, own)
    last = body[at[-1]]
    behind = last.finalbody.body.body if isinstance(last, cst.Try) and last.finalbody is not None else [last]
    calls = [call for line in body for call in _mode_calls(line, own)]
    only_evaluates = all(call.func.attr.value == "eval" for call in calls[:-1])  # type: ignore[attr-defined]
    if saved is None or not any(restores(line, own, saved, only_evaluates) for line in behind):
        return False
    between = body[at[0] : at[-1]] if behind[0] is not last else body[at[0] : at[-1] + 1]
    inner = {node for line in between for item in descendants(line, cst.FunctionDef) for node in descendants(item.body)}
    return not any(isinstance(node, _LEAVING) and node not in inner for line in between for node in descendants(line))


def _own_name(function: Function | None) -> str | None:
    """What the module is called in a method of it, or in a function that a decorator puts in the place of one."""
    if function is None:
        return None
    if function.self_name is not None:
        return function.self_name if function.owner is not None and function.owner.is_module else None
    is_inner = function.outer is not None and function.parameter_names[:1] == ["self"]
    return "self" if is_inner else None


def _mode_calls(line: cst.CSTNode, own: str) -> list[cst.Call]:
    """The calls in a statement that set the mode of `self`."""
    return [
        node
        for node in (line, *descendants(line))
        if isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value in ("train", "eval")
        and dotted(node.func.value) == own
    ]


def _saved(before: Sequence[cst.CSTNode], function: Function, own: str) -> str | None:
    """The variable, bound once, that holds the mode in which the module was."""
    for line in before:
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Attribute() as value)]
            ) if dotted(value) == f"{own}.training":
                bound = [
                    node
                    for node in descendants(function.node.body)
                    if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor))
                    and any(isinstance(item, cst.Name) and item.value == name for item in descendants(node.target))
                ]
                bound_whole = [node for node in bound if not isinstance(node.target, cst.Name)]
                return name if len(bound) == 1 and not bound_whole else None
    return None


def restores(line: cst.CSTNode, own: str, saved: str, only_evaluates: bool) -> bool:
    """Whether a statement sets the mode before: `self.train(was)`, or `if was: self.train()` where nothing else sets that mode."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Expr(cst.Call(func=cst.Attribute(value=node, attr=cst.Name("train")), args=[cst.Arg() as given]))]
        ):
            return dotted(node) == own and dotted(given.value) == saved
        case cst.If(test=test, orelse=None, body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[back])])) if (
            dotted(test) == saved
        ):
            match back:
                case cst.Expr(cst.Call(func=cst.Attribute(value=node, attr=cst.Name("train")), args=[])):
                    return only_evaluates and dotted(node) == own
    return False


def _sets_modes_of_parts(effects: Effects, function: Function, own: str) -> bool:
    """Whether a part may be in another mode than the module around it, which setting the mode of that would end."""
    return any(
        isinstance(call.func, cst.Attribute)
        and call.func.attr.value in ("train", "eval")
        and isinstance(call.func.value, cst.Attribute)
        and effects.values(call.func.value.value).kind is Kind.MODULE
        and not (dotted(call.func.value) == own and effects.program.function_around(call) is function)
        for call in effects.program.index.calls
    )


__all__ = ["restores", "restores_mode", "restores_mode_of"]
