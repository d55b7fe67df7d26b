"""Which functions libraries and Python call: those that stand below a decorator of theirs, or are given to them; tests."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.datasets import is_of
from torch2jax.facts.effects import Draw, Effects
from torch2jax.facts.infer import Values
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.values import Kind, Partial

_STARTING = frozenset("automain command fixture group main".split())  # decorators of what runs once
_CALLING = frozenset(
    "after_request before_request callback delete event get hookimpl job listener on on_event patch post put register "
    "remote route scheduled_job task websocket".split()
)
_RUNNING = frozenset("CLI Fire Process auto_cli dispatch_command run".split())  # these call what they are given once
_LOOKING = frozenset(
    "callable functools.update_wrapper functools.wraps hasattr hash id isinstance print repr str".split()
)  # these do not call it
_LOOKING_MODULES = ("copy.", "inspect.", "typing.", "unittest.mock.")
_PLAIN = frozenset("ABC Enum Generic IntEnum NamedTuple Protocol TypedDict object".split())  # bases that call nothing
_PREPARING = frozenset("setUp setUpClass setUpModule setup setup_class setup_method setup_module tearDown".split())


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
    name = value.const if isinstance(value.const, str) else dotted(call.func) or ""
    if not _is_of_library(call.func, values) or hasattr(builtins, name.removeprefix("builtins.")):
        return None
    return name.rpartition(".")[2] in _RUNNING


def called_by_others(function: Function, program: Program, values: Values) -> bool | None:
    """Whether a decorator gives a function to a library, a test runner finds it, or a base class of a library calls it; and if
    so, whether it runs once only.
    """
    below = _called_below(function, values)
    if below is None and _is_test(function, program):
        return True
    return False if below is None and _is_override(function, program, values) else below


def _called_below(function: Function, values: Values) -> bool | None:
    """Whether a decorator gives a function to a library that calls it, and if so, whether once only."""
    words = set()
    for item in function.node.decorators:
        node = item.decorator.func if isinstance(item.decorator, cst.Call) else item.decorator
        if isinstance(node, (cst.Attribute, cst.Name)) and _is_of_library(node, values):
            words.add((dotted(node) or "").rpartition(".")[2])
    return bool(words & _STARTING) if words & (_STARTING | _CALLING) else None


def _is_override(function: Function, program: Program, values: Values) -> bool:
    """Whether a method that the program does not call is one that a base class of a library calls: `run` of a thread."""
    owner, name = function.owner, function.name
    if owner is None or owner.is_module or function.callers or function.self_name is None or name == "__init__":
        return False
    asked = [node.value for node in program.index.attributes if node.attr.value == name]
    if any(dotted(node) is not None and not _is_of_library(node, values) for node in asked):
        return False
    if any(file.mentions(name) for file in program.files if file is not program):
        return False
    bases = [base.value for item in owner.lineage for base in item.node.bases]
    return any(_is_of_library(base, values) and (dotted(base) or "").rpartition(".")[2] not in _PLAIN for base in bases)


def _is_test(function: Function, program: Program) -> bool:
    """Whether pytest or unittest finds a function or a method by its name."""
    if function.outer is not None:
        return False
    if function.owner is not None:
        return _is_of_tests(function.owner) and (function.name.startswith("test") or function.name in _PREPARING)
    file = program.prefix.rstrip(":").rpartition("/")[2]
    is_file = file.startswith("test_") or file.endswith("_test") or program.mentions("pytest")
    return is_file and function.name.startswith("test_")


def _is_of_tests(item: Class) -> bool:
    bases = [dotted(base.value) or "" for one in item.lineage for base in one.node.bases]
    return any(base.endswith("TestCase") for base in bases) or (item.name.startswith("Test") and not bases)


def _is_of_library(node: cst.BaseExpression, values: Values) -> bool:
    """Whether a function is of a library that is no torch, or of an object that such a library has made."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name) and values(node).kind is Kind.PYTHON


__all__ = ["called_by_others", "given_functions", "hands_over", "looks", "runs"]
