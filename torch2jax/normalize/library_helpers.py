"""Helpers of libraries on top of torch that everybody imports, defined in the program that uses them, before all else.

from timm.models.layers import DropPath, trunc_normal_      ->   from torch.nn.init import trunc_normal_

                                                                 class DropPath(nn.Module): ...
class Block(nn.Module):                                          class Block(nn.Module):
    def __init__(self, rate):                                        def __init__(self, rate):
        self.drop_path = DropPath(rate)                                  self.drop_path = DropPath(rate)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import libcst as cst

from torch2jax.normalize.insertion import Definition, imported_names, insert_definitions, keeps_meanings
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Edits, apply_edits
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import Index, build_index

_SOURCE = Path(__file__).parent.parent / "layer_bases" / "timm.py"
_LIBRARY = "timm"
# What torch has, or what does nothing in a translation, where nothing is looked up by its name.
_FROM_TORCH = {"trunc_normal_": "torch.nn.init"}
_IDENTITIES = frozenset({"register_model"})
# Helpers whose names other modules of the library give to other things.
_ONLY_IN = dict.fromkeys(
    ("Attention", "Block", "LayerScale", "Mlp", "PatchEmbed"),
    (
        "timm.layers",
        "timm.layers.mlp",
        "timm.layers.patch_embed",
        "timm.models.layers",
        "timm.models.vision_transformer",
    ),
)


@dataclass(frozen=True, slots=True)
class _Helper:
    """A definition of the library, and what calls may give to it: a number of positions, and keywords."""

    definition: Definition
    positions: int | None
    keywords: frozenset[str]


@cache
def _helpers() -> dict[str, _Helper]:
    text = _SOURCE.read_text(encoding="utf-8")
    found: dict[str, _Helper] = {}
    for node in ast.parse(text).body:
        source = ast.get_source_segment(text, node) or ""
        used = frozenset(item.id for item in ast.walk(node) if isinstance(item, ast.Name))
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            found[name] = _Helper(Definition(name, source, used), None, frozenset())
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            made = _maker(node)
            skipped = int(made is not node)
            plain = [item.arg for item in made.args.args[skipped:]] if made is not None else []
            keywords = frozenset([*plain, *(item.arg for item in made.args.kwonlyargs)] if made is not None else [])
            found[node.name] = _Helper(Definition(node.name, source, used), len(plain), keywords)
    return found


def _maker(node: ast.ClassDef | ast.FunctionDef) -> ast.FunctionDef | None:
    if isinstance(node, ast.FunctionDef):
        return node
    return next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"), None)


def with_library_helpers(index: Index) -> Index:
    """The file with definitions of its own for the helpers that it imports."""
    imports = [item for item in index.every(cst.ImportFrom) if _is_of_library(item) and _is_at_top(index, item)]
    bound = imported_names(index) if imports else {}
    if not imports or not keeps_meanings(bound):
        return index
    needed: dict[str, None] = {}
    edits = Edits()
    for statement in imports:
        _import(index, statement, edits, needed)
    if not edits.touched():
        return index
    module = apply_edits(index.module, edits, index.parents)
    return build_index(insert_definitions(module, _closure(needed), bound))


def _closure(names: Iterable[str]) -> list[Definition]:
    """The definitions of helpers and of what they use, in the order of their source."""
    helpers, wanted, waiting = _helpers(), set(names), list(names)
    while waiting:
        more = (helpers[waiting.pop()].definition.used & helpers.keys()) - wanted
        wanted |= more
        waiting += more
    return [item.definition for name, item in helpers.items() if name in wanted]


def _is_of_library(statement: cst.ImportFrom) -> bool:
    module = dotted(statement.module) or ""
    return not statement.relative and (module == _LIBRARY or module.startswith(f"{_LIBRARY}."))


def _is_at_top(index: Index, statement: cst.CSTNode) -> bool:
    line = index.parents[statement]
    return isinstance(line, cst.SimpleStatementLine) and isinstance(index.parents[line], cst.Module)


def _import(index: Index, statement: cst.ImportFrom, edits: Edits, needed: dict[str, None]) -> None:
    """The import without the names that are defined, and with torch's own in an import from there."""
    if isinstance(statement.names, cst.ImportStar):
        return
    module = dotted(statement.module) or ""
    kept: list[cst.ImportAlias] = []
    moved: dict[str, list[cst.ImportAlias]] = {}
    for alias in statement.names:
        name = str(dotted(alias.name))
        if name in _FROM_TORCH:
            moved.setdefault(_FROM_TORCH[name], []).append(alias)
        elif name in _IDENTITIES and alias.asname is None and _only_decorates(index, name):
            _undecorate(index, name, edits)
        elif alias.asname is None and _is_defined(index, module, name):
            needed[name] = None
        else:
            kept.append(alias)
    if len(kept) == len(statement.names):
        return
    line = cst.ensure_type(index.parents[statement], cst.SimpleStatementLine)
    groups = [(module, kept), *moved.items()]
    lines: list[cst.BaseStatement] = []
    for source, aliases in groups:
        if aliases:
            names = ", ".join(
                index.module.code_for_node(item.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for item in aliases
            )
            lines.append(quote_statement(f"from {source} import {names}"))
    if lines:
        edits.rewrite_statement(line, lambda rewrite: lines)
    else:
        edits.remove(line)


def _undecorate(index: Index, name: str, edits: Edits) -> None:
    for function in index.every(cst.FunctionDef):
        kept = [item for item in function.decorators if dotted(item.decorator) != name]
        if len(kept) < len(function.decorators):
            edits.replace(function, lambda rewrite, function=function, kept=kept: _with(rewrite.inside(function), kept))  # type: ignore[misc]


def _with(function: cst.CSTNode, decorators: list[cst.Decorator]) -> cst.FunctionDef:
    return cst.ensure_type(function, cst.FunctionDef).with_changes(decorators=decorators)


def _only_decorates(index: Index, name: str) -> bool:
    uses = [node for node in index.names if node.value == name]
    return all(isinstance(index.parents[node], (cst.Decorator, cst.ImportAlias)) for node in uses)


def _is_defined(index: Index, module: str, name: str) -> bool:
    """Whether a name is a helper, is nothing else in the file, and its calls give what all versions of the library take."""
    helper = _helpers().get(name)
    if helper is None or module not in _ONLY_IN.get(name, (module,)):
        return False
    if any(_has_other_meaning(index, part.name) for part in _closure([name])):
        return False
    return all(_fits(helper, call) for call in index.calls if dotted(call.func) == name)


def _has_other_meaning(index: Index, name: str) -> bool:
    """Whether something else at the top of the file has the name of a helper."""
    for node in index.names:
        if node.value == name:
            parent = index.parents[node]
            binds = isinstance(parent, (cst.AssignTarget, cst.AsName)) or (
                isinstance(parent, (cst.ClassDef, cst.FunctionDef)) and parent.name is node
            )
            if isinstance(parent, cst.ImportAlias):
                statement = index.parents[parent]
                binds = not isinstance(statement, cst.ImportFrom) or not _is_of_library(statement)
            inner = any(isinstance(item, (cst.ClassDef, cst.FunctionDef)) for item in index.ancestors(parent))
            if binds and not inner:
                return True
    return False


def _fits(helper: _Helper, call: cst.Call) -> bool:
    plain = [item for item in call.args if item.keyword is None]
    given = {item.keyword.value for item in call.args if item.keyword is not None}
    if helper.positions is None or any(item.star for item in call.args):
        return False
    return len(plain) <= helper.positions and given <= helper.keywords


__all__ = ["with_library_helpers"]
