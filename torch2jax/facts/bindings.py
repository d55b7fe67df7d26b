"""Where modules are made that are nobody's part, for libraries whose modules are definitions until they are given variables.

    class Net(nn.Module):
        def __init__(self): self.fc = nn.Linear(2, 3)     inside: a part of what is being made
    model = Net()                                         outside: a model, which gets variables here
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())     the sequence is one, its layers are its parts

A function is inside if it is a method of a module, stands in one, or is called from inside and may make modules; what calls
of such functions from outside give is a model, too. Methods that act on models as a whole are outside (`facts/outside_methods.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.outside_methods import find_outside, method_around
from torch2jax.program.program import Function, Program, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"})


class Bindings(NamedTuple):
    """The calls that make models, the functions that run while a module is made or called, beside methods of modules, and those
    methods of modules that do not. `known_inside` are the keys of the functions of other files of which these know it, too."""

    calls: frozenset[cst.Call]
    inside: frozenset[Function]
    outside: frozenset[Function]
    known_inside: frozenset[str] = frozenset()

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the functions that run inside."""
        return frozenset(item.key for item in self.inside)

    def is_inside(self, program: Program, node: cst.CSTNode) -> bool:
        """Whether code runs while a module is made or called."""
        return program.function_around(node) in self.inside or _is_inside(program, node, self.outside)


def find_bound(
    program: Program,
    values: Values,
    is_function: Callable[[str], bool],
    others: Iterable[tuple[Program, Bindings]] = (),
) -> Bindings:
    """Find them; `is_function` says whether a layer is no more than a function, `others` are what other files have found."""
    others = list(others)
    called = frozenset[str]().union(*(bound.keys for _, bound in others))
    known = {item.key for other, bound in others for item in bound.inside if item.node in other.functions}
    making = [call for call in program.index.calls if _makes_module(values, call, is_function)]
    makers = frozenset(making)
    outside = find_outside(program, values, makers.__contains__)
    inside = _functions_inside(program, values, making, outside, called)
    given = [
        call
        for call in program.index.calls
        if any(item in inside or item.key in known for item in values.callees.get(call, ()))
    ]
    giving = [call for call in given if values(call).kind is Kind.MODULE and call not in making]
    found: set[cst.Call] = set()
    by_function = (
        call for call in giving if not any(item.is_method and _is_of_module(item) for item in values.callees[call])
    )
    for call in (*making, *by_function):
        if program.function_around(call) not in inside and not _is_inside(program, call, outside):
            found.add(call)
    models = (call for call in found if not _is_part(program, values, call, found, inside))
    return Bindings(frozenset(models), inside, outside, frozenset(known))


def _is_of_module(function: Function) -> bool:
    """Whether a function stands in the class of a module."""
    return function.owner is not None and function.owner.is_module


def _is_inside(program: Program, node: cst.CSTNode, outside: frozenset[Function]) -> bool:
    """Whether code stands in a method of a module that runs while one is made or called."""
    method = method_around(program, node)
    return method is not None and method not in outside


def makes_module(values: Values, call: cst.CSTNode) -> bool:
    """Whether a call makes a module, of a class of the program, of torch, or of one that a variable or a table holds, maybe
    beside functions that give modules."""
    if not isinstance(call, cst.Call):
        return False
    callee = values(call.func)
    name = values.torch_name(call.func)
    if values(call).kind is not Kind.MODULE:
        return False
    if name is not None and name.startswith("torch."):
        return name.startswith("torch.nn.")  # torch.load and torch.compile give models back that were made elsewhere
    among_functions = callee.kind is Kind.FUNCTION and any(
        item.name == "__init__" for item in values.callees.get(call, ())
    )
    return callee.kind in (Kind.CLASS, Kind.TORCH) or among_functions


def _makes_module(values: Values, call: cst.Call, is_function: Callable[[str], bool]) -> bool:
    name = values.torch_name(call.func)
    return makes_module(values, call) and not (name is not None and name not in CONTAINERS and is_function(name))


