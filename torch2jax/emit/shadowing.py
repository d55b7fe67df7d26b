"""Support code in programs that give names of Python's builtins a meaning of their own at module level.

for iter in range(2): ...        in the program
it = iter(loader)          ->    it = builtins.iter(loader)        in its support code, with `import builtins`
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Set
from dataclasses import replace

from torch2jax.emit.check import bound_in_module
from torch2jax.emit.support import SupportCode
from torch2jax.syntax.imported import Import

_BUILTINS = frozenset(dir(builtins))


def shadowed_builtins(text: str) -> frozenset[str]:
    """The names of builtins that a program binds at module level, or in a function by `global`."""
    return bound_in_module(text, _BUILTINS)


def beside_shadowed(support: SupportCode, shadowed: Set[str]) -> SupportCode:
    """Support code that reads builtins as attributes of `builtins` where the program shadows them."""
    parts = tuple(replace(part, text=_qualified(part.text, shadowed)) for part in support.parts)
    if all(new.text == old.text for new, old in zip(parts, support.parts, strict=True)):
        return support
    return replace(support, parts=parts, imports=(Import("builtins"), *support.imports))


def _qualified(text: str, shadowed: Set[str]) -> str:
    """A definition with `builtins.` in front of some names where they are the global ones."""
    lines = text.splitlines(keepends=True)
    places = sorted(
        {(node.lineno, node.col_offset) for node in _read_globally(ast.parse(text), frozenset(), shadowed)},
        reverse=True,
    )
    for line, column in places:
        old = lines[line - 1].encode()
        lines[line - 1] = (old[:column] + b"builtins." + old[column:]).decode()
    return "".join(lines)


def _read_globally(node: ast.AST, local: frozenset[str], names: Set[str]) -> Iterator[ast.Name]:
    """Where some names are read that no function around binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if name in names and name not in local:
            yield node
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            inner = local | {name for name in names if _is_bound_in(node, name)}
            body = node.body if isinstance(node.body, list) else [node.body]
            for child in ast.iter_child_nodes(node):
                yield from _read_globally(child, inner if child in body else local, names)
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            local = local | {name for item in node.generators for name in _stored(item.target) if name in names}
    for child in ast.iter_child_nodes(node):
        yield from _read_globally(child, local, names)


def _is_bound_in(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str) -> bool:
    """Whether a function has a parameter or a variable of a name."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    if any(item is not None and item.arg == name for item in every):
        return True
    body = node.body if isinstance(node.body, list) else [node.body]
    return any(name in _stored(item) for item in body)


def _stored(node: ast.AST) -> set[str]:
    """The names that a statement binds, inner functions and comprehensions left out."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return {name}
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return set()
    return set().union(*(_stored(child) for child in ast.iter_child_nodes(node)))


__all__ = ["beside_shadowed", "shadowed_builtins"]
