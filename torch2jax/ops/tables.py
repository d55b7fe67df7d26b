"""Load the mapping tables: YAML in the project, one compiled JSON file where nothing has changed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from torch2jax.ops.schema import FunctionSpec, LayerSpec, TableError, Tables, function_spec, layer_spec, names_of

Row = Mapping[str, Any]  # one entry of a table, as YAML gives it
Spec = TypeVar("Spec")


def mappings_folder() -> Path:
    """Where the YAML files lie: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_mappings"
    return installed if installed.is_dir() else package.parent / "mappings"


def table_files(folder: Path) -> list[Path]:
    """The table files of a folder in a fixed order."""
    return sorted(folder.rglob("*.yaml"))


def read_rows(path: Path, shown: str | None = None) -> list[tuple[Row, str]]:
    """The rows of one file with their origin `file:line`, where the file is called `shown`. Raises TableError."""
    import yaml

    shown = shown or f"{path.parent.name}/{path.name}"

    loader_class = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = path.read_text(encoding="utf-8")
    loader = loader_class(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return []
        rows = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{shown}:{mark.line + 1}" if mark is not None else shown
        raise TableError(f"{place}: not YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise TableError(f"{shown}: not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(rows, list):
        raise TableError(f"{shown}:1: a table is a list of mappings")
    places = [f"{shown}:{item.start_mark.line + 1}" for item in node.value]
    for row, item, place in zip(rows, node.value, places, strict=True):
        if not isinstance(row, dict):
            raise TableError(f"{place}: a row is a mapping")
        if len(row) < len(item.value):
            keys = [key.value for key, _ in item.value]
            twice = next((key for key in keys if keys.count(key) > 1), "<<")
            raise TableError(f"{place}: the key `{twice}` stands twice")
    return list(zip(rows, places, strict=True))


def family_of(path: Path, folder: Path) -> str:
    """`ops`, `layers`, ...: the folder or the file's own name directly under the mappings folder."""
    return path.relative_to(folder).parts[0].removesuffix(".yaml")


def collect_rows(folder: Path) -> list[tuple[str, Row, str]]:
    """(family, row, origin) of every row of a folder."""
    return [(family_of(path, folder), row, origin) for path in table_files(folder) for row, origin in read_rows(path)]


def build_tables(rows: Iterable[tuple[str, Row, str]]) -> Tables:
    """Validated tables from rows; a name may have one row only. Raises TableError."""
    functions: dict[str, FunctionSpec] = {}
    layers: dict[str, LayerSpec] = {}
    for family, row, origin in rows:
        if family == "layers":
            if "torch" not in row:
                raise TableError(f"{origin}: a layer row needs `torch`")
            layer = layer_spec(row, origin)
            for name in names_of(row):
                if name in layers:
                    raise TableError(f"{origin}: `{name}` stands in {layers[name].origin} already")
                layers[name] = layer
            continue
        spec = function_spec(row, origin)
        for name in names_of(row):
            if name in functions:
                raise TableError(f"{origin}: `{name}` stands in {functions[name].origin} already")
            functions[name] = spec
    return Tables(functions, layers)


@cache
def load_tables() -> Tables:
    """The tables that ship with torch2jax: those of the compiled file if it is current, else from YAML (and the compiled
    file renewed where possible).
    """
    folder = mappings_folder()
    stamp = [[path.name, path.stat().st_mtime_ns, path.stat().st_size] for path in table_files(folder)]
    compiled = folder / "compiled.json"
    rows = _compiled_rows(compiled, stamp)
    if rows is not None:
        return _validated_tables(rows)
    rows = collect_rows(folder)
    tables = build_tables(rows)
    with contextlib.suppress(OSError):  # a read-only installation reads the YAML each time
        compiled.write_text(json.dumps({"stamp": stamp, "rows": rows}), encoding="utf-8")
    return tables


def _compiled_rows(compiled: Path, stamp: object) -> list[tuple[str, Row, str]] | None:
    if not compiled.is_file():
        return None
    try:
        content = json.loads(compiled.read_text(encoding="utf-8"))
    except ValueError:
        return None
    if content.get("stamp") != stamp and content.get("stamp") != "packaged":
        return None
    return [(family, row, origin) for family, row, origin in content["rows"]]


def _validated_tables(rows: Iterable[tuple[str, Row, str]]) -> Tables:
    """Tables of rows that were found valid when they were compiled: each becomes a spec when somebody asks for it."""
    functions: dict[str, tuple[Row, str]] = {}
    layers: dict[str, tuple[Row, str]] = {}
    for family, row, origin in rows:
        named = layers if family == "layers" else functions
        for name in names_of(row):
            named[name] = (row, origin)
    return Tables(_LazySpecs(functions, function_spec), _LazySpecs(layers, layer_spec))


class _LazySpecs(Mapping[str, Spec]):
    """Specs by name, made from their rows at the first look; the names of one row share one spec."""

    def __init__(self, rows: Mapping[str, tuple[Row, str]], make: Callable[[Row, str], Spec]) -> None:
        self._rows = rows
        self._make = make
        self._made: dict[int, Spec] = {}  # by identity of the row

    def __getitem__(self, name: str) -> Spec:
        row, origin = self._rows[name]
        spec = self._made.get(id(row))
        if spec is None:
            spec = self._made[id(row)] = self._make(row, origin)
        return spec

    def get(self, name: str, default: object = None) -> Any:
        return self[name] if name in self._rows else default

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
