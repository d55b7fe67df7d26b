"""Parts of modules of which nothing says which class they are of: `self.net = net`, where no caller shows a `Net()`.

Where the program has classes or layers that keep state, such a part may be one of them, and a call of it takes the state of the
module around it. A may-analysis over the calls in methods: their class keeps state as well, which all its callers pass on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.module_state import ModuleState
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, Program
from torch2jax.syntax.walk import bound_names, choices
from torch2jax.values import Kind, Value

LENT = "lent"  # marks (function, parameter, place): the module that the function is given gets the value of what a place holds
TOLD = "told"  # marks (class): its methods are given the module that it has kept
REFRESHED = "refreshed"  # marks (function, object, field, module): the object gets the module wherever it is used


class Effects(Protocol):
    """What is asked of the effects of a file that are being found."""

    program: Program
    values: Values
    modules_take_key: bool
    module_state: ModuleState

    def classes_of(self, value: Value) -> list[Class]: ...
    def is_stateful(self, value: Value) -> bool: ...
    def may_keep_state(self) -> bool: ...
    def is_method_of_any_class(self, call: cst.Call) -> bool: ...
    def lambda_around(self, node: cst.CSTNode) -> cst.Lambda | None: ...


def find_given_modules(effects: Effects) -> set[cst.Call]:
    """The calls of parts that may keep state; their classes are marked in passing."""
    program = effects.program
    for item in program.classes.values():
        item.calls_any = False
    if not effects.modules_take_key or not effects.may_keep_state():
        return set()
    found = {call for call in program.index.calls if _calls_given(effects, call)}
    for call in found:
        function = program.function_running(call)
        assert function is not None and function.owner is not None
        function.owner.calls_any = True
    return found


def _calls_given(effects: Effects, call: cst.Call) -> bool:
    callee = effects.values(call.func)
    is_module = callee.kind is Kind.MODULE and not callee.types
    is_module = is_module or (may_hold_any(callee) and not effects.is_stateful(callee))
    if callee.kind is Kind.UNKNOWN and callee.called:  # a layer here, a function there
        is_module = (
            effects.is_stateful(Value(Kind.MODULE, types=callee.called)) or "torch.nn.Sequential" in callee.called
        )
    if not is_module and not _is_given_method(effects, call):
        return False
    function = effects.program.function_running(call)
    if function is None or function.owner is None or not function.owner.is_module or function.self_name is None:
        return False
    if function.name == "__init__" or effects.lambda_around(call) is not None:
        return False
    return _is_part(effects, call, call.func, function.self_name) and not is_known_to_keep_none(effects, call.func)


def may_hold_any(module: Value) -> bool:
    """Whether a module is a sequence of layers of which one may be of any class: `nn.Sequential(nn.Conv2d(3, 8, 1), norm(8))`."""
    if module.kind is not Kind.MODULE or module.types != {"torch.nn.Sequential"}:
        return False
    members = module.items if module.items is not None else [module.elem] if module.elem is not None else []
    return any(
        item.kind is Kind.UNKNOWN or (item.kind is Kind.MODULE and (not item.types or may_hold_any(item)))
        for item in members
    )


def _is_given_method(effects: Effects, call: cst.Call) -> bool:
    """Whether `self.net.encode(x)` is called, whose result is used."""
    if not effects.is_method_of_any_class(call) or effects.values(call.func.value).types:  # type: ignore[attr-defined]
        return False
    return not isinstance(effects.program.index.parents[call], cst.Expr)


def _is_part(effects: Effects, call: cst.Call, node: cst.BaseExpression, own: str) -> bool:
    """Whether an expression is read from `self`, or runs through what is."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    if not isinstance(node, cst.Name) or node.value == own:
        return isinstance(node, cst.Name)
    loops = [loop for item in effects.program.index.ancestors(call) for loop in _loops(item)]
    around = next((item for item in loops if node.value in bound_names(item.target)), None)
    return around is not None and any(_is_part(effects, call, part, own) for part in _sources(around.iter))


def _loops(node: cst.CSTNode) -> Iterator[cst.For | cst.CompFor]:
    """The loops that a statement or comprehension is, the innermost one last."""
    if isinstance(node, cst.For):
        yield node
    part = node.for_in if isinstance(node, cst.BaseComp) else None
    while part is not None:
        yield part
        part = part.inner_for_in


def _sources(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What a loop runs through: the arguments of `enumerate` and `zip`, else what stands there."""
    if isinstance(node, cst.Call):
        for argument in node.args:
            yield from _sources(argument.value)
    else:
        yield node


def is_known_to_keep_none(effects: Effects, function: cst.BaseExpression) -> bool:
    """Whether all that is called there is known: functions, and modules without state, which `__init__` puts into a field, or which
    all callers in sight give for a parameter.
    """
    given = list[cst.BaseExpression | None]()
    found = list[Value]()
    if isinstance(function, cst.Name):
        around = effects.program.function_around(function)
        if around is None or function.value not in around.parameter_names:
            return False
        given = list(_given_for(effects, around, function.value))
        found = [around.seen_elsewhere[function.value]] if function.value in around.seen_elsewhere else []
    elif isinstance(function, cst.Attribute):
        given = [
            value
            for item in effects.classes_of(effects.values(function.value))
            for part in item.lineage
            for _, value in effects.module_state.made.get(part, {}).get(function.attr.value, ())
        ]
    found += [effects.values(item) for node in given for item in (choices(node) if node is not None else [])]
    is_told = [
        item.kind in (Kind.FUNCTION, Kind.NONE)
        or (item.kind is Kind.MODULE and bool(item.types) and not effects.is_stateful(item) and not may_hold_any(item))
        for item in found
    ]
    return bool(given) and None not in given and all(is_told)


def _given_for(effects: Effects, function: Function, name: str) -> Iterator[cst.BaseExpression | None]:
    """What calls in the file give for a parameter; None where that is not in sight, or the variable is bound again."""
    if effects.program.assigned_in(function, name):
        yield None
    for call in function.callers:
        if call in effects.program.index.parents:
            given = arguments_by_parameter(function, cst.ensure_type(call, cst.Call), effects.values)
            yield next((node for key, node in given if key == name), None)


__all__ = ["LENT", "REFRESHED", "TOLD", "find_given_modules", "is_known_to_keep_none", "may_hold_any"]
