"""The tables of a conversion: the shipped ones under rows of the user's own, and which imports of a file those rows decide."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import libcst as cst

from torch2jax.emit.imports import KNOWN_IMPORTS, is_torch, read_imports
from torch2jax.emit.support import names_of_module, support_names
from torch2jax.ops.lowering import IGNORED
from torch2jax.ops.schema import Alternative, LayerColumn, Tables
from torch2jax.ops.signatures import parse_signature
from torch2jax.ops.tables import load_tables
from torch2jax.options import TARGETS, Options
from torch2jax.plan.model import Facts
from torch2jax.program.norm_families import FAMILIES, INSTANCE_NORMS, STATEFUL
from torch2jax.program.program import canonical, import_bindings
from torch2jax.syntax.imported import Import
from torch2jax.syntax.walk import Index
from torch2jax.values import UNKNOWN

_KEEPING = (
    "({num_features}, eps={eps}, momentum={momentum}, affine={affine}, track_running_stats={track_running_stats})"
)
_OUTDATED = frozenset({"min_value", "max_value"})
_DERIVED = {"Hardtanh": "ReLU6", **{f"ConstantPad{n}d": f"ZeroPad{n}d" for n in (1, 2, 3)}}
_NDIM = re.compile(r"(\w+)[123]d")


def tables_for(options: Options, families: frozenset[str] = frozenset()) -> Tables:
    """The tables of a conversion: the shipped ones, under rows of the user's own. The norms of some `families` are classes of
    their own, as are layers without parameters that are asked for by their names, which are among these, too; norms of
    instances may keep statistics where `STATEFUL` is. Raises TableError.
    """
    tables = _tables_with(options.mappings, stamps_of(options.mappings)) if options.mappings else load_tables()
    if STATEFUL in families:
        tables = _with_statistics(tables)
    own = families & FAMILIES.keys()
    if own:
        tables = _with_own_classes(tables, own)
    told = _told_layers(options.target, families) - tables.own
    return replace(_with_told_layers(tables, options.target, told), asked=families) if families else tables


@lru_cache(maxsize=64)
def _told_layers(target: str, names: frozenset[str]) -> frozenset[str]:
    """The layers without parameters that get classes of their own, and those that derive from them in torch."""
    texts = [name.strip("'") for name in names if name.startswith("'")]
    known = names_of_module(f"{target}_told_layers")
    found = {name for name in known if name in names or any(text in name for text in texts)}
    found |= {name for name in known if (made := _NDIM.fullmatch(name)) and f"_{made[1]}Nd" in names}
    found |= {below for name, several in _DERIVED.items() if name in found for below in several.split()}
    return frozenset(f"torch.nn.{name}" for name in found)


def _with_told_layers(tables: Tables, target: str, told: frozenset[str]) -> Tables:
    """Tables in which `ReLU(inplace=True)` of torch's is a `ReLU()`."""
    layers = dict(tables.layers)
    for name in told & layers.keys():
        spec, short = layers[name], name.rpartition(".")[2]
        given = [
            f"{{{item.name}}}" if item.default is None else f"{item.name}={{{item.name}}}"
            for item in parse_signature(spec.signature).parameters
            if item.name not in IGNORED | _OUTDATED
        ]
        column = LayerColumn((Alternative(f"{short}({', '.join(given)})"),), short, told=True)
        layers[name] = replace(spec, targets={**spec.targets, target: column})
    return replace(tables, layers=layers, told=told)


def _with_statistics(tables: Tables) -> Tables:
    """Tables in which norms of instances are modules with state, which may keep running statistics."""
    layers = dict(tables.layers)
    for member in INSTANCE_NORMS:
        spec = layers[f"torch.nn.{member}"]
        columns = {name: _stateful(column, member) for name, column in spec.targets.items()}
        if columns != spec.targets:
            layers[spec.name] = replace(spec, targets=columns, effects=spec.effects | {"state"})
    return replace(tables, layers=layers)


