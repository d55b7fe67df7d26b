"""Which functions are given to others, and which libraries call those that they are given."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.datasets import is_of
from torch2jax.facts.effects import Draw, Effects
from torch2jax.facts.infer import Values
from torch2jax.facts.outside_callers import is_of_library
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program, dotted
from torch2jax.values import Kind, Partial

_RUNNING = frozenset("CLI Fire Process auto_cli dispatch_command run".split())  # these call what they are given once
_LOOKING = frozenset(
    "callable functools.update_wrapper functools.wraps hasattr hash id isinstance print repr str".split()
)  # these do not call it
NAMESPACES = frozenset({"types.SimpleNamespace", "argparse.Namespace"})  # these keep it for the program
_LOOKING_MODULES = ("copy.", "inspect.", "typing.", "unittest.mock.")


def given_functions(
    program: Program, values: Values, effects: Effects
) -> Iterator[tuple[cst.BaseExpression, Function, cst.Call]]:
    """Functions that draw, where they are given to others, with the calls that are given them."""
    drawing = {key for key, item in program.by_key.items() if effects.of(item).draw is not Draw.NONE}
    if not drawing:
        return
    given = [argument.value for argument in program.index.every(cst.Arg)]
    for node in [node for kind in (cst.Name, cst.Attribute, cst.Call) for node in given if type(node) is kind]:
        parent = program.index.parents[node]
        value = values(node)
        keys = value.const.keys if isinstance(value.const, Partial) else value.types
        if value.kind is not Kind.FUNCTION or keys.isdisjoint(drawing):
            continue
        call = program.index.parents[parent]
        if not isinstance(call, cst.Call) or looks(call, values):
            continue
        made = values(call.func)
        if made.kind is Kind.MODULE or (made.kind is Kind.TORCH and not is_of(made)):
            continue
        if isinstance(values(call).const, Partial) and call.args[0] is parent:
            continue
        yield node, program.by_key[min(keys & drawing)], call


def looks(call: cst.Call, values: Values) -> bool:
    """Whether a call only looks at the functions that it is given: `callable(f)`, `inspect.signature(f)`."""
    value = values(call.func)
    name = value.const if isinstance(value.const, str) else dotted(call.func) or ""
    return value.is_a(Kind.PYTHON, Kind.UNKNOWN) and (name.startswith(_LOOKING_MODULES) or name in _LOOKING)


def hands_over(call: cst.Call, node: cst.BaseExpression, values: Values, *, modules_take_key: bool = False) -> bool:
    """Whether functions of the program take a function as an argument, so that they give it its key; also where they take it
    for a module of any class, which is called with one if it takes one (`modules_take_key`).
    """
    if isinstance(call.func, cst.Attribute) and values(call.func.value).kind is Kind.MODULE:
        return True  # `model.apply(init)`
    callees = values.callees.get(call, ())
    if not callees and values(call.func).kind is Kind.CLASS:
        return True
    for callee in callees:
        for name, argument in arguments_by_parameter(callee, call, values):
            if argument is node and name in callee.parameter_names:
                seen = callee.seen.get(name)
                if seen is None:
                    return False
                is_any = modules_take_key and "*" in seen.called
                return is_any or seen.types >= values(node).types or seen.called >= values(node).types
    return False


def runs(call: cst.Call, values: Values) -> bool | None:
    """Whether a library calls what it is given there, and if so, whether once only (a command line, a process)."""
    value = values(call.func)
    if is_of(value):
        return False  # a dataset or a transform, for each picture
    name = value.const if isinstance(value.const, str) else dotted(call.func) or ""
    is_kept = hasattr(builtins, name.removeprefix("builtins.")) or name in NAMESPACES  # for the program
    if is_kept or not is_of_library(call.func, values):
        return None
    return name.rpartition(".")[2] in _RUNNING


__all__ = ["NAMESPACES", "given_functions", "hands_over", "looks", "runs"]
