"""Check a translation as text: it parses, imports nothing of torch, and uses no name that is bound nowhere, or not yet.

The check knows nothing of how the text came about. It is conservative: a name counts as bound if anything at module
level, or a `global` statement, binds it anywhere; with a star import nothing is reported.
"""

import ast
import builtins
import re
import symtable
import warnings
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache

from torch2jax.emit.unbound import unbound_reads
from torch2jax.records import dataclass

_FOREIGN_ROOTS = ("torch",)
# Whether the text is worth a look for imports of torch; the second half is for lines that a backslash continues.
_MAYBE_FOREIGN = re.compile(r"^[^\n#]*\b(?:import|from)\b[^\n]*\btorch\b|\\\r?\n\s*torch\b", re.MULTILINE)

# Names that Python puts into modules, functions in classes, and class bodies.
_IMPLICIT = frozenset(
    {
        "__annotations__",
        "__builtins__",
        "__cached__",
        "__class__",
        "__classdict__",
        "__conditional_annotations__",
        "__debug__",
        "__dict__",
        "__doc__",
        "__file__",
        "__loader__",
        "__module__",
        "__name__",
        "__package__",
        "__path__",
        "__qualname__",
        "__spec__",
    }
)


class ProblemKind(StrEnum):
    """What is wrong with a text."""

    SYNTAX = "syntax"
    TORCH_IMPORT = "torch-import"
    UNDEFINED_NAME = "undefined-name"
    UNBOUND_LOCAL = "unbound-local"

    @property
    def phrase(self) -> str:
        """The kind in words that a name can follow."""
        return {
            "syntax": "is not Python:",
            "torch-import": "imports",
            "undefined-name": "uses the undefined name",
            "unbound-local": "reads, before any line binds it, the variable",
        }[self]


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a text; lines and columns count from 1. `name` is the name or module in question."""

    kind: ProblemKind
    line: int
    column: int
    name: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.kind}: {self.name}"


def check_text(text: str, *, original: str = "", has_loose_ends: bool = False) -> list[Problem]:
    """All problems of a text, in order of place; one for each undefined name that is none in the original, at its first use.
    Of a text that `has_loose_ends` it is asked only whether it parses.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if has_loose_ends:
                _scopes_of(text)
                return []
            undefined = undefined_names(text)
            if undefined and original:
                undefined -= undefined_names(original)
            tree = ast.parse(text)
            unbound = _unbound(tree, original)
            if not undefined and not unbound and not _MAYBE_FOREIGN.search(text):
                return []
    except (SyntaxError, ValueError) as error:
        line, column = (error.lineno, error.offset) if isinstance(error, SyntaxError) else (1, 1)
        return [Problem(ProblemKind.SYNTAX, max(line or 1, 1), max(column or 1, 1), str(error))]
    problems = [*_find_foreign_imports(tree), *_locate(tree, undefined), *unbound]
    return sorted(problems, key=lambda problem: (problem.line, problem.column, problem.name))


@lru_cache(maxsize=16)
def _scopes_of(text: str) -> symtable.SymbolTable:
    """The scopes of a program: several ask about one text."""
    return symtable.symtable(text, "<text>", "exec")


def undefined_names(text: str, among: frozenset[str] | set[str] | None = None) -> frozenset[str]:
    """Names (of those in `among`, if given) that the program reads as globals although nothing in it binds them.

    SyntaxError if it does not parse.
    """
    table = _scopes_of(text)
    if _has_star_import(text):
        return frozenset()
    bound = {*_IMPLICIT, *dir(builtins)}
    bound |= {name for name in table.get_identifiers() if _is_bound(table.lookup(name))}
    read: set[str] = set()
    for scope in _scopes(table):
        if among is not None:
            names: Iterable[str] = among.intersection(scope.get_identifiers())
        else:
            names = scope.get_globals() if isinstance(scope, symtable.Function) else scope.get_identifiers()
        for name in names:
            if name in bound:
                continue
            symbol = scope.lookup(name)
            if scope is table or symbol.is_global():
                if symbol.is_referenced():
                    read.add(name)
                if _is_bound(symbol):
                    bound.add(name)
    return frozenset(read - bound)


