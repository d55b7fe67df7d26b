"""Imports and support code for what the new text of a file uses; imports of torch go."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import replace
from functools import partial

import libcst as cst

from torch2jax.emit.check import undefined_names
from torch2jax.emit.imports import (
    filter_import,
    is_torch,
    known_imports,
    read_imports,
    space_definitions,
    update_imports,
)
from torch2jax.emit.shadowing import beside_shadowed, shadowed_builtins
from torch2jax.emit.specialize import specialize
from torch2jax.emit.support import (
    SupportCode,
    collect_support,
    foreign_names,
    import_support,
    place_support,
    qualify_names,
)
from torch2jax.facts.torch_names import gone_imports
from torch2jax.options import Options
from torch2jax.program.program import Program, import_bindings
from torch2jax.records import dataclass
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code_in
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.imported import Import
from torch2jax.syntax.source import Source
from torch2jax.syntax.walk import Index, build_index, children


@dataclass(frozen=True, slots=True)
class Finished:
    """The text of a translation, and the support code that it takes from a module of its package."""

    text: str
    support: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    """Support code that it names and that there is for another target only."""


def finish(
    unit: Unit, module: cst.Module, source: Source, options: Options, support_module: str | None = None
) -> Finished:
    """Imports and support code for what the new text uses; the latter comes from `support_module` if there is one."""
    module = space_definitions(module, source.module)
    original, wanted, known = module, _own_imports(unit, options), known_imports(options.target)
    gone = _gone(unit)
    unwanted = partial(
        _is_unwanted, program=unit.facts.program, names=unit.replaced, wanted=frozenset(wanted.values()), gone=gone
    )
    if _has_inner_imports(unit.facts.program.index):
        module = _drop_inner_imports(original, unwanted)
    written: dict[cst.CSTNode, str] = {}
    kept = update_imports(module, (), unwanted)
    renames = {new: old for old, new in unit.renamed.items()}
    ours = unit.support | unit.own | set(renames) | set(known)
    refused = unit.replaced - unit.own
    own_words = unit.facts.program.index.module is source.module  # else passes have put names of ours among them before
    undefined = _plainly_missing(unit, kept, ours, source) if own_words and not refused else None
    if undefined is None:
        undefined = undefined_names(_without_stars(_text_of(kept, written)), ours | refused)
    if needed := undefined & refused:  # what was refused is still there
        return finish(replace(unit, replaced=unit.replaced - needed), original, source, options, support_module)
    missing = undefined & ours
    if missing and _speaks_of(source, missing):  # the original may have lacked them, too
        missing -= undefined_names(_without_stars(source.text)) - _star_names(unit)
    helpers = sorted(name for name in missing if name in unit.support or renames.get(name) in unit.support)
    imports = [known[name] for name in sorted(missing) if name in known and name not in helpers]
    imports.extend(wanted[name] for name in sorted(missing & wanted.keys()))
    foreign = tuple(name for name in helpers if foreign_names([renames.get(name, name)], options.target))
    names = [renames.get(name, name) for name in helpers if name not in foreign]
    support = SupportCode(())
    if options.support == "import":
        imports.extend(
            _renamed_import(item, unit.renamed) for item in import_support(qualify_names(names, options.target))
        )
    elif support_module is not None:
        imports.extend(_renamed_import(Import(support_module, name), unit.renamed) for name in names)
        qualified = tuple(qualify_names(names, options.target))
        return Finished(_text_of(update_imports(module, imports, unwanted), written), qualified, foreign)
    elif names:
        support = collect_support(qualify_names(names, options.target))
        unseen = {*support.names} & unit.bound - unit.renamed.keys()  # what support code itself needs
        unit.renamed.update({name: f"torch_{name}" for name in unseen})
        asked = [unit.renamed.get(name, name) for name in names]
        program = _text_of(kept, written)
        support = specialize(_renamed_support(support, unit.renamed), asked, program)
        if shadowed := shadowed_builtins(program):
            support = beside_shadowed(support, shadowed)
        imports.extend(support.imports)
    finished = update_imports(module, imports, unwanted)
    if not support.parts:
        return Finished(_text_of(finished, written), (), foreign)
    text = place_support(finished, support, partial(_part, finished, written))
    return Finished(text, (), foreign)


def _plainly_missing(unit: Unit, kept: cst.Module, ours: Set[str], source: Source) -> frozenset[str] | None:
    """The names of `ours` that the translation has written and nothing binds; None if that takes a look at all scopes:
    the original speaks of one of them, too, or imports everything from somewhere.
    """
    original = unit.facts.program.index.parents
    found: set[str] = set()
    stack: list[cst.CSTNode] = [kept]
    while stack:
        node = stack.pop()
        if type(node) is cst.Name:
            found.add(node.value)
        elif type(node) is cst.Attribute:
            stack.append(node.value)
        else:
            named = _only_named(node)
            stack += [child for child in children(node) if child not in original and child is not named]
    found &= ours
    for line in kept.body:
        for item in line.body if type(line) is cst.SimpleStatementLine else ():
            if type(item) is cst.ImportFrom and isinstance(item.names, cst.ImportStar):
                return None
            if isinstance(item, (cst.Import, cst.ImportFrom)):
                found -= {imported.bound for imported in read_imports(item)}
    return None if found and _speaks_of(source, found) else frozenset(found)


def _only_named(node: cst.CSTNode) -> cst.Name | None:
    """The name in a node that is no variable which it reads: a field of a class, a keyword."""
    match node:
        case cst.AnnAssign(target=cst.Name() as name) | cst.Arg(keyword=cst.Name() as name):
            return name
    return None


def _speaks_of(source: Source, names: Set[str]) -> bool:
    """Whether one of some names may stand in a source as a variable; behind a dot it is none."""
    return re.search(rf"(?<![\w.])(?:{'|'.join(map(re.escape, names))})\b", source.text) is not None


def _text_of(module: cst.Module, written: dict[cst.CSTNode, str]) -> str:
    """The code of a module; that of its statements is kept in `written` for the next time."""
    text = "".join([_part(module, written, node) for node in (*module.header, *module.body, *module.footer)])
    if module.has_trailing_newline or not text:
        return text
    return text.removesuffix(module.default_newline)


def _part(module: cst.Module, written: dict[cst.CSTNode, str], node: cst.CSTNode) -> str:
    text = written.get(node)
    if text is None:
        text = written[node] = code_in(module, node)
    return text


def _has_inner_imports(index: Index) -> bool:
    """Whether a module is imported inside a function, `if` or `try`."""
    return any(not isinstance(index.parents.get(index.parents[node]), cst.Module) for node in index.imports)


def _without_stars(text: str) -> str:
    """The text with `from x import *` taken out: what it binds is not known, but what is new in a translation is."""
    return re.sub(r"(?m)^([ \t]*)from[ \t]+[\w.]+[ \t]+import[ \t]*\*", r"\1pass", text) if "*" in text else text


def _star_names(unit: Unit) -> set[str]:
    """The names that star imports of torch bind, and those of torch that star imports of other files bind."""
    known = (*unit.facts.tables.functions, *unit.facts.tables.layers)
    program = unit.facts.program
    stars = [
        node
        for node in program.index.imports
        if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar)
    ]
    found = {name for node in stars for name in import_bindings(node, known)}
    return found | {bound for node in stars for bound, _ in gone_imports(node, program)}


def _is_unwanted(
    item: Import, program: Program, names: frozenset[str], wanted: frozenset[Import], gone: frozenset[Import]
) -> bool:
    of_torch = is_torch(item) and not program.has_file_of(item.module)
    return of_torch or item in gone or (item.bound in names and item not in wanted)


def _gone(unit: Unit) -> frozenset[Import]:
    """What the file imports from others of the program that their translations do not have: torch and its modules."""
    program = unit.facts.program
    found: set[Import] = set()
    for node in program.index.imports:
        names = {bound for bound, _ in gone_imports(node, program)}
        found.update(item for item in read_imports(node) if item.name != "*" and item.bound in names)
    return frozenset(found)


def _own_imports(unit: Unit, options: Options) -> dict[str, Import]:
    """What rows of the user's own import, by the names that it has in this file."""
    found = {}
    for name, item in unit.facts.tables.imports.get(options.target, {}).items():
        new = unit.renamed.get(name)
        found[new or name] = Import(item.module, item.name, new or item.asname)
    return found


