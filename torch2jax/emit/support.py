"""Copy just those definitions of `torch2jax/runtime` that a program uses (tree-shaking).

The runtime is read as text and never imported: `ast` gives the top-level statements, `symtable` the names that each needs.
Definitions are copied verbatim, with decorators and the comments directly above, each once, in a stable order: a module
after the modules that it imports from, else by name; within a module in source order.
"""

import ast
import re
import symtable
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import libcst as cst

from torch2jax.emit.check import free_names
from torch2jax.emit.imports import render_imports
from torch2jax.syntax.imported import Import
from torch2jax.syntax.notebook import SUPPORT_CELL, border, is_border
from torch2jax.syntax.walk import children, descendants, is_node_type

PACKAGE = "torch2jax.runtime"
RUNTIME = Path(__file__).parent.parent / "runtime"
_MODULE_HEADING = "What the translated files of this package share: torch's functions and layers where JAX has others."
HEADING = "# --- torch2jax support -------------------------------------------------------------------------"

_LAST_COMMENTS = re.compile(r"(?:^#[^\r\n]*(?:\r\n?|\n))+\Z", re.MULTILINE)
_TOP_LEVEL_NAME = re.compile(r"^(?:(?:async )?def|class) +(\w+)|^(\w+) *(?::[^=\n]*)?=(?!=)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SupportCode:
    """Definitions to append to a program: their text, the imports that they need, and the names that they bind."""

    text: str
    imports: tuple[Import, ...]
    names: tuple[str, ...]


def collect_support(names: Sequence[str], runtime_dir: Path = RUNTIME) -> SupportCode:
    """The definitions of `names` and all that they need. KeyError for a name that no runtime module defines.

    A name that several modules define is given as `module.name`. ValueError if two definitions or imports that are needed
    together bind the same name differently.
    """
    selected: dict[tuple[str, int], _Definition] = {}
    imports: dict[str, dict[Import, None]] = {}
    waiting = [_locate(name, runtime_dir) for name in reversed(names)]
    while waiting:
        module_name, name = waiting.pop()
        module = _read_module(runtime_dir / f"{module_name}.py")
        if name not in module.definitions:
            raise KeyError(f"{module_name}.{name} is not defined in {runtime_dir}")
        for definition in module.definitions[name]:
            if (module_name, definition.line) in selected:
                continue
            selected[module_name, definition.line] = definition
            for needed in sorted(_needs(definition)):
                if needed in module.definitions:
                    waiting.append((module_name, needed))
                elif needed in module.siblings:
                    waiting.append(module.siblings[needed])
                for item in module.imports.get(needed, ()):
                    imports.setdefault(needed, {})[item] = None
            for item in module.imports.get("annotations", ()):
                imports.setdefault("annotations", {})[item] = None
    _refuse_conflicts(selected.values(), imports)
    order = {name: i for i, name in enumerate(_order_modules({module for module, _ in selected}, runtime_dir))}
    ordered = sorted(selected.values(), key=lambda definition: (order[definition.module], definition.line))
    return SupportCode(
        _join(ordered),
        tuple(item for name in sorted(imports) for item in imports[name]),
        tuple(name for definition in ordered for name in definition.names),
    )


def import_support(names: Iterable[str], runtime_dir: Path = RUNTIME) -> tuple[Import, ...]:
    """Imports from `torch2jax.runtime` that bring the same names without copying anything."""
    located = sorted({_locate(name, runtime_dir) for name in names})
    return tuple(Import(f"{PACKAGE}.{module}", name) for module, name in located)


def support_module(names: Iterable[str], runtime_dir: Path = RUNTIME) -> str:
    """The text of a module that holds `names` and all that they need."""
    support = collect_support(sorted(set(names)), runtime_dir)
    parts = (f'"""{_MODULE_HEADING}"""\n', render_imports(support.imports), f"\n{support.text}")
    return "\n".join(part for part in parts if part.strip())


def place_support(module: cst.Module, support: SupportCode, text_of: Callable[[cst.CSTNode], str]) -> str:
    """The program with support code under its heading: behind the last definition, before `if __name__ == "__main__":`.

    A statement further up that needs support while the module is being imported has it placed before that statement.
    `text_of` gives the text of a line or statement of the module.
    """
    parts = [*module.header, *module.body, *module.footer]
    place = len(parts)
    chosen = _choose_place(module.body, frozenset(support.names))
    cell = _cell_of(module.body, chosen)
    chosen = chosen if cell is None else cell
    if chosen < len(module.body):
        place = len(module.header) + chosen
        lines = getattr(module.body[chosen], "leading_lines", ())
        attached = sum(len(text_of(line)) for line in _without_attached(lines))
        first = text_of(parts[place])
        above = "".join(map(text_of, parts[:place])) + first[:attached]
        if attached == 0:  # comments directly above the first statement may be the module's
            above = _LAST_COMMENTS.sub("", above)
        below = "".join(map(text_of, parts))[len(above) :]
    else:
        above, below = "".join(map(text_of, parts)), ""
    newline = module.default_newline
    heading = HEADING if cell is None else f"{border(SUPPORT_CELL)}\n{HEADING}"
    pieces = [above.rstrip(), heading, support.text.strip(), below.strip("\r\n")]
    placed = "\n\n\n".join(piece for piece in pieces if piece) + "\n"
    return placed if newline == "\n" else placed.replace(newline, "\n").replace("\n", newline)


def _cell_of(statements: Sequence[cst.BaseStatement], place: int) -> int | None:
    """Where a cell of a notebook begins in which a place lies; None if it is the first one, or there are no cells."""
    borders = [i for i, statement in enumerate(statements) if _is_border(statement)]
    if place == len(statements) and borders:
        return place
    return next((i for i in reversed(borders[1:]) if i <= place), None)


def _is_border(statement: cst.BaseStatement) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString(value=text))]):
            return is_border(text)
    return False


