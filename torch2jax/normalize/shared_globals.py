"""Variables of other files that are imported by name: in torch all of their names stand for one object, in JAX for a value each.

# lib.py: `train` goes on with `net`, and binds it anew in the translation
from lib import net, train                    import lib
train(x)                                      from lib import train
print(net(x))                          ->     train(x)
                                              print(lib.net(x))

What this file changes itself, while functions of the other file go on reading it, is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.mutations import changes_values
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.definitions import How
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, Program, dotted, imported_module
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value, files_of

_SETTING = frozenset(
    {"train", "eval", "load_state_dict", "apply", "requires_grad_", "half", "double", "float", "bfloat16"}
)


def normalize_shared_globals(work: NormalizationRound) -> None:
    """Normalize, or report, all such variables of a file."""
    for statement in work.index.every(cst.ImportFrom):
        if work.program.function_around(statement) is None:
            _normalize_import(work, statement)


def _normalize_import(work: NormalizationRound, statement: cst.ImportFrom) -> None:
    (base,) = imported_module(statement)
    home = work.program.module_asked(base)
    if home is None or home is work.program:
        return
    taken: list[str] = []
    for name, own in _names(statement, home):
        value = home.module_env.get(name)
        if value is None or not _is_held_by_value(work, value):
            continue
        uses = list(_uses(work, own))
        if not uses:
            continue
        origin, first = _origin(home, name)
        other: str | None = None
        if _is_changed_here(work, uses, value):
            other = next(_readers(work, origin, first, value), None)
        elif (changer := _changer(work, origin, first, value)) is not None:
            other = f"{base}.{name}"
            if changer is home and not base.startswith(".") and _is_free(work, base.partition(".")[0]):
                taken.append(name)
                for use in uses:
                    work.edits.replace(use, lambda rewrite, name=name: quote(f"{base}.{name}"))  # type: ignore[misc]
                continue
        if other is not None:
            work.problems.append(Problem(statement, "T2J303", {"name": own, "other": other}))
    if taken:
        _import_file(work, statement, base, taken)


def _is_free(work: NormalizationRound, name: str) -> bool:
    """Whether a name stands for a file, or for nothing yet."""
    value = work.program.module_env.get(name)
    return value is None or bool(files_of(value))


def _names(statement: cst.ImportFrom, home: Program) -> list[tuple[str, str]]:
    """What is imported, by its name in its own file and here."""
    if isinstance(statement.names, cst.ImportStar):
        return [(name, name) for name in home.module_env if not name.startswith("_")]
    named = [(dotted(alias.name) or "", alias.asname) for alias in statement.names]
    return [(name, (dotted(target.name) or name) if target is not None else name) for name, target in named]


def _origin(home: Program, name: str, depth: int = 4) -> tuple[Program, str]:
    """The file that makes what another one has by a name, and its name there."""
    for statement in home.index.every(cst.ImportFrom) if depth else ():
        above = home.module_asked(*imported_module(statement))
        if above is None or above is home or home.function_around(statement) is not None:
            continue
        for inner, own in _names(statement, above):
            if own == name and inner in above.module_env:
                return _origin(above, inner, depth - 1)
    return home, name


def _import_file(work: NormalizationRound, statement: cst.ImportFrom, base: str, taken: Sequence[str]) -> None:
    """Import a file itself in front of what else is imported of it."""
    line = work.index.statement_of(statement)
    if base not in work.program.module_env:
        work.edits.before(line, lambda rewrite: [quote_statement(f"import {base}")])
    if isinstance(statement.names, cst.ImportStar):
        return
    rest = [alias for alias in statement.names if dotted(alias.name) not in taken]
    if rest:
        rest[-1] = rest[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        work.edits.replace(statement, lambda rewrite: statement.with_changes(names=rest))
    else:
        work.edits.remove(line)


def _is_held_by_value(work: NormalizationRound, value: Value) -> bool:
    """Whether the translation binds a variable again where torch changes what it holds."""
    is_value = work.effects is not None and work.effects.threads
    return value.kind is Kind.TENSOR or (is_value and value.kind is Kind.MODULE and not value.is_loss_module)


def _uses(work: NormalizationRound, name: str) -> Iterator[cst.Name]:
    """The reads of a name that imports alone have bound."""
    definitions = work.program.definitions
    for node in work.index.names:
        if node.value == name and not work.index.is_label(node) and not definitions.is_bound(node):
            if all(item.how is How.IMPORTED for item in definitions.every_of_name(node)):
                yield node


def _is_changed_here(work: NormalizationRound, uses: Sequence[cst.Name], value: Value) -> bool:
    if any(_changes(work, work.program, use) for use in uses):
        return True
    return value.kind is Kind.MODULE and any(_changes_module(work, call, value) for call in work.index.calls)


def _changer(work: NormalizationRound, home: Program, name: str, value: Value) -> Program | None:
    """The file, another one, with functions that change what a variable of `home` holds."""
    if value.kind is Kind.TENSOR:
        return (
            home if any(_changes_global(work, home, function, name) for function in home.functions.values()) else None
        )
    own = set(work.program.functions.values())
    for function in (*home.functions.values(), *reached([work.index.module], work.values)):
        if function not in own and any(_changes_module(work, call, value) for call in _calls(function)):
            return home if function in set(home.functions.values()) else work.program
    return None


def _calls(function: Function) -> Iterator[cst.Call]:
    return (node for node in descendants(function.node.body) if isinstance(node, cst.Call))


def _changes_global(work: NormalizationRound, home: Program, function: Function, name: str) -> bool:
    nodes = list(descendants(function.node.body))
    is_declared = any(
        isinstance(node, cst.Global) and name in [item.name.value for item in node.names] for node in nodes
    )
    if not is_declared and name not in free_variables(function.node):
        return False
    return any(isinstance(node, cst.Name) and node.value == name and _changes(work, home, node) for node in nodes)


def _readers(work: NormalizationRound, home: Program, name: str, value: Value) -> Iterator[str]:
    """The functions of other files that this one calls, and that read a variable of `home`, or what other files call so."""
    own, at_home = set(work.program.functions.values()), set(home.functions.values())
    for function in reached([work.index.module], work.values):
        if function not in own:
            free = free_variables(function.node)
            nodes = descendants(function.node.body) if value.kind is Kind.MODULE else ()
            if (function in at_home and name in free) or any(_is_seen(work, node, free, value) for node in nodes):
                yield function.key.replace(":", ".").replace("/", ".")


def _is_seen(work: NormalizationRound, node: cst.CSTNode, free: Collection[str], value: Value) -> bool:
    """Whether a node reads a module that a variable of some file holds."""
    match node:
        case cst.Name(name):
            is_global = name in free
        case cst.Attribute(value=owner):
            is_global = bool(files_of(work.values(owner)))
        case _:
            return False
    held = work.values(node) if is_global else None
    return held is not None and held.kind is Kind.MODULE and bool(held.sites & value.sites)


def _changes_module(work: NormalizationRound, call: cst.Call, value: Value) -> bool:
    """Whether a call trains a module, sets its mode, or loads it."""
    match call.func:
        case cst.Attribute(value=owner, attr=cst.Name("step")):
            held = work.values(owner)
            return held.kind is Kind.OPTIMIZER and bool(held.sites & value.sites)
        case cst.Attribute(value=owner, attr=cst.Name(method)) if method in _SETTING:
            held = work.values(owner)
            return held.kind is Kind.MODULE and bool(held.sites & value.sites)
    return False


def _changes(work: NormalizationRound, program: Program, use: cst.Name) -> bool:
    """Whether what a variable holds, or a part of it, is changed in place where its name stands: `net.weight.data.fill_(0.5)`."""
    parents = program.index.parents
    node: cst.CSTNode = use
    while isinstance(parent := parents[node], (cst.Attribute, cst.Subscript)) and parent.value is node:
        node = parent
    match above := parents[node]:
        case cst.Call(func=cst.Attribute(attr=cst.Name(method)) as func) if func is node:
            return changes_values(method)
        case cst.Arg():
            call = parents[above]
            return isinstance(call, cst.Call) and is_inplace_name(work.values.torch_name(call.func) or "")
        case cst.AugAssign():
            return above.target is node
        case cst.AssignTarget():
            return node is not use
    return False


__all__ = ["normalize_shared_globals"]
