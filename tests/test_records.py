"""Our dataclasses behave as those of the standard library do."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from torch2jax import records


def _of(dataclass: Callable[..., Any]) -> tuple[Any, Any, Any]:
    @dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: int = 2

    @dataclass(slots=True)
    class Found:
        names: list[str] = field(default_factory=list)
        count: int = field(init=False)
        seen: dict[str, int] = field(default_factory=dict, repr=False)

        def __post_init__(self) -> None:
            self.count = len(self.names)

    @dataclass(frozen=True, slots=True, eq=False)
    class Empty:
        def __repr__(self) -> str:
            return "nothing"

    return Point, Found, Empty


def _answers(dataclass: Callable[..., Any]) -> list[object]:
    point, found, empty = _of(dataclass)
    first, second = point(1), point(x=1, y=3)
    match second:
        case point(x, y=y):
            matched = (x, y)
    return [
        *(repr(first), first == second, first == point(1, 2), hash(first), first == (1, 2), matched),
        *(repr(found(["a"])), found(["a"]) == found(["a"]), found() == found(["a"]), found().names is found().names),
        *(repr(empty()), empty() == empty(), found.__hash__, dataclasses.astuple(dataclasses.replace(second, x=5))),
        dataclasses.astuple(copy.copy(second)),
        [hasattr(item, "__dict__") for item in (first, found(), empty())],
    ]


def test_methods() -> None:
    ours, theirs = ([str(item) for item in _answers(kind)] for kind in (records.dataclass, dataclasses.dataclass))
    assert ours == theirs


@pytest.mark.parametrize("kind", [records.dataclass, dataclasses.dataclass])
def test_frozen(kind: Callable[..., Any]) -> None:
    point = _of(kind)[0](1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        type(point)()


@records.dataclass(frozen=True, slots=True)
class Pair:
    """A class that a pickle finds."""

    left: int
    right: str = "r"


def test_pickle() -> None:
    assert pickle.loads(pickle.dumps(Pair(3))) == Pair(3)