def _without_attached(lines: Sequence[cst.EmptyLine]) -> Sequence[cst.EmptyLine]:
    """The lines above a statement but for the comments that stand directly above it."""
    count = len(lines)
    while count and lines[count - 1].comment is not None:
        count -= 1
    return lines[:count]


def _registers(statement: cst.BaseStatement) -> bool:
    """Whether a statement is `f.defvjp(f_fwd, f_bwd)`, which calls nothing and belongs to the definitions above it."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name("defvjp"))))]):
            return True
    return False


def _choose_place(statements: Sequence[cst.BaseStatement], support: frozenset[str]) -> int:
    """Index of the statement before which support code must, or should, stand."""
    definitions = (cst.FunctionDef, cst.ClassDef)
    own = {statement.name.value for statement in statements if isinstance(statement, definitions)}
    ends = [i + 1 for i, s in enumerate(statements) if isinstance(s, definitions) or _is_import(s) or _registers(s)]
    last = max(ends, default=0)
    for i, statement in enumerate(statements[:last]):
        # A statement that uses functions or classes of the program may reach support through them; to define one more
        # class on top of another does not.
        if _registers(statement):
            continue
        read = _read_at_import(statement) if isinstance(statement, definitions) else _named_in(statement)
        reaching = support if isinstance(statement, definitions) else support | own
        if any(name in reaching for name in read):
            return i
    return last


def _is_import(statement: cst.BaseStatement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and any(
        isinstance(item, (cst.Import, cst.ImportFrom)) for item in statement.body
    )


# The parts of a node that are evaluated while the module is being imported, where these are not all of its children.
_AT_IMPORT: Mapping[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Import: (),
    cst.ImportFrom: (),
    cst.Attribute: ("value",),
    cst.Arg: ("value",),
    cst.Lambda: ("params",),
    cst.FunctionDef: ("decorators", "params", "returns"),
    cst.ClassDef: ("decorators", "bases", "keywords", "body"),
    cst.Param: ("annotation", "default"),
}


def _named_in(statement: cst.CSTNode) -> Iterator[str]:
    """Names that a statement may read: those in functions and lambdas within it, too, which may be called in it."""
    for inner in descendants(statement):
        if isinstance(inner, cst.FunctionDef | cst.Lambda):
            yield from _read_at_import(inner.body)
    yield from _read_at_import(statement)


def _read_at_import(statement: cst.CSTNode) -> Iterator[str]:
    """Names that are read while the module is being imported: all but those in bodies of functions."""
    stack: list[Any] = [statement]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is cst.Name:
            yield node.value
        elif kind is tuple or kind is list:
            stack += node
        elif kind in _AT_IMPORT:
            stack += [getattr(node, name) for name in _AT_IMPORT[kind]]
        elif is_node_type(kind):  # type: ignore[arg-type]
            stack += children(node)


def _first_line(statement: ast.stmt, lines: Sequence[str]) -> int:
    """Line (from 1) at which a top-level statement begins, with its decorators and the comments directly above."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    start = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    while start > 1 and lines[start - 2].startswith("#"):
        start -= 1
    return start


@dataclass(frozen=True, slots=True)
class _Definition:
    module: str
    names: tuple[str, ...]
    line: int
    text: str
    is_short: bool  # an assignment or call on one line, which needs no blank lines around it


@cache
def _needs(definition: _Definition) -> frozenset[str]:
    return free_names(definition.text)