def _renamed_import(item: Import, renamed: dict[str, str]) -> Import:
    return Import(item.module, item.name, renamed.get(item.name or ""))


def _renamed_support(support: SupportCode, renamed: dict[str, str]) -> SupportCode:
    parts = support.parts
    for old, new in sorted(renamed.items()):
        if not new.startswith("torch_"):
            continue  # a name that is no support code
        ending = r"\b(?!\s*=[^=])" if old[0].isupper() else r"(?=\()"  # a class is named as a base, too
        used, defined = re.compile(rf"(?<![\w.]){old}{ending}"), re.compile(rf"\b(def|class) {old}\b")
        parts = tuple(replace(part, text=defined.sub(rf"\1 {new}", used.sub(new, part.text))) for part in parts)
    named = (replace(part, names=tuple(renamed.get(name, name) for name in part.names)) for part in parts)
    return SupportCode(tuple(named), support.imports)


def _drop_inner_imports(module: cst.Module, unwanted: Callable[[Import], bool]) -> cst.Module:
    """Torch imports inside functions, `if` and `try` go too."""
    index = build_index(module)
    edits = Edits()
    for node in index.imports:
        line = index.parents[node]
        if not isinstance(line, cst.SimpleStatementLine) or isinstance(index.parents.get(line), cst.Module):
            continue
        left = filter_import(node, unwanted)
        if left is None and len(line.body) == 1:
            edits.remove(line)
        elif left is not None and left is not node:
            edits.replace(node, always(left))
    return apply_edits(module, edits, index.parents) if edits.touched() else module
