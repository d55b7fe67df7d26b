"""Definitions in plain torch that a file is given, above the first line that uses them, with the imports that they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from torch2jax.program.program import dotted, import_bindings
from torch2jax.records import dataclass
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import Index, descendants
from torch2jax.values import Kind

_Line = cst.SimpleStatementLine | cst.BaseCompoundStatement
_BLANK = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
_NEEDED = {"math": "import math", "torch": "import torch", "nn": "import torch.nn as nn"}
_NEEDED["F"] = "import torch.nn.functional as F"
_FROM = {"OrderedDict": "collections", "namedtuple": "collections", "partial": "functools"}
_NEEDED |= {word: f"from {module} import {word}" for word, module in _FROM.items()}
_OF_TORCH = {"math": "math", "torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional"}
MEANT = _OF_TORCH | {word: f"{module}.{word}" for word, module in _FROM.items()}


@dataclass(frozen=True, slots=True)
class Definition:
    """A class, function or constant: its name, text, and the names that it uses."""

    name: str
    text: str
    used: frozenset[str]


def imported_names(index: Index) -> dict[str, str]:
    """What the names are bound to that a file imports; "" for what is not known."""
    bound: dict[str, str] = {}
    for node in index.imports:
        for name, value in import_bindings(node, ()).items():
            is_known = value.kind is Kind.TORCH or isinstance(value.const, str)
            bound[name] = str(value.const) if is_known else ""
    return bound


def torch_name_of(node: cst.BaseExpression, bound: Mapping[str, str]) -> str:
    """The name that torch has for what `nn.Module` names in a file whose imports have `bound` names; "" for all else."""
    first, _, rest = (dotted(node) or "").partition(".")
    known = bound.get(first, "")
    return f"{known}.{rest}" if known and rest else known


def keeps_meanings(bound: Mapping[str, str]) -> bool:
    """Whether the names of modules that layers of torch use mean what they mean there."""
    return all(bound.get(word, meant) == meant for word, meant in _OF_TORCH.items())


def insert_definitions(module: cst.Module, definitions: Sequence[Definition], bound: Mapping[str, str]) -> cst.Module:
    """The module with definitions, those that others use above these."""
    body: list[_Line] = []
    waiting = {item.name: item for item in definitions}
    words: dict[str, None] = {}
    for line in module.body:
        names = (
            {node.value for node in descendants(line) if isinstance(node, cst.Name)} if not _imports(line) else set()
        )
        for item in _used(names, waiting):
            words |= dict.fromkeys(word for word in _NEEDED if word not in bound and word in item.used)
            body.append(_made(item))
            line = _apart(line)
        body.append(line)
    for item in waiting.values():  # for other files
        words |= dict.fromkeys(word for word in _NEEDED if word not in bound and word in item.used)
        body.append(_made(item))
    imports = [cst.ensure_type(quote_statement(_NEEDED[word]), cst.SimpleStatementLine) for word in words]
    at = next((number for number, line in enumerate(body) if _imports(line)), int(bool(body) and is_docstring(body[0])))
    if imports and at < len(body) and _imports(body[at]):
        imports[0] = imports[0].with_changes(leading_lines=body[at].leading_lines)
        body[at] = body[at].with_changes(leading_lines=[])
    return module.with_changes(body=[*body[:at], *imports, *body[at:]])


def _made(item: Definition) -> _Line:
    made = cst.parse_module(item.text).body[0]
    return made.with_changes(leading_lines=_BLANK)


def _used(names: set[str], waiting: dict[str, Definition]) -> list[Definition]:
    """The definitions that names mean, behind those that they use; they wait no longer."""
    found: list[Definition] = []
    for name in [name for name in waiting if name in names]:
        item = waiting.pop(name, None)
        if item is not None:
            found += [*_used(set(item.used), waiting), item]
    return found


def _apart(line: _Line) -> _Line:
    above = line.leading_lines
    blank = next((number for number, item in enumerate(above) if item.comment is not None), len(above))
    return line.with_changes(leading_lines=[*_BLANK, *above[blank:]])


def _imports(line: cst.BaseStatement) -> bool:
    if not isinstance(line, cst.SimpleStatementLine):
        return False
    first = line.body[0]
    is_future = isinstance(first, cst.ImportFrom) and getattr(first.module, "value", None) == "__future__"
    return isinstance(first, (cst.Import, cst.ImportFrom)) and not is_future


__all__ = ["MEANT", "Definition", "imported_names", "insert_definitions", "keeps_meanings"]
