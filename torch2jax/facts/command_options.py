"""What the options of the command line are: `parser.add_argument("--steps", type=int, default=10)` makes `args.steps` an integer.

As argparse does: a default that is a text is read by `type`, and any other stays as it is. Options of one name that several
parsers have are of the kinds of all. Nothing is known of options that may be None, or that the program sets itself.
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.program.program import Program, dotted
from torch2jax.values import BOOL, FLOAT, INT, NOTHING, STR, UNKNOWN, Kind, Options, Value, join_all

_TYPES = {"int": INT, "float": FLOAT, "str": STR}
_FLAGS = frozenset({"store_true", "store_false"})
_KNOWN = frozenset({"choices", "default", "dest", "help", "metavar", "required", "type"})
_PLAIN = (Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.STR)
_SETTING = frozenset({"__dict__", "__setattr__", "set_defaults", "setattr", "vars"})

ValueOf = Callable[[cst.BaseExpression], Value]


def is_parsing(call: cst.Call) -> bool:
    """Whether the command line is read by a parser, into an object of its own."""
    is_named = isinstance(call.func, cst.Attribute) and call.func.attr.value in ("parse_args", "parse_known_args")
    return is_named and len(call.args) <= 1 and not any(item.keyword is not None or item.star for item in call.args)


def receives_all(call: cst.Call) -> bool:
    """Whether the options are all that reading the command line gives, without what was left over."""
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "parse_args"


def options_of(program: Program, value_of: ValueOf) -> Options:
    """The kinds of the options that the parsers of a file are told of."""
    found: dict[str, list[Value]] = {}
    for call in program.index.calls:
        if (name := option_name(call)) is not None:
            found.setdefault(name, []).append(_value(call, value_of))
    if not found or _may_set_any(program):
        return Options(frozenset())
    is_set = {name for name in found if name in program.stored_fields or f"={name}" in program.read_elsewhere}
    joined = {name: join_all(values) for name, values in found.items() if name not in is_set}
    return Options(frozenset((name, value) for name, value in joined.items() if value.kind in _PLAIN))


def _may_set_any(program: Program) -> bool:
    """Whether options may be set by a name that cannot be told: `vars(args).update(config)`, `parser.set_defaults(**config)`."""
    return any(program.mentions(word) or word in program.read_elsewhere for word in _SETTING)


def option_name(call: cst.Call) -> str | None:
    """The name of the field with the option that a call makes; None for other calls, and where it cannot be told."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "add_argument":
        return None
    words = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    given = [item.value for item in call.args if item.keyword is None and not item.star]
    names = [str(item.evaluated_value) for item in given if isinstance(item, cst.SimpleString)]
    dest = words.get("dest")
    if isinstance(dest, cst.SimpleString):
        return str(dest.evaluated_value)
    long = [name for name in names if name.startswith("--")]
    return (long or names)[0].lstrip("-").replace("-", "_") if names and dest is None else None


def _value(call: cst.Call, value_of: ValueOf) -> Value:
    """What an option gives; an unknown value where that cannot be told, or may be None."""
    words = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    default = value_of(words["default"]) if "default" in words else None
    match words.pop("action", None):
        case None:
            pass
        case cst.SimpleString() as action if action.evaluated_value in _FLAGS:
            return BOOL if default is None or default.kind is Kind.BOOL else UNKNOWN
        case _:
            return UNKNOWN
    kind = _TYPES.get(dotted(words["type"]) or "") if "type" in words else STR
    is_asked = _is_true(words.get("required")) or not _is_option(call)
    if kind is None or not words.keys() <= _KNOWN or any(item.star for item in call.args):
        return UNKNOWN
    if default is None:
        return kind if is_asked else UNKNOWN
    if default.kind is Kind.STR:  # read as if it were given
        return kind
    return join_all([kind, default.but(const=NOTHING)]) if default.kind in _PLAIN else UNKNOWN


def _is_option(call: cst.Call) -> bool:
    first = call.args[0].value if call.args else None
    return isinstance(first, cst.SimpleString) and str(first.evaluated_value).startswith("-")


def _is_true(node: cst.BaseExpression | None) -> bool:
    return isinstance(node, cst.Name) and node.value == "True"


__all__ = ["is_parsing", "option_name", "options_of", "receives_all"]
