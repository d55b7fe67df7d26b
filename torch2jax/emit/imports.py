"""Imports as values, and how they enter and leave a module.

An `Import` is one bound name. Pure functions sort and print them in the order that isort and ruff use: `__future__`, standard
library, third party, relative, with a blank line between the groups; in a group `import x` before `from x import y`, each
alphabetical. `update_imports` brings a module's own import statements up to date: what is unwanted goes, what is needed is
put where it belongs, and everything else, comments included, stays as the user wrote it.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import TypeGuard

import libcst as cst

from torch2jax.program.torch_packages import needs_torch
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.imported import Import

_LINE_LENGTH = 120

_Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
_Body = list[_Statement]


# What translations import, by the names that they use for it.
KNOWN_IMPORTS = {
    "jnp": Import("jax.numpy", None, "jnp"),
    "jax": Import("jax"),
    "np": Import("numpy", None, "np"),
    "eqx": Import("equinox", None, "eqx"),
    "nnx": Import("flax", "nnx"),
    "optax": Import("optax"),
    "einops": Import("einops"),
    "itertools": Import("itertools"),
    "nullcontext": Import("contextlib", "nullcontext"),
    "logging": Import("logging"),
    "math": Import("math"),
    "OrderedDict": Import("collections", "OrderedDict"),
    "partial": Import("functools", "partial"),
    "cached_property": Import("functools", "cached_property"),
    "Callable": Import("collections.abc", "Callable"),
    "Mapping": Import("collections.abc", "Mapping"),
    "Any": Import("typing", "Any"),
}

_OF_TARGETS = {"linen": {"nn": Import("flax", "linen", "nn")}}


def known_imports(target: str) -> dict[str, Import]:
    """What translations for a target import."""
    return KNOWN_IMPORTS | _OF_TARGETS.get(target, {})


class Section(IntEnum):
    """The groups of an import block, in their order."""

    FUTURE = 0
    STDLIB = 1
    THIRD_PARTY = 2
    RELATIVE = 3


def section_of(module: str) -> Section:
    """The group in which imports of `module` stand."""
    if module == "__future__":
        return Section.FUTURE
    if module.startswith("."):
        return Section.RELATIVE
    return Section.STDLIB if module.partition(".")[0] in sys.stdlib_module_names else Section.THIRD_PARTY


def render_imports(imports: Iterable[Import]) -> str:
    """A whole block for these imports, sorted, merged and with a final newline; empty for no imports.

    >>> print(render_imports([Import("jax.numpy", asname="jnp"), Import("jax"), Import("math")]), end="")
    import math
    <BLANKLINE>
    import jax
    import jax.numpy as jnp
    """
    sections: dict[Section, list[str]] = {}
    for statement in group_imports(imports):
        sections.setdefault(section_of(statement[0].module), []).append(render_statement(statement))
    return "\n".join("".join(f"{line}\n" for line in sections[section]) for section in sorted(sections))


def group_imports(imports: Iterable[Import]) -> list[tuple[Import, ...]]:
    """One tuple for each statement: `from` imports of one module stand together, names and statements sorted."""
    statements: dict[tuple[object, ...], list[Import]] = {}
    for item in sorted(set(imports), key=_name_key):
        own = (item.module, item.asname) if item.name is None else (item.module,)
        statements.setdefault((item.name is None, *own), []).append(item)
    return [tuple(group) for group in sorted(statements.values(), key=lambda group: _statement_key(group[0]))]


def render_statement(statement: Sequence[Import]) -> str:
    """The text of one statement, over several lines if it is long."""
    first = statement[0]
    if first.name is None:
        return f"import {first.module}" + (f" as {first.asname}" if first.asname else "")
    names = [f"{item.name} as {item.asname}" if item.asname else str(item.name) for item in statement]
    line = f"from {first.module} import {', '.join(names)}"
    if len(line) <= _LINE_LENGTH:
        return line
    return f"from {first.module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def _statement_key(item: Import) -> tuple[Section, bool, str, str]:
    return section_of(item.module), item.name is not None, item.module.lower(), item.asname or ""


def _name_key(item: Import) -> tuple[int, str, str, str]:
    """isort's order of names: CONSTANTS, Classes, functions."""
    name = item.name or ""
    rank = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return rank, name.lower(), name, item.asname or ""