def bound_in_module(text: str, names: frozenset[str]) -> frozenset[str]:
    """Those of the names that a program binds at module level, or in a function by `global`."""
    table = _scopes_of(text)
    return frozenset(
        name
        for scope in _scopes(table)
        for name in names.intersection(scope.get_identifiers())
        if (scope is table or scope.lookup(name).is_declared_global()) and _is_bound(scope.lookup(name))
    )


def assigned_names(text: str, names: frozenset[str]) -> frozenset[str]:
    """Those of the names that a program binds somewhere, in whatever scope, other than by importing them."""
    if not names:
        return names
    found = set()
    for scope in _scopes(_scopes_of(text)):
        for name in names.intersection(scope.get_identifiers()):
            symbol = scope.lookup(name)
            if symbol.is_assigned() or symbol.is_parameter() or symbol.is_namespace():
                found.add(name)
    return frozenset(found)


def hidden_names(text: str, original: str, names: frozenset[str]) -> frozenset[str]:
    """Those of the names that a translation imports and a program gives a meaning of its own where the import is used."""
    if not names:
        return names
    module = _scopes_of(original)
    names -= {symbol.get_name() for symbol in module.get_symbols() if symbol.is_imported()}
    before, after = _owned_uses(original, names), _owned_uses(text, names)
    return frozenset(name for name in names & after.keys() if after[name] > before.get(name, 0))


def _owned_uses(text: str, names: frozenset[str]) -> dict[str, int]:
    """How often `name.attribute` stands where a name is given a value; in a module: in all of it."""
    found = dict[str, int]()
    tree, table = ast.parse(text), _scopes_of(text)
    lines: dict[tuple[str, int], ast.AST] = {
        (node.name, node.lineno): node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    for scope in _scopes(table):
        place = tree if scope.get_type() == "module" else lines.get((scope.get_name(), scope.get_lineno()))
        for name in names.intersection(scope.get_identifiers()):
            symbol = scope.lookup(name)
            if place is not None and (symbol.is_assigned() or symbol.is_parameter()):
                found[name] = found.get(name, 0) + sum(_reads_attribute(node, name) for node in ast.walk(place))
    return found


def _reads_attribute(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name


@lru_cache(maxsize=1024)
def free_names(text: str) -> frozenset[str]:
    """Names that a piece of a module needs from outside of itself, builtins included."""
    table = symtable.symtable(text, "<text>", "exec")
    names = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
    for scope in _scopes(table):
        names |= {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()}
    return frozenset(names)


def _is_bound(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace() or symbol.is_annotated()


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


def _has_star_import(text: str) -> bool:
    if not re.search(r"\bimport[ \t\\\r\n]*\*", text):
        return False
    return any(
        alias.name == "*"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


def _find_foreign_imports(tree: ast.Module) -> Iterator[Problem]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), level=0):
                modules = [module]
            case _:
                continue
        for module in modules:
            if module.partition(".")[0] in _FOREIGN_ROOTS:
                yield Problem(ProblemKind.TORCH_IMPORT, node.lineno, node.col_offset + 1, module)


def _unbound(tree: ast.Module, original: str) -> list[Problem]:
    """The variables that functions read before any line can have bound them, those of the original left out."""
    found = unbound_reads(tree)
    known = {item[:2] for item in unbound_reads(ast.parse(original))} if found and original else set[tuple[str, str]]()
    return [
        Problem(ProblemKind.UNBOUND_LOCAL, line, column, name)
        for function, name, line, column in found
        if (function, name) not in known
    ]


def _locate(tree: ast.Module, names: frozenset[str]) -> Iterator[Problem]:
    """The first place where each name is read; a local variable of the same name may come before the undefined one."""
    places: dict[str, tuple[int, int]] = {}
    for node in ast.walk(tree) if names else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            place = (node.lineno, node.col_offset + 1)
            places[node.id] = min(place, places.get(node.id, place))
    for name in sorted(names):
        yield Problem(ProblemKind.UNDEFINED_NAME, *places.get(name, (1, 1)), name)
