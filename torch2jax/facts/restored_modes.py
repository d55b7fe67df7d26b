"""Methods that set the mode of their own module, or of a part of it, for a while: what calls them sees nothing of it.

    def predict(self, x):
        was_training = self.training
        self.eval()
        y = self(x)
        self.train(was_training)
        return y

A must-analysis over the statements of a method: behind the first call that sets the mode control leaves it only behind the one that
sets the mode that there was before.

Nor does anybody see the mode that a method leaves a part in where each method sets it before it uses the part:

    def forward(self, x):
        self.teacher.eval()
        return self.student(x) - self.teacher(x)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.effects import Effects
from torch2jax.facts.infer import outermost
from torch2jax.facts.training import method_call
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTING = frozenset({"children", "modules", "named_children", "named_modules", "_modules", "get_submodule", "apply"})
_LEAVING = (cst.Return, cst.Yield, cst.Await, cst.Global, cst.Nonlocal)


def restores_mode(effects: Effects, function: Function | None, part: str | None = None) -> bool:
    """Whether a method of a module leaves the module, or a part of it, in the mode in which it was called."""
    own = _own_name(function)
    if function is None or own is None or not (part or own).startswith((own, f"{own}.")):
        return False
    return _restores(effects, function, part or own)


def hides_mode(effects: Effects, function: Function | None, part: str) -> bool:
    """Whether nobody sees in which mode a method of a module leaves a part of it."""
    if restores_mode(effects, function, part):
        return True
    own = _own_name(function)
    if function is None or own is None or own != function.self_name or not part.startswith(f"{own}."):
        return False
    return function not in effects.module_state.init_only and _is_set_first(effects, function, part)


def _is_set_first(effects: Effects, function: Function, part: str) -> bool:
    """Whether whoever uses a part of a module is a method that has set its mode, in a line above, and nobody asks for modes."""
    program, owner, name = effects.program, function.owner, part.partition(".")[2]
    if owner is None or "." in name or function.name == "__init__" or owner.field_value(name) is None:
        return False
    heirs = [item for item in program.class_by_key.values() if owner in item.lineage or item in owner.lineage]
    methods = {method.node for item in heirs for method in item.methods.values()}
    if any(item.node not in program.classes or _lists_parts(item) for item in heirs):
        return False
    own_name = function.self_name
    for file in program.files:
        asked = file.index.attributes if file.mentions("training") else ()
        if any(node.attr.value == "training" and dotted(node.value) != own_name for node in asked):
            return False
        for node in file.index.attributes if file.mentions(name) else ():
            if node.attr.value != name or _is_tensor_of_part(effects, node):
                continue
            user = outermost(file.function_around(node))
            is_own = user is not None and dotted(node.value) == user.self_name
            if is_own and user.node not in methods:  # type: ignore[union-attr]
                continue  # a field of another class
            if user is None or not is_own or file is not program:
                return False
            if user.name != "__init__" and not _is_set_above(effects, user, node, f"{user.self_name}.{name}"):
                return False
    return True


def _lists_parts(item: Class) -> bool:
    """Whether a class asks for all its parts, or for some by computed names, whatever they are called."""
    nodes = [node for method in item.methods.values() for node in descendants(method.node)]
    is_listing = any(isinstance(node, cst.Attribute) and node.attr.value in _LISTING for node in nodes)
    return is_listing or any(isinstance(node, cst.Call) and dotted(node.func) == "getattr" for node in nodes)


def _is_tensor_of_part(effects: Effects, node: cst.BaseExpression) -> bool:
    """Whether only a tensor of a part is meant, which has no mode: `self.teacher.fc.weight`."""
    parents = effects.program.index.parents
    while isinstance(parent := parents.get(node), cst.Attribute) and parent.value is node:
        node = parent
        if effects.values(node).kind is Kind.TENSOR:
            return True
    return False


def _is_set_above(effects: Effects, user: Function, node: cst.CSTNode, part: str) -> bool:
    """Whether a line that sets the mode of a part, or one above it, holds a node, so that it runs before."""
    parents, line = effects.program.index.parents, node
    while line is not user.node:
        block = parents[line]
        if isinstance(block, cst.IndentedBlock):
            calls = (method_call(item, "eval") for item in block.body[: block.body.index(line) + 1])
            if any(call is not None and dotted(call.func) == f"{part}.eval" for call in calls):
                return True
        line = block
    return False


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


__all__ = ["hides_mode", "restores", "restores_mode", "restores_mode_of"]
