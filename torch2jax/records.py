"""`dataclass` as the standard library has it, with slots and frozen if asked, that takes a quarter of the time.

The standard library writes and compiles six methods of each class where it is defined. A conversion imports two hundred such
classes, and that took half of the time of its imports. Here one method is compiled, when it is seen that there are many objects.
"""

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

_standard: Any = dataclasses.dataclass
_FEW = 16  # objects of a class that are made without a method of its own: half of the classes have no more

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool = False, slots: bool = False, eq: bool = True) -> Callable[[type], type]:
        """A class decorator."""

        def decorate(kind: type) -> type:
            kind.__doc__ = kind.__doc__ or kind.__name__  # else the standard library asks for a signature
            made = _standard(init=False, repr=False, eq=False, slots=slots)(kind)
            methods = {"__init__": _first_init(made, frozen), "__repr__": _repr}
            if eq:
                methods |= _compared(made, frozen)
            if frozen:
                methods |= _FROZEN
            for name, method in methods.items():
                if name not in kind.__dict__:
                    setattr(made, name, method)
            return made

        return decorate


def load_quickly(library: str) -> None:
    """Import a library, unless it is there, whose many classes of data are made as ours are."""
    if library in sys.modules:
        return
    parameters: list[Any] = []

    def quick(kind: Any = None, /, *, frozen: bool = False, eq: bool = True, **others: bool) -> Any:
        if others:
            return _standard(kind, frozen=frozen, eq=eq, **others)
        if kind is None:
            return lambda kind: quick(kind, frozen=frozen, eq=eq)
        made = dataclass(frozen=frozen, eq=eq)(kind)
        if frozen:
            parameters.append(made.__dataclass_params__)
        return made

    dataclasses.dataclass = quick
    try:
        import_module(library)
    finally:
        dataclasses.dataclass = _standard
    for item in parameters:  # which classes that derive from these are asked for
        item.frozen = True


def _first_init(kind: Any, frozen: bool) -> Callable[..., None]:
    """What the first objects are made with. Where more follow, it makes the method for those."""
    fields: list[dataclasses.Field[Any]] = []
    count = 0

    def __init__(self: object, *args: object, **keywords: object) -> None:
        nonlocal count
        if count == 0:
            fields.extend(item for item in dataclasses.fields(kind) if item.init)
        count += 1
        if count <= _FEW and (values := _bind(fields, args, keywords)) is not None:
            for item, value in zip(fields, values, strict=True):
                object.__setattr__(self, item.name, value)
            if hasattr(kind, "__post_init__"):
                self.__post_init__()  # type: ignore[attr-defined]
            return
        made = _make_init(kind, frozen)
        for owner in type(self).__mro__:  # `kind`, or what a decorator has made of it
            if owner.__dict__.get("__init__") is __init__:
                owner.__init__ = made  # type: ignore[misc]
        made(self, *args, **keywords)

    return __init__


def _bind(
    fields: Sequence[dataclasses.Field[Any]], args: Sequence[object], keywords: Mapping[str, object]
) -> list[object] | None:
    """The values of fields; None if what is given is not right for them."""
    values = list(args)
    for item in fields[len(args) :]:
        if item.name in keywords:
            values.append(keywords[item.name])
        elif item.default_factory is not dataclasses.MISSING:
            values.append(item.default_factory())
        elif item.default is not dataclasses.MISSING:
            values.append(item.default)
        else:
            return None
    named = sum(item.name in keywords for item in fields[len(args) :])
    return values if len(values) == len(fields) and named == len(keywords) else None


def _make_init(kind: Any, frozen: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_missing": dataclasses.MISSING, "_put": object.__setattr__}
    parameters, lines = ["self"], []
    for item in dataclasses.fields(kind):
        if not item.init:
            continue
        name = value = item.name
        if item.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = item.default_factory
            value = f"_make_{name}() if {name} is _missing else {name}"
            name = f"{name}=_missing"
        elif item.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = item.default
            name = f"{name}=_default_{name}"
        parameters.append(name)
        lines.append(f"_put(self, {item.name!r}, {value})" if frozen else f"self.{item.name} = {value}")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n    " + "\n    ".join(lines or ["pass"]), known)
    made: Callable[..., None] = known["__init__"]
    return made


def _compared(kind: type, frozen: bool) -> dict[str, Any]:
    names = [item.name for item in dataclasses.fields(kind)]
    values: Callable[[object], tuple[object, ...]]
    values = attrgetter(*names) if len(names) > 1 else lambda self: tuple([getattr(self, name) for name in names])

    def __eq__(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:
        return hash(values(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}


def _repr(self: Any) -> str:
    given = ", ".join(f"{item.name}={getattr(self, item.name)!r}" for item in dataclasses.fields(self) if item.repr)
    return f"{type(self).__qualname__}({given})"


def _refuse(self: object, name: str, value: object = None) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"{type(self).__name__}.{name} cannot be changed")


def _state(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for item, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


_FROZEN = {"__setattr__": _refuse, "__delattr__": _refuse, "__getstate__": _state, "__setstate__": _set_state}
