"""Our dataclasses behave as those of the standard library do."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import field
from importlib import import_module
from pathlib import Path
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


_LIBRARY = """
from dataclasses import dataclass, field

def with_slots(kind):
    members = {name: item for name, item in kind.__dict__.items() if name not in ("__dict__", "size")}
    return type(kind.__name__, kind.__bases__, members | {"__slots__": ("size",)})

@dataclass
class Plain:
    names: list = field(default_factory=list)

@with_slots
@dataclass(frozen=True)
class Frozen:
    size: int

@dataclass(frozen=True, order=True)
class Ordered:
    size: int = 0
"""


def _library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (folder / "classes_of_data.py").write_text(_LIBRARY)
    monkeypatch.syspath_prepend(str(folder))
    records.load_quickly("classes_of_data")
    monkeypatch.delitem(sys.modules, "classes_of_data", raising=False)
    records.load_quickly("classes_of_data")
    found = import_module("classes_of_data")
    monkeypatch.delitem(sys.modules, "classes_of_data")
    return found


def test_classes_of_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = _library(tmp_path, monkeypatch)
    assert library.Plain() == library.Plain([]) and library.Plain(["a"]).names == ["a"]
    first, second = library.Frozen(1), library.Frozen(size=2)
    assert first != second and first == library.Frozen(1) and library.Frozen.__init__ is not library.Plain.__init__
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.size = 2
    assert library.Ordered() < library.Ordered(1)


def test_classes_derive_from_those_of_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = _library(tmp_path, monkeypatch)

    @dataclasses.dataclass(frozen=True)
    class Derived(library.Frozen):  # type: ignore[name-defined, misc]
        name: str = "n"

    assert dataclasses.astuple(Derived(3)) == (3, "n")


def test_many_objects_make_the_method(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = _library(tmp_path, monkeypatch)
    before = library.Frozen.__init__
    first = library.Frozen(1)
    assert library.Frozen.__init__ is before
    many = [library.Frozen(size=size) for size in range(20)]
    made = library.Frozen.__init__
    assert library.Frozen(1) == first == many[1] and many[19].size == 19
    assert before is not made and library.Frozen.__init__ is made


@pytest.mark.parametrize("kind", [records.dataclass, dataclasses.dataclass])
@pytest.mark.parametrize("before", [0, 20])
def test_what_objects_cannot_be_made_of(kind: Callable[..., Any], before: int) -> None:
    point, found, empty = _of(kind)
    for _ in range(before):
        point(1), found(), empty()
    for wrong in (
        *(lambda: point(1, 2, 3), lambda: point(1, x=1), lambda: point(y=1), lambda: point(1, z=2)),
        *(lambda: found(["a"], {}, 1), lambda: found(count=1), lambda: empty(1)),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_conversions_load_the_parser_quickly() -> None:
    program = (
        "import torch2jax\n"
        "torch2jax.convert('import torch\\nx = torch.ones(3)\\n')\n"
        "import libcst\n"
        "print(libcst.Name.__dataclass_params__.init)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["False"]
