"""Dicts of models, optimizers and schedulers that are filled key by key, normalized to displays of variables.

nets = {}                                    nets_G = Generator()
nets["G"] = Generator()             ->       nets_D = Critic(nets_G.width)
nets["D"] = Critic(nets["G"].width)          nets = {"G": nets_G, "D": nets_D}

Nothing but its entries is asked of such a dict before it is full. `normalize/named_members.py` goes on with what it is then.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.listed_modules import may_be_written_out
from torch2jax.normalize.named_members import entry_read
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always, always_statements
from torch2jax.syntax.quote import quote_statement

_EMPTY = frozenset({"dict", "OrderedDict", "collections.OrderedDict"})


@dataclass(frozen=True, slots=True)
class _Store:
    """The line `nets["G"] = value`."""

    line: cst.SimpleStatementLine
    use: cst.Name
    key: str
    value: cst.BaseExpression


def normalize_filled_dicts(work: NormalizationRound) -> None:
    """Normalize all such dicts of a file; of models alone where these are values, or optimizers are made of them."""
    if work.effects is None:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=value)]:
                block = work.index.parents[line]
                if is_empty(value) and isinstance(block, (cst.IndentedBlock, cst.Module)):
                    _normalize(work, line, target, list(block.body))


def is_empty(value: cst.BaseExpression) -> bool:
    """Whether an expression is an empty dict."""
    match value:
        case cst.Dict(elements=[]):
            return True
        case cst.Call(func=func, args=[]):
            return dotted(func) in _EMPTY
    return False


def _normalize(
    work: NormalizationRound, line: cst.SimpleStatementLine, target: cst.Name, body: Sequence[cst.CSTNode]
) -> None:
    definition = work.program.definitions.bound_once(target)
    if definition is None:
        return
    uses = [use for use in work.program.definitions.uses(definition) if isinstance(use, cst.Name)]
    stores = [store for use in uses if (store := _store(work, use)) is not None and store.line in body]
    stores.sort(key=lambda store: body.index(store.line))
    keys = [store.key for store in stores]
    if len(stores) < 2 or len(set(keys)) < len(keys) or body.index(stores[0].line) < body.index(line):
        return
    kinds = {work.values(store.value).kind for store in stores}
    stored = {store.use for store in stores}
    read = [use for use in uses if use not in stored]
    if not may_be_written_out(work, kinds, read) or not all(store.key.isidentifier() for store in stores):
        return
    last = stores[-1]
    early: dict[cst.CSTNode, str] = {}
    for use in read:
        found = entry_read(work, use, {store.key: store.value for store in stores})
        if found is None or work.program.definitions.scopes.around(use) is not definition.variable.owner:
            return
        if not work.is_behind(use, last.line):
            key = found[1].strip("{}")
            made = next(store for store in stores if store.key == key) if key in keys else None
            if made is None or not work.is_behind(use, made.line):
                return
            early[found[0]] = key
    free = work.names_at(line)
    names = {store.key: free(f"{target.value}_{store.key}") for store in stores}
    for node, key in early.items():
        work.edits.replace(node, always(cst.Name(names[key])))
    for store in stores:
        work.edits.replace(store.line.body[0], partial(_variable, names[store.key], store.value))
    display = cst.Dict([cst.DictElement(cst.SimpleString(f'"{key}"'), cst.Name(name)) for key, name in names.items()])
    full = quote_statement(f"{target.value} = {{display}}", display=display)
    work.edits.after(last.line, always_statements([full]))
    work.edits.remove(line)


def _store(work: NormalizationRound, use: cst.Name) -> _Store | None:
    """The line that gives a dict an entry of a key that is written out."""
    place = work.index.parents[use]
    match place, work.index.parents.get(place):
        case (
            cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]),
            cst.AssignTarget() as target,
        ) if place.value is use and isinstance(key.evaluated_value, str):
            assign = work.index.parents[target]
            line = work.index.parents[assign]
            if isinstance(assign, cst.Assign) and len(assign.targets) == 1:
                if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
                    return _Store(line, use, key.evaluated_value, assign.value)
    return None


def _variable(name: str, value: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return cst.Assign([cst.AssignTarget(cst.Name(name))], rewrite.expression(value))


__all__ = ["is_empty", "normalize_filled_dicts"]
