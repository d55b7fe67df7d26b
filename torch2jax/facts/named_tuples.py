"""The classes that `collections.namedtuple` makes: which fields they have, and what is known of each field of an entry.

Transition = namedtuple("Transition", ("state", "reward"))     a class with the fields `state` and `reward`
entry = Transition(x, 1.0)                                     a tuple of a tensor and a number
entry.state                                                    its first element
batch = Transition(*zip(*entries))                             a tuple of the states and the rewards
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.values import NOTHING, Kind, Value

CLASS = "collections.namedtuple.type"
"""What is said of a class that `collections.namedtuple` makes."""

_FIELDS = "fields "  # before the names, among the types of a class and of its entries


def class_value(node: cst.Call, arguments: Sequence[Value]) -> Value:
    """The class that a call of `collections.namedtuple` makes, with its fields where they stand there."""
    names = None
    if len(arguments) == 2 and not any(item.star or item.keyword for item in node.args):
        names = _names(arguments[1])
    types = frozenset({_FIELDS + " ".join(names)}) if names else frozenset[str]()
    return Value(Kind.PYTHON, const=CLASS, types=types)


def entry(function: Value, node: cst.Call, arguments: Sequence[Value]) -> Value | None:
    """What a class of named tuples makes of its arguments; None where it is none, gets others than its fields, or what is not
    known.
    """
    names = _fields(function) if function.const == CLASS else None
    if names is None:
        return None
    if [item.star for item in node.args] == ["*"]:
        items = arguments[0].items
    else:
        given = dict[str, Value]()
        for name, item, value in zip(names, node.args, arguments, strict=False):
            if item.star:
                return None
            given[item.keyword.value if item.keyword is not None else name] = value
        items = tuple(given[name] for name in names) if given.keys() == set(names) else None
    if items is None or len(items) != len(names) or any(item.kind is Kind.UNKNOWN for item in items):
        return None
    return Value(Kind.TUPLE, items=items, types=function.types)


def field(value: Value, name: str) -> Value | None:
    """A field of a named tuple; None where nothing is known of it."""
    names = _fields(value)
    if names is None or name not in names or value.items is None or len(value.items) != len(names):
        return None
    return value.items[names.index(name)]


def _fields(value: Value) -> list[str] | None:
    """The fields of a class of named tuples or of an entry, where it is one class."""
    found = [name.removeprefix(_FIELDS) for name in value.types if name.startswith(_FIELDS)]
    return found[0].split() if len(found) == 1 else None


def _names(value: Value) -> list[str] | None:
    """Names in one text or in a sequence of texts, as `namedtuple` takes them."""
    if value.kind is Kind.STR and isinstance(value.const, str):
        return value.const.replace(",", " ").split()
    if value.kind in (Kind.LIST, Kind.TUPLE) and value.items:
        texts = [item.const for item in value.items if item.kind is Kind.STR and item.const is not NOTHING]
        return [str(text) for text in texts] if len(texts) == len(value.items) else None
    return None


__all__ = ["CLASS", "class_value", "entry", "field"]
