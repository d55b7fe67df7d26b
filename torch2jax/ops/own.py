"""Tables of a project's own: rows for its functions and layers and those of other packages, laid over the shipped ones.

What a row may say is what the shipped rows may (`schema`), and besides: `function:` or `layer:` names something outside of
torch, and `import:` brings the names that its texts use. Such tables are read and checked completely, each time anew; nothing of
them is kept on disk.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

from torch2jax.ops.schema import (
    COLUMNS,
    FunctionSpec,
    LayerSpec,
    TableError,
    Tables,
    function_spec,
    layer_spec,
    names_of,
)
from torch2jax.ops.tables import Row, read_rows
from torch2jax.records import dataclass
from torch2jax.syntax.imported import Import

_SUBJECTS = ("torch", "function", "layer")
_PLACES = (*_SUBJECTS, "method", "attribute")
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
_HOLE = re.compile(r"\{\*?([A-Za-z_]\w*)!?(?:\|\w+)?\}")
_ABBREVIATED = {"nn": "torch.nn", "F": "torch.nn.functional"}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What own rows must fit into.

    `aliases`: the names that every text may use, with the modules that they stand for; `support`: names of support
    code for each target.
    `decided` says whether a torch name is translated by a pass, which asks no row; `canonical` gives the one name of
    things that torch exports in several places.
    """

    base: Tables
    aliases: Collection[Import]
    support: Mapping[str, Collection[str]]
    decided: Callable[[str], bool]
    canonical: Callable[[str], str]

    def all_support(self) -> frozenset[str]:
        """The names of support code of all targets."""
        return frozenset().union(*self.support.values())


def own_tables(files: Iterable[str], around: Surroundings) -> Tables:
    """The shipped tables under the rows of these files. Raises TableError, whose message begins with `file:line:`."""
    functions: dict[str, FunctionSpec] = {}
    layers: dict[str, LayerSpec] = {}
    origins: dict[str, str] = {}
    imports: dict[str, dict[str, Import]] = {target: {} for target in COLUMNS}
    for row, origin in _rows(files):
        is_layer = _is_layer(row, origin, around)
        plain, imported = _without_imports(row, origin, around)
        for target, names in imported.items():
            _add_imports(imports[target], names, origin)
        if is_layer:
            layer = layer_spec(plain, origin)
            _check_layer(layer, imported, around)
        else:
            function = function_spec(plain, origin)
            _check_function(plain, function, imported, around)
        for name in names_of(plain):
            _check_name(name, is_layer, origin, around)
            if name in origins:
                raise TableError(f"{origin}: `{name}` stands in {origins[name]} already")
            origins[name] = origin
            if is_layer:
                layers[name] = layer
            else:
                functions[name] = function
    base = around.base
    outside = frozenset(name for name in origins if not name.startswith(("torch.", "Tensor.")))
    return Tables(
        ChainMap(functions, base.functions),  # type: ignore[arg-type]
        ChainMap(layers, base.layers),  # type: ignore[arg-type]
        base.optimizers,
        outside,
        imports,
    )


def _rows(files: Iterable[str]) -> Iterator[tuple[Row, str]]:
    for file in files:
        try:
            yield from read_rows(Path(file), file)
        except OSError as error:
            reason = "no such file" if isinstance(error, FileNotFoundError) else str(error.strerror).lower()
            raise TableError(f"{file}: {reason}") from error
        except UnicodeDecodeError as error:
            raise TableError(f"{file}: is not UTF-8") from error


def _need(condition: object, origin: str, message: str) -> None:
    if not condition:
        raise TableError(f"{origin}: {message}")


# what a row is about


def _is_layer(row: Row, origin: str, around: Surroundings) -> bool:
    given = [key for key in _SUBJECTS if key in row]
    _need(len(given) < 2, origin, f"a row is about one thing: {' or '.join(f'`{key}`' for key in given)}")
    _need(any(key in row for key in _PLACES), origin, f"a row needs one of {_listed(_PLACES)}")
    for key in ("aliases", "method", "attribute", *given):
        several = isinstance(row.get(key), list) and key not in _SUBJECTS
        for name in row[key] if several else [row[key]] if key in row else []:
            _need(isinstance(name, str) and _DOTTED.fullmatch(name), origin, f"`{key}: {name}` is no dotted name")
    for key in ("method", "attribute"):
        names = row[key] if isinstance(row.get(key), list) else [row.get(key, "Tensor.")]
        for name in names:
            _need(
                name.startswith("Tensor."),
                origin,
                f"`{key}: {name}`: rows can be about methods of tensors, Tensor.NAME",
            )
    name = str(row.get("torch", "torch."))
    long = ".".join([_ABBREVIATED.get(name.split(".")[0], ""), *name.split(".")[1:]])
    hint = f"`torch: {long}`" if not long.startswith(".") else f"`function: {name}` or `layer: {name}`"
    _need(name.startswith("torch."), origin, f"`torch: {name}` is no name of torch; write {hint}")
    if "layer" in row:
        return True
    return "torch" in row and (name in around.base.layers or any(key in row for key in (*COLUMNS, "forward")))


def _check_name(name: str, is_layer: bool, origin: str, around: Surroundings) -> None:
    known = around.canonical(name)
    _need(known == name, origin, f"`{name}` is known as `{known}`; name it so")
    _need(not around.decided(name), origin, f"`{name}` is translated by code and asks no row; it cannot be given one")
    other = around.base.functions if is_layer else around.base.layers
    kinds = ("layer", "function") if is_layer else ("function", "layer")
    _need(name not in other, origin, f"`{name}` is a {kinds[1]} and cannot become a {kinds[0]}")