# The module of a user


def read_imports(statement: cst.Import | cst.ImportFrom) -> tuple[Import, ...]:
    """What a statement imports; `from m import *` gives the name `*`."""
    if isinstance(statement, cst.Import):
        return tuple(Import(_dotted(alias.name), None, _asname(alias)) for alias in statement.names)
    module = "." * len(statement.relative) + (_dotted(statement.module) if statement.module is not None else "")
    if isinstance(statement.names, cst.ImportStar):
        return (Import(module, "*"),)
    return tuple(Import(module, _dotted(alias.name), _asname(alias)) for alias in statement.names)


def is_torch(item: Import) -> bool:
    """Whether an import brings torch, or something that cannot be had without it."""
    return needs_torch(item.module) or needs_torch(f"{item.module}.{item.name}")


def filter_import(
    statement: cst.Import | cst.ImportFrom, unwanted: Callable[[Import], bool]
) -> cst.Import | cst.ImportFrom | None:
    """The statement without unwanted names: itself if there are none, None if nothing is left."""
    items = read_imports(statement)
    if not any(map(unwanted, items)):
        return statement
    if isinstance(statement.names, cst.ImportStar) or all(map(unwanted, items)):
        return None
    kept = [alias for alias, item in zip(statement.names, items, strict=True) if not unwanted(item)]
    kept[-1] = kept[-1].with_changes(comma=statement.names[-1].comma)
    return statement.with_changes(names=kept)


def update_imports(
    module: cst.Module, needed: Iterable[Import], unwanted: Callable[[Import], bool] = lambda _: False
) -> cst.Module:
    """The module with `needed` imported and nothing `unwanted` imported at its top level.

    Imports that are there already are not repeated; names join a `from` import of the same module. The docstring and
    `from __future__` stay first. Unwanted imports inside functions, `if` and `try` are for the caller (`filter_import`).
    """
    if not module.body:
        added = cst.parse_module(render_imports(needed)).body
        return module.with_changes(body=added, has_trailing_newline=True) if added else module
    body = list(module.body)
    start, end = _find_block(body)
    missing = [
        item
        for item in dict.fromkeys(needed)
        if not any(item in read_imports(small) for line in body[:end] for small in _import_parts(line))
    ]

    def is_gone(item: Import) -> bool:
        return item not in missing and unwanted(item)

    for group in group_imports(missing):
        end += _add_statement(body, start, end, group, is_gone)
    body = _remove_unwanted(body, is_gone)
    if body and body[0] is not module.body[0] and not module.header:
        body[0] = _with_leading(body[0], _without_blank_prefix(body[0]))
    return module.with_changes(body=body)


def _find_block(body: _Body) -> tuple[int, int]:
    """Bounds of the import block: the first run of imports that is more than `__future__`, else where one would stand."""
    runs: list[tuple[int, int]] = []
    for i, line in enumerate(body):
        if _is_import_line(line):
            start = runs.pop()[0] if runs and runs[-1][1] == i else i
            runs.append((start, i + 1))
    for start, end in runs:
        if any(_section(line) is not Section.FUTURE for line in body[start:end]):
            return start, end
    if runs:
        return runs[0]
    place = 1 if body and is_docstring(body[0]) else 0
    return place, place


def _add_statement(
    body: _Body, start: int, end: int, group: tuple[Import, ...], unwanted: Callable[[Import], bool]
) -> int:
    """Put a statement into the block `body[start:end]`, or its names into one that is there; returns the growth."""
    section = section_of(group[0].module)
    if group[0].name is not None:
        for i in range(start, end):
            if (merged := _merge(body[i], group, unwanted)) is not None:
                body[i] = merged
                return 0
    new = _parsed(render_statement(group))
    blank = cst.EmptyLine(indent=False)
    same = [i for i in range(start, end) if _section(body[i]) is section]
    later = [i for i in range(start, end) if _section(body[i]) > section]
    if same:
        place = next((i for i in same if _line_key(body[i]) > _statement_key(group[0])), same[-1] + 1)
        if place == same[0]:  # the first of its group: blank lines and a heading stay on top
            new = new.with_changes(leading_lines=_leading(body[place]))
            body[place] = _with_leading(body[place], ())
    elif later:
        place = later[0]
        lines = _leading(body[place])
        own = _without_blank_prefix(body[place])
        new = new.with_changes(leading_lines=lines[: len(lines) - len(own)])
        body[place] = _with_leading(body[place], (blank, *own))
    else:
        place = end
        new = new.with_changes(leading_lines=(blank,) if place else ())
        if start == end and place < len(body):
            _separate_from_code(body, place)
    body.insert(place, new)
    return 1