def _stateful(column: LayerColumn, member: str) -> LayerColumn:
    """A column for norms that may keep statistics, unless the user has another class for them."""
    if column.type != member:
        return column
    return replace(column, make=(Alternative(f"{STATEFUL}{member}{_KEEPING}"),), type=f"{STATEFUL}{member}")


def _with_own_classes(tables: Tables, families: frozenset[str]) -> Tables:
    """Tables in which `BatchNorm(8)` of a `BatchNorm2d` is a `BatchNorm2d(8)`."""
    layers = dict(tables.layers)
    for family in families:
        for member in FAMILIES[family]:
            spec = layers[f"torch.nn.{member}"]
            columns = {name: _named(column, family, member) for name, column in spec.targets.items()}
            layers[spec.name] = replace(spec, targets=columns)
    return replace(tables, layers=layers)


def _named(column: LayerColumn, family: str, member: str) -> LayerColumn:
    """A column that calls a class by another name."""
    if column.type != family:
        return column
    make = [
        replace(item, emit=re.sub(rf"^{family}\b", member, item.emit)) if item.emit else item for item in column.make
    ]
    return replace(column, make=tuple(make), type=member)


@lru_cache(maxsize=4)
def _tables_with(files: tuple[str, ...], stamps: tuple[int, ...]) -> Tables:
    """Tables with those of some files, read anew when one of them has changed."""
    del stamps
    from torch2jax.coverage import State, decide
    from torch2jax.ops.own import Surroundings, own_tables

    no_rows = Tables({}, {})

    def is_decided(name: str) -> bool:
        in_code = name.startswith(("torch.optim.lr_scheduler.", "torch.utils.data."))
        return in_code or decide(name, no_rows).state is not State.UNKNOWN

    support: dict[str, frozenset[str]] = {target: support_names(target) for target in TARGETS}
    return own_tables(files, Surroundings(load_tables(), KNOWN_IMPORTS.values(), support, is_decided, canonical))


def package_of(path: str, options: Options) -> str:
    """The package that a file belongs to, for relative imports: only where there are tables that may name it."""
    folder, parts = Path(path).resolve().parent, list[str]()
    while options.mappings and (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)


def _own_bindings(node: cst.Import | cst.ImportFrom, tables: Tables, package: str) -> dict[str, Import]:
    """The names by which an import makes things known for which the user has rows."""
    if not tables.own or isinstance(node.names, cst.ImportStar):
        return {}
    values = import_bindings(node, (), tables.own, package)
    return {
        item.bound: item
        for item in read_imports(node)
        if tables.has_own(str(values.get(item.bound, UNKNOWN).const)) and not is_torch(item)
    }


def imports_own(index: Index, tables: Tables, package: str) -> bool:
    return any(
        import_bindings(node, (), tables.own, package)
        if isinstance(node.names, cst.ImportStar)
        else _own_bindings(node, tables, package)
        for node in index.imports
    )


def replaced_imports(facts: Facts, package: str) -> frozenset[str]:
    """Names of imports of which rows of the user's own decide every use: the imports go as those of torch do."""
    index, values, tables = facts.program.index, facts.values, facts.tables
    found: set[str] = set()
    others: set[str] = set()
    for node in index.imports:
        bound = _own_bindings(node, tables, package)
        found |= bound.keys()
        others |= {item.bound for item in read_imports(node)} - bound.keys()
    if not found:
        return frozenset()
    used: set[str] = set()
    for name in index.names:
        parent = index.parents[name]
        if (
            name.value not in found
            or index.is_label(name)
            or any(item in index.imports for item in index.ancestors(name))
        ):
            continue
        used.add(name.value)
        place: cst.CSTNode = name
        while values.torch_name(place) is None and isinstance(parent, cst.Attribute) and parent.value is place:
            place, parent = parent, index.parents[parent]
        if values.torch_name(place) not in tables.own:
            others.add(name.value)
    for text in index.every(cst.SimpleString):
        others.add(text.raw_value)  # as in `__all__`
    return frozenset(found & used - others)


def stamps_of(files: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(Path(file).stat().st_mtime_ns for file in files if Path(file).is_file())