# imports


_Imports = dict[str, list[Import]]  # by target


def _without_imports(row: Row, origin: str, around: Surroundings) -> tuple[Row, _Imports]:
    """The row as the shipped tables would have it, and what its texts import for each target."""
    plain = {("torch" if key in _SUBJECTS else str(key)): value for key, value in row.items() if key != "import"}
    shared = _read_imports(row.get("import"), origin, around, around.all_support())
    found = {target: list(shared) for target in COLUMNS}
    for target in COLUMNS:
        column = row.get(target)
        if isinstance(column, Mapping) and "import" in column:
            found[target] += _read_imports(
                column["import"], f"{origin} ({target})", around, around.support.get(target, ())
            )
            plain[target] = {key: value for key, value in column.items() if key != "import"}
    return plain, found


def _read_imports(value: object, origin: str, around: Surroundings, support: Collection[str]) -> list[Import]:
    if value is None:
        return []
    found: list[Import] = []
    for text in value if isinstance(value, list) else [value]:
        try:
            body = ast.parse(str(text)).body
        except SyntaxError:
            body = []
        shape = "`import` is one statement such as `from package.module import name`"
        _need(len(body) == 1 and isinstance(body[0], (ast.Import, ast.ImportFrom)), origin, f"{shape}, not `{text}`")
        found.extend(_names_of_import(body[0], origin))
    for item in found:
        bound = item.bound
        _need(item.module.split(".")[0] != "torch", origin, "a translation imports nothing of torch")
        taken = bound in support or bound in dir(builtins)
        taken = taken or (item not in around.aliases and any(alias.bound == bound for alias in around.aliases))
        _need(not taken, origin, f"`{bound}` has a meaning already; import it under another name with `as`")
    return found


def _names_of_import(node: ast.stmt, origin: str) -> Iterator[Import]:
    if isinstance(node, ast.ImportFrom):
        _need(not node.level, origin, "an `import` cannot be relative: translations may lie in any folder")
        for alias in node.names:
            _need(alias.name != "*", origin, "an `import` must say which names it brings")
            yield Import(str(node.module), alias.name, alias.asname)
    elif isinstance(node, ast.Import):
        for alias in node.names:
            whole = alias.asname is not None or "." not in alias.name
            _need(whole, origin, f"`import {alias.name}` binds only its first part; write it with `as` or `from`")
            yield Import(alias.name, None, alias.asname)


def _add_imports(known: dict[str, Import], names: Iterable[Import], origin: str) -> None:
    for item in names:
        other = known.setdefault(item.bound, item)
        message = f"`{item.bound}` is imported from {other.module} by another row; import one of them with `as`"
        _need(other == item, origin, message)


# texts


def _check_function(row: Row, spec: FunctionSpec, imports: _Imports, around: Surroundings) -> None:
    origin = spec.origin
    _need("lowering" not in row, origin, "`lowering` names code of torch2jax; rows of your own have texts")
    complete = "signature" in row or any(key in row for key in ("attribute", "constant", "same", "unsupported"))
    _need(complete, origin, "a row needs `signature`")
    names = {name for items in imports.values() for name in (item.bound for item in items)}
    for alternative in (*spec.alternatives, *spec.method_alternatives):
        if alternative.emit is not None:
            _check_text(alternative.emit, alternative.when, names, origin, around)
    for text in (spec.reference, spec.same):
        if text is not None:
            _check_text(text, None, names, origin, around)


def _check_layer(spec: LayerSpec, imports: _Imports, around: Surroundings) -> None:
    _need(
        spec.targets or spec.unsupported, spec.origin, f"a layer row needs one of {_listed(COLUMNS)}, or `unsupported`"
    )
    for target, column in spec.targets.items():
        names = {item.bound for item in imports[target]}
        origin = f"{spec.origin} ({target})"
        for alternative in column.make:
            if alternative.emit is not None:
                _check_text(alternative.emit, alternative.when, names, origin, around)
        if column.type:
            _check_text(column.type, None, names, origin, around)


def _check_text(text: str, when: str | None, imported: Collection[str], origin: str, around: Surroundings) -> None:
    """A text must be an expression, use no name that nothing binds, and evaluate each argument once."""
    holes = [match[1] for match in _HOLE.finditer(text)]
    simple = set(re.findall(r"\bsimple\((\w+)\)", when or ""))
    for name in dict.fromkeys(holes):
        once = holes.count(name) == 1 or name in simple
        _need(once, origin, f'`{{{name}}}` stands twice and would be evaluated twice; ask for `when: "simple({name})"`')
    plain = _HOLE.sub("None", text)
    try:
        used = set(_free_names(symtable.symtable(plain, "<row>", "eval")))
    except SyntaxError as error:
        raise TableError(f"{origin}: `{text}` is no expression of Python") from error
    known = {*imported, *around.all_support(), *(alias.bound for alias in around.aliases), *dir(builtins)}
    for name in sorted(used - known):
        raise TableError(f"{origin}: nothing binds `{name}`; add `import: from ... import {name}`")


def _free_names(scope: symtable.SymbolTable, top: bool = True) -> Iterator[str]:
    for symbol in scope.get_symbols():
        if symbol.is_referenced() and (top or symbol.is_global()):
            yield symbol.get_name()
    for child in scope.get_children():
        yield from _free_names(child, False)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