def _separate_from_code(body: _Body, place: int) -> None:
    """Give the first statement after a new import block the blank lines that people put there."""
    own = _without_blank_prefix(body[place])
    blanks = 2 if isinstance(body[place], (cst.FunctionDef, cst.ClassDef)) else 1
    present = len(_leading(body[place])) - len(own)
    body[place] = _with_leading(body[place], (*[cst.EmptyLine(indent=False)] * max(blanks, present), *own))


@lru_cache(maxsize=512)
def _parsed(text: str) -> cst.SimpleStatementLine:
    statement = cst.parse_statement(text)
    assert isinstance(statement, cst.SimpleStatementLine)
    return statement


def _merge(
    line: _Statement,
    group: tuple[Import, ...],
    unwanted: Callable[[Import], bool],
) -> cst.SimpleStatementLine | None:
    """The line with the names of `group` in it, if it is a `from` import of the same module and stays."""
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    statement = line.body[0]
    if not isinstance(statement, cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
        return None
    present = read_imports(statement)
    if present[0].module != group[0].module or any(map(unwanted, present)):
        return None
    names = list(statement.names)
    for item in group:
        _insert_name(names, item, _comma_between(statement))
    merged = line.with_changes(body=[statement.with_changes(names=names)])
    if statement.lpar is None and len(cst.Module([merged]).code.splitlines()[-1]) > _LINE_LENGTH:
        return line.with_changes(body=_parsed(render_statement(sorted({*present, *group}, key=_name_key))).body)
    return merged


def _insert_name(names: list[cst.ImportAlias], item: Import, between: cst.Comma) -> None:
    """Put one name in its place; `between` is the comma that stands between two names of the statement."""
    assert item.name is not None
    asname = cst.AsName(cst.Name(item.asname)) if item.asname is not None else None
    alias = cst.ImportAlias(cst.Name(item.name), asname)
    keys = [_name_key(Import(item.module, _dotted(name.name), _asname(name))) for name in names]
    place = next((i for i, key in enumerate(keys) if key > _name_key(item)), len(names))
    if place < len(names):
        names.insert(place, alias.with_changes(comma=between))
        return
    last = names[-1].comma
    if isinstance(last, cst.Comma):  # a comma before the closing bracket; it may carry the user's comment
        names[-1] = names[-1].with_changes(comma=_indented_as(last, between))
        names.append(alias.with_changes(comma=_plain_comma(last.whitespace_after)))
    else:
        names[-1] = names[-1].with_changes(comma=between)
        names.append(alias)


def _comma_between(statement: cst.ImportFrom) -> cst.Comma:
    """The comma that stands, or would stand, between the names of a statement."""
    assert not isinstance(statement.names, cst.ImportStar)
    first = statement.names[0].comma
    if len(statement.names) > 1 and isinstance(first, cst.Comma):
        return _plain_comma(first.whitespace_after)
    if statement.lpar is not None and isinstance(statement.lpar.whitespace_after, cst.ParenthesizedWhitespace):
        return _plain_comma(statement.lpar.whitespace_after)
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _indented_as(comma: cst.Comma, model: cst.Comma) -> cst.Comma:
    """`comma` with its comment, and the next line indented as after `model`."""
    after, wanted = comma.whitespace_after, model.whitespace_after
    if isinstance(after, cst.ParenthesizedWhitespace) and isinstance(wanted, cst.ParenthesizedWhitespace):
        return comma.with_changes(whitespace_after=after.with_changes(indent=wanted.indent, last_line=wanted.last_line))
    return model


def _plain_comma(model: cst.BaseParenthesizableWhitespace) -> cst.Comma:
    """A comma with the line break of `model` and without its comments."""
    if isinstance(model, cst.ParenthesizedWhitespace):
        model = cst.ParenthesizedWhitespace(indent=model.indent, last_line=model.last_line)
    return cst.Comma(whitespace_after=model)


def _remove_unwanted(body: _Body, unwanted: Callable[[Import], bool]) -> _Body:
    """Drop unwanted imports. Lines above a dropped one go to the next import of its group, if there is one."""
    kept: _Body = []
    inherited: Sequence[cst.EmptyLine] = ()
    for line in body:
        filtered = _filter_line(line, unwanted)
        lines = _leading(line)
        if filtered is None:
            inherited = lines or inherited
            continue
        if inherited and not lines and _is_import_line(filtered):
            filtered = _with_leading(filtered, inherited)
        inherited = ()
        kept.append(filtered)
    return kept


def _filter_line(line: _Statement, unwanted: Callable[[Import], bool]) -> _Statement | None:
    if not isinstance(line, cst.SimpleStatementLine) or not any(
        unwanted(item) for small in _import_parts(line) for item in read_imports(small)
    ):
        return line
    parts: list[cst.BaseSmallStatement] = []
    for small in line.body:
        part = filter_import(small, unwanted) if isinstance(small, (cst.Import, cst.ImportFrom)) else small
        if part is not None:
            parts.append(part)
    if not parts:
        return None
    parts[-1] = parts[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    return line.with_changes(body=parts)


def _is_import_line(line: object) -> TypeGuard[cst.SimpleStatementLine]:
    return isinstance(line, cst.SimpleStatementLine) and all(
        isinstance(small, (cst.Import, cst.ImportFrom)) for small in line.body
    )


def _import_parts(line: cst.CSTNode) -> list[cst.Import | cst.ImportFrom]:
    if not isinstance(line, cst.SimpleStatementLine):
        return []
    return [small for small in line.body if isinstance(small, (cst.Import, cst.ImportFrom))]


def _section(line: cst.CSTNode) -> Section:
    return section_of(read_imports(_import_parts(line)[0])[0].module)


def _line_key(line: cst.CSTNode) -> tuple[Section, bool, str, str]:
    return _statement_key(read_imports(_import_parts(line)[0])[0])


def _leading(line: cst.CSTNode) -> tuple[cst.EmptyLine, ...]:
    lines: Sequence[cst.EmptyLine] = getattr(line, "leading_lines", ())
    return tuple(lines)


def _with_leading(line: _Statement, lines: Sequence[cst.EmptyLine]) -> _Statement:
    return line.with_changes(leading_lines=tuple(lines)) if _leading(line) or lines else line


def space_definitions(module: cst.Module, original: cst.Module) -> cst.Module:
    """The module with two blank lines around the functions that are new at its top."""
    kinds = (cst.FunctionDef, cst.ClassDef)
    known = {node.name.value for node in original.body if isinstance(node, kinds)}
    is_new = [isinstance(node, kinds) and node.name.value not in known for node in module.body]
    if not any(is_new):
        return module
    body = list(module.body)
    for place in range(1, len(body)):
        if is_new[place] or is_new[place - 1]:
            lines = _without_blank_prefix(body[place])
            present = len(_leading(body[place])) - len(lines)
            blanks = [cst.EmptyLine(indent=False)] * max(2, present)
            body[place] = _with_leading(body[place], (*blanks, *lines))
    return module.with_changes(body=body)


def _without_blank_prefix(line: cst.CSTNode) -> tuple[cst.EmptyLine, ...]:
    """The lines above a statement from its first comment on."""
    lines = _leading(line)
    first = next((i for i, empty in enumerate(lines) if empty.comment is not None), len(lines))
    return lines[first:]


def _dotted(name: cst.BaseExpression) -> str:
    if isinstance(name, cst.Attribute):
        return f"{_dotted(name.value)}.{name.attr.value}"
    assert isinstance(name, cst.Name), "names in imports are dotted names"
    return name.value


def _asname(alias: cst.ImportAlias) -> str | None:
    return _dotted(alias.asname.name) if alias.asname is not None and isinstance(alias.asname.name, cst.Name) else None