def _functions_inside(
    program: Program,
    values: Values,
    making: list[cst.Call],
    outside: frozenset[Function],
    called: frozenset[str],
) -> frozenset[Function]:
    """The functions that run inside and may make modules, beside methods of modules; other files have `called` some there."""
    makers = {program.function_around(call) for call in making}
    inside = {*_given_makers(program, values, makers, outside), *_makers_beside_classes(program, values, makers)}
    inside |= {function for function in program.functions.values() if function.key in called}
    calls = [(call, callees) for call, callees in values.callees.items() if callees]
    changed = True
    while changed:
        changed = False
        for call, callees in calls:
            around = program.function_around(call)
            if around not in inside and not _is_inside(program, call, outside):
                continue
            for function in callees:
                is_free = not _is_of_module(function) and function not in inside
                if is_free and (function in makers or _gives_module(values, call)):
                    inside.add(function)
                    changed = True
    return frozenset(inside)


def _makers_beside_classes(program: Program, values: Values, makers: set[Function | None]) -> Iterator[Function]:
    """The functions that make modules and stand in one table with classes of them: what calls one of these makes a model of it."""
    for callees in values.callees.values():
        if any(item.name == "__init__" for item in callees):
            own = (item for item in callees if item.owner is None and item.node in program.functions)
            yield from (item for item in own if item in makers)


def _given_makers(
    program: Program, values: Values, makers: set[Function | None], outside: frozenset[Function]
) -> Iterator[Function]:
    """The functions that make modules and that modules may be given: nobody in sight calls them, and modules call what nobody knows."""
    unknown = [call for call in program.index.calls if values(call.func).kind is Kind.UNKNOWN]
    is_called = any(_is_inside(program, call, outside) for call in unknown)
    if not is_called and not any(map(_calls_what_it_is_given, _made_elsewhere(program))):
        return
    called = {function for callees in values.callees.values() for function in callees}
    for function in makers - called:
        if function is not None and function.owner is None and _is_given(program, function):
            yield function


def _made_elsewhere(program: Program) -> Iterator[Function]:
    """The `__init__` of the modules of other files."""
    for item in program.class_by_key.values():
        init = item.methods.get("__init__")
        if init is not None and item.is_module and item.node not in program.classes:
            yield init


def _calls_what_it_is_given(init: Function) -> bool:
    """Whether an `__init__` calls one of its parameters, which others may give functions, or its class a field that keeps one."""
    own, names = init.self_name, set(init.parameter_names)
    assigns = [node for node in descendants(init.node.body, cst.Assign) if isinstance(node.value, cst.Name)]
    kept = {dotted(item.target) for node in assigns if dotted(node.value) in names for item in node.targets}
    body = init.owner.node.body if init.owner is not None else init.node.body
    called = {dotted(call.func) for call in descendants(body, cst.Call)}
    return not called.isdisjoint(names - {own} | {place for place in kept if place is not None})


def _is_given(program: Program, function: Function) -> bool:
    """Whether the name of a function is handed on, and nowhere called."""
    uses, parents = program.definitions.uses_at(function.node.name), program.index.parents
    called = [node for node in uses if isinstance(call := parents[node], cst.Call) and call.func is node]
    return bool(uses) and not called


def _gives_module(values: Values, call: cst.Call) -> bool:
    return any(part.kind is Kind.MODULE for part in (values(call), *values(call).parts))


def _is_part(
    program: Program, values: Values, call: cst.Call, found: set[cst.Call], inside: frozenset[Function]
) -> bool:
    """Whether a module is made as an argument of what makes another one, and is given to no function before: `Net(fill(Part()))`."""
    for around in _calls_around(program, call):
        if around in found:
            return True
        if isinstance(around, cst.Call) and around is not call and values(around.func).kind is Kind.FUNCTION:
            if inside.isdisjoint(values.callees.get(around, ())) and values.callees.get(around):
                return False
    return False


def _calls_around(program: Program, call: cst.Call) -> Iterator[cst.CSTNode]:
    for ancestor in program.index.ancestors(call):
        if isinstance(ancestor, cst.BaseStatement):
            return
        yield ancestor
