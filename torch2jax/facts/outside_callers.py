"""Which functions others than the program call: those below a decorator of a library, tests, and methods that a base class
of a library calls.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.values import Kind

_STARTING = frozenset("automain command fixture group main".split())  # decorators of what runs once
_CALLING = frozenset(
    "after_request before_request callback delete event get hookimpl job listener on on_event patch post put register "
    "remote route scheduled_job task websocket".split()
)
_PLAIN = frozenset("ABC Enum Generic IntEnum NamedTuple Protocol TypedDict object".split())  # bases that call nothing
_PREPARING = frozenset("setUp setUpClass setUpModule setup setup_class setup_method setup_module tearDown".split())


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
        if isinstance(node, (cst.Attribute, cst.Name)) and is_of_library(node, values):
            words.add((dotted(node) or "").rpartition(".")[2])
    return bool(words & _STARTING) if words & (_STARTING | _CALLING) else None


def _is_override(function: Function, program: Program, values: Values) -> bool:
    """Whether a method that the program does not call is one that a base class of a library calls: `run` of a thread."""
    owner, name = function.owner, function.name
    if owner is None or owner.is_module or function.callers or function.self_name is None or name == "__init__":
        return False
    asked = [node.value for node in program.index.attributes if node.attr.value == name]
    if any(dotted(node) is not None and not is_of_library(node, values) for node in asked):
        return False
    if any(file.mentions(name) for file in program.files if file is not program):
        return False
    bases = [base.value for item in owner.lineage for base in item.node.bases]
    return any(is_of_library(base, values) and (dotted(base) or "").rpartition(".")[2] not in _PLAIN for base in bases)


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


def is_of_library(node: cst.BaseExpression, values: Values) -> bool:
    """Whether a function is of a library that is no torch, or of an object that such a library has made."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name) and values(node).kind is Kind.PYTHON


__all__ = ["called_by_others", "is_of_library"]