@dataclass(frozen=True, slots=True)
class _RuntimeModule:
    definitions: Mapping[str, tuple[_Definition, ...]]
    imports: Mapping[str, tuple[Import, ...]]
    siblings: Mapping[str, tuple[str, str]]


def _locate(name: str, runtime_dir: Path) -> tuple[str, str]:
    """Module and name of a definition, found without parsing anything."""
    module, _, bare = name.rpartition(".")
    homes = [module] if module else [home for home, names in _index(runtime_dir) if bare in names]
    if not homes:
        raise KeyError(f"{name} is not defined in {runtime_dir}")
    if len(homes) > 1:
        raise ValueError(f"{name} is defined in {' and '.join(homes)}; write {homes[0]}.{name}")
    return homes[0], bare


@cache
def _index(runtime_dir: Path) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (path.stem, frozenset(a or b for a, b in _TOP_LEVEL_NAME.findall(path.read_text(encoding="utf-8"))))
        for path in sorted(runtime_dir.glob("*.py"))
    )


@cache
def _read_module(path: Path) -> _RuntimeModule:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    definitions: dict[str, list[_Definition]] = {}
    imports: dict[str, list[Import]] = {}
    siblings: dict[str, tuple[str, str]] = {}
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for item in _imported(node):
                if item.module.startswith(f"{PACKAGE}.") and item.name is not None:
                    if item.asname not in (None, item.name):
                        raise ValueError(
                            f"{path.name} imports {item.name} under another name; it is copied under its own"
                        )
                    siblings[item.bound] = item.module.removeprefix(f"{PACKAGE}."), item.name
                else:
                    imports.setdefault(item.bound, []).append(item)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            definition = _cut_out(path.stem, node, lines)
            # A call such as jax.tree_util.register_dataclass(Point) belongs to the first definition that it mentions.
            for name in definition.names or [name for name in sorted(_needs(definition)) if name in definitions][:1]:
                definitions.setdefault(name, []).append(definition)
    return _RuntimeModule(
        {name: tuple(parts) for name, parts in definitions.items()},
        {name: tuple(items) for name, items in imports.items()},
        siblings,
    )


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[Import]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield Import(alias.name, None, alias.asname)
        else:
            module = f"{PACKAGE}.{node.module or ''}" if node.level else node.module or ""
            yield Import(module, alias.name, alias.asname)


def _cut_out(module: str, node: ast.stmt, lines: Sequence[str]) -> _Definition:
    """One statement with its decorators and the comment lines directly above it."""
    start = _first_line(node, lines)
    text = "".join(lines[start - 1 : node.end_lineno]).rstrip() + "\n"
    bound = tuple(
        symbol.get_name()
        for symbol in symtable.symtable(text, module, "exec").get_symbols()
        if symbol.is_assigned() or symbol.is_namespace() or symbol.is_annotated()
    )
    is_short = isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr))
    return _Definition(module, bound, start, text, is_short)


def _refuse_conflicts(definitions: Iterable[_Definition], imports: Mapping[str, Mapping[Import, None]]) -> None:
    homes: dict[str, str] = {}
    for definition in definitions:
        for name in definition.names:
            if homes.setdefault(name, definition.module) != definition.module:
                raise ValueError(f"{name} is defined in {homes[name]} and in {definition.module}, and both are needed")
            if name in imports:
                raise ValueError(f"{name} is defined in {definition.module}, and an import of that name is needed too")
    for name, items in imports.items():
        if len(items) > 1 and any(item.asname is not None or item.name is not None for item in items):
            raise ValueError(f"{name} is imported in several ways: {', '.join(map(str, items))}")


def _order_modules(modules: set[str], runtime_dir: Path) -> list[str]:
    """A module after those that it imports from; where that leaves a choice, by name."""
    needs = {
        module: {home for home, _ in _read_module(runtime_dir / f"{module}.py").siblings.values()} & modules - {module}
        for module in sorted(modules)
    }
    ordered: list[str] = []
    while needs:
        ready = next((module for module in needs if needs[module] <= set(ordered)), next(iter(needs)))
        ordered.append(ready)
        del needs[ready]
    return ordered


def _join(definitions: Sequence[_Definition]) -> str:
    """Definitions two blank lines apart; neighbouring short ones directly below each other."""
    text = ""
    for i, definition in enumerate(definitions):
        if i:
            both_short = definition.is_short and definitions[i - 1].is_short
            text += "" if both_short and definition.module == definitions[i - 1].module else "\n\n"
        text += definition.text
    return text


def support_names(runtime_dir: Path = RUNTIME) -> frozenset[str]:
    """Every name that some module of the runtime defines."""
    return frozenset(name for _, names in _index(runtime_dir) for name in names)
