"""What Python's own containers, builtins and files do with what they are given: the one table, which every pass asks.

A method is looked up by its name and by what is known of the object that has it: `x.add(y)` changes a set, and no tensor.
Where a class of the program has the method, its summary says more (facts/mutations.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Flag, auto

from torch2jax.values import Kind


class Does(Flag):
    """What a method does to its object. GIVES: its result is a part of it, or holds parts."""

    NOTHING = 0
    GROWS = auto()
    REMOVES = auto()
    REORDERS = auto()
    REPLACES = auto()
    GIVES = auto()


FUNCTION_TESTS = frozenset({"callable", "isfunction", "inspect.isfunction"})
"""Questions that a lambda answers with yes."""

QUESTIONS = frozenset({"callable", "isinstance", "issubclass", "type", "print", "str", "repr", "id"})
"""Functions that ask something of a value and do not call it."""

CHANGES = Does.GROWS | Does.REMOVES | Does.REORDERS | Does.REPLACES

_SEQUENCE = {
    "append": Does.GROWS,
    "clear": Does.REMOVES,
    "extend": Does.GROWS,
    "insert": Does.GROWS,
    "pop": Does.REMOVES | Does.GIVES,
    "remove": Does.REMOVES,
    "reverse": Does.REORDERS,
}
_LIST = _SEQUENCE | {"sort": Does.REORDERS}
_DEQUE = _SEQUENCE | {
    "appendleft": Does.GROWS,
    "extendleft": Does.GROWS,
    "popleft": Does.REMOVES | Does.GIVES,
    "rotate": Does.REORDERS,
}
_SET = {
    "add": Does.GROWS,
    "clear": Does.REMOVES,
    "difference_update": Does.REMOVES,
    "discard": Does.REMOVES,
    "intersection_update": Does.REMOVES,
    "pop": Does.REMOVES | Does.GIVES,
    "remove": Does.REMOVES,
    "symmetric_difference_update": Does.GROWS | Does.REMOVES,
    "update": Does.GROWS,
}
_DICT = {
    "clear": Does.REMOVES,
    "get": Does.GIVES,
    "items": Does.GIVES,
    "move_to_end": Does.REORDERS,  # OrderedDict
    "pop": Does.REMOVES | Does.GIVES,
    "popitem": Does.REMOVES | Does.GIVES,
    "setdefault": Does.GROWS | Does.GIVES,
    "subtract": Does.REPLACES,  # Counter
    "update": Does.GROWS | Does.REPLACES,
    "values": Does.GIVES,
}
_OTHERS = {  # queues, stacks and buffers
    "get_nowait": Does.REMOVES | Does.GIVES,
    "push": Does.GROWS,
    "put": Does.GROWS,
    "put_nowait": Does.GROWS,
}


def _joined(*tables: Mapping[str, Does]) -> dict[str, Does]:
    found: dict[str, Does] = {}
    for table in tables:
        for name, does in table.items():
            found[name] = found.get(name, Does.NOTHING) | does
    return found


_ANY = _joined(_LIST, _DEQUE, _SET, _DICT, _OTHERS)
_NO_CONTAINERS = (
    Kind.TENSOR, Kind.TORCH, Kind.PARAMETERS, Kind.SIZE, Kind.TUPLE, Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE,
    Kind.DEVICE, Kind.DTYPE, Kind.GENERATOR, Kind.FUNCTION, Kind.CLASS, Kind.CONTEXT,
)  # fmt: skip
_NO_METHODS: Mapping[str, Does] = {}
_BY_KIND: Mapping[Kind, Mapping[str, Does]] = {
    Kind.LIST: _joined(_LIST, _DEQUE, _SET),
    Kind.DICT: _DICT,
    Kind.STATE_DICT: _DICT,
    **dict.fromkeys(_NO_CONTAINERS, _NO_METHODS),
}


def method_does(name: str, kind: Kind = Kind.UNKNOWN) -> Does:
    """What a method of an object of some kind does to it, if the object is a container of Python's."""
    return _BY_KIND.get(kind, _ANY).get(name, Does.NOTHING)


def changes_container(name: str, kind: Kind = Kind.UNKNOWN) -> bool:
    """Whether a method changes what its container holds, or the order of it."""
    return bool(method_does(name, kind) & CHANGES)


def stores_arguments(name: str, kind: Kind = Kind.UNKNOWN) -> bool:
    """Whether a method puts its arguments, or what they hold, into its container."""
    return bool(method_does(name, kind) & Does.GROWS)


def gives_parts(name: str, kind: Kind = Kind.UNKNOWN) -> bool:
    """Whether the result of a method is a part of its container, or holds parts of it."""
    return bool(method_does(name, kind) & Does.GIVES)


STORES_ONE = frozenset({"add", "append", "appendleft"})
"""Methods that put their one argument, as it is, into a container."""

ADDS_PARTS = frozenset({"extend", "extendleft", "update"})
"""Methods that put the elements of their argument into a container."""

CHANGES_FIRST = frozenset(
    {"bisect.insort", "bisect.insort_left", "bisect.insort_right", "heapq.heapify", "heapq.heappop", "heapq.heappush",
     "heapq.heappushpop", "heapq.heapreplace", "operator.delitem", "operator.iadd", "operator.setitem", "random.shuffle",
     "numpy.copyto", "numpy.fill_diagonal", "numpy.place", "numpy.put", "numpy.putmask", "numpy.random.shuffle",
     "delattr", "next", "setattr"}
)  # fmt: skip
"""Functions that change their first argument."""

SHALLOW_COPIES = frozenset(
    {"dict", "enumerate", "filter", "frozenset", "iter", "list", "map", "next", "reversed", "set", "sorted", "tuple", "zip",
     "copy.copy", "collections.ChainMap", "collections.Counter", "collections.OrderedDict", "collections.defaultdict",
     "collections.deque", "itertools.chain", "itertools.cycle", "itertools.islice"}
)  # fmt: skip
"""Builtins and functions whose result is new, and holds what the arguments hold."""

CONSUMERS = frozenset(
    {
        "all",
        "any",
        "dict",
        "frozenset",
        "list",
        "max",
        "min",
        "set",
        "sorted",
        "sum",
        "tuple",
        "join",
        "extend",
        "update",
    }
)
"""Functions and methods that exhaust a generator before they return."""

WRITES = frozenset({"write", "writelines"})
"""Methods of files that act on the world outside."""

LOGS = frozenset(
    {"add_audio", "add_figure", "add_graph", "add_histogram", "add_image", "add_images", "add_scalar", "add_scalars",
     "add_text", "add_video", "critical", "debug", "error", "exception", "info", "warning"}
)  # fmt: skip
"""Methods of loggers that act on the world outside."""


__all__ = [
    "ADDS_PARTS",
    "CHANGES",
    "CHANGES_FIRST",
    "CONSUMERS",
    "LOGS",
    "SHALLOW_COPIES",
    "STORES_ONE",
    "WRITES",
    "Does",
    "changes_container",
    "gives_parts",
    "method_does",
    "stores_arguments",
]
