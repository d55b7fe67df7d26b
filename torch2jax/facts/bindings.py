"""Where modules are made that are nobody's part, for libraries whose modules are definitions until they are given variables.

    class Net(nn.Module):
        def __init__(self): self.fc = nn.Linear(2, 3)     inside: a part of what is being made
    model = Net()                                         outside: a model, which gets variables here
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())     the sequence is one, its layers are its parts

A function is inside if it is a method of a module, stands in one, or is called from inside and may make modules; what calls
of such functions from outside give is a model, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Function, Program
from torch2jax.values import Kind

CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"})


class Bindings(NamedTuple):
    """The calls that make models, and the functions that run while a module is made or called, beside methods of modules."""

    calls: frozenset[cst.Call]
    inside: frozenset[Function]


def find_bound(program: Program, values: Values, is_function: Callable[[str], bool]) -> Bindings:
    """Find them; `is_function` says whether a layer is no more than a function."""
    making = [call for call in program.index.calls if _makes_module(values, call, is_function)]
    inside = _functions_inside(program, values, making)
    given = [call for call in program.index.calls if any(item in inside for item in values.callees.get(call, ()))]
    giving = [call for call in given if values(call).kind is Kind.MODULE and call not in making]
    found: set[cst.Call] = set()
    for call in (*making, *(call for call in giving if not any(item.is_method for item in values.callees[call]))):
        if program.function_around(call) not in inside and not is_inside(program, call):
            found.add(call)
    return Bindings(frozenset(call for call in found if not _is_part(program, call, found)), inside)


def is_inside(program: Program, node: cst.CSTNode) -> bool:
    """Whether code runs while a module is made or called: it stands in a method of one."""
    function = program.function_around(node)
    while function is not None:
        if function.owner is not None and function.owner.is_module:
            return True
        function = function.outer
    return False


def makes_module(values: Values, call: cst.Call) -> bool:
    """Whether a call makes a module, of a class of the program, of torch, or of one that a variable holds."""
    callee = values(call.func)
    name = values.torch_name(call.func)
    if values(call).kind is not Kind.MODULE:
        return False
    if name is not None and name.startswith("torch."):
        return name.startswith("torch.nn.")  # torch.load and torch.compile give models back that were made elsewhere
    return callee.kind in (Kind.CLASS, Kind.TORCH)


def _makes_module(values: Values, call: cst.Call, is_function: Callable[[str], bool]) -> bool:
    name = values.torch_name(call.func)
    return makes_module(values, call) and not (name is not None and name not in CONTAINERS and is_function(name))


def _functions_inside(program: Program, values: Values, making: list[cst.Call]) -> frozenset[Function]:
    """The functions that run inside and may make modules, beside methods of modules."""
    makers = {program.function_around(call) for call in making}
    inside: set[Function] = set()
    calls = [(call, callees) for call, callees in values.callees.items() if callees]
    changed = True
    while changed:
        changed = False
        for call, callees in calls:
            around = program.function_around(call)
            if around not in inside and not is_inside(program, call):
                continue
            for function in callees:
                is_free = function.owner is None and function not in inside
                if is_free and (function in makers or _gives_module(values, call)):
                    inside.add(function)
                    changed = True
    return frozenset(inside)


def _gives_module(values: Values, call: cst.Call) -> bool:
    return any(part.kind is Kind.MODULE for part in (values(call), *values(call).parts))


def _is_part(program: Program, call: cst.Call, found: set[cst.Call]) -> bool:
    """Whether a module is made as an argument of what makes another one."""
    return any(around in found for around in _calls_around(program, call))


def _calls_around(program: Program, call: cst.Call) -> Iterator[cst.CSTNode]:
    for ancestor in program.index.ancestors(call):
        if isinstance(ancestor, cst.BaseStatement):
            return
        yield ancestor
