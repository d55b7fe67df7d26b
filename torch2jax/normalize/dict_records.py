"""Dicts in fields of modules that methods fill under names, to be looked at later, normalized to a field for each name.

self.outputs = {}                            self.outputs_mu = None
...                                          ...
self.outputs["mu"] = mu              ->      self.outputs_mu = mu
...                                          ...
for name, x in self.outputs.items():         for name, x in {k: v for k, v in {"mu": self.outputs_mu}.items() if v is not None}.items():

They would be one thing that changes in place, which values cannot hold; each tensor by itself is state of the module.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from torch2jax.normalize.filled_dicts import is_empty
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.unread_fields import (
    WrittenField,
    is_known_whole,
    reads_of,
    speaks_of_all_fields,
    written_fields,
)
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.values import Kind

_ASKING = frozenset({"items", "keys", "values"})


@dataclass(frozen=True, slots=True)
class _Use:
    """A place where such a field is named: with the key that is meant there, or as a whole."""

    node: cst.Attribute
    key: str | None = None


def normalize_dict_records(work: NormalizationRound) -> None:
    """Normalize all such fields of a file."""
    if work.effects is None or speaks_of_all_fields(work):
        return
    for item in written_fields(work):
        init = item.owner.methods.get("__init__")
        if (
            init is None
            or len(item.stores) != 1
            or item.setters
            or work.index.function_of(item.stores[0]) is not init.node
        ):
            continue
        line = work.index.statement_of(item.stores[0])
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
                if target is item.stores[0] and is_empty(value) and line in init.node.body.body:
                    _normalize(work, item, line)


def _normalize(work: NormalizationRound, item: WrittenField, line: cst.SimpleStatementLine) -> None:
    uses = [_use(work, node) for node in reads_of(work, item)]
    known = [use for use in uses if use is not None]
    keys = list(dict.fromkeys(use.key for use in known if use.key is not None and _is_store(work, use)))
    names = {key: f"{item.name}_{key}" for key in keys}
    if len(known) < len(uses) or not keys or any(use.key not in (None, *keys) for use in known):
        return
    if any(item.owner.field_value(name) is not None or item.owner.method(name) is not None for name in names.values()):
        return
    if not is_known_whole(work, item):
        return
    owner = cst.ensure_type(item.stores[0].value, cst.Name).value
    firsts = [quote_statement(f"{owner}.{name} = None") for name in names.values()]
    work.edits.rewrite_statement(line, always_statements(firsts))
    for use in known:
        if use.key is not None:
            field = cst.Attribute(use.node.value, cst.Name(names[use.key]))
            work.edits.replace(work.index.parents[use.node], always(field))
        else:
            work.edits.replace(use.node, always(_whole(use.node, names)))


def _whole(node: cst.Attribute, names: Mapping[str, str]) -> cst.BaseExpression:
    """The dict as it would be, of what has been filled by then."""
    place = dotted(node.value)
    entries = ", ".join(f'"{key}": {place}.{name}' for key, name in names.items())
    return quote("{key: value for key, value in {" + entries + "}.items() if value is not None}")


def _use(work: NormalizationRound, node: cst.Attribute) -> _Use | None:
    """How a place uses the dict: `x.outputs["mu"]`, a store under a name, or what only asks for all entries; None: otherwise."""
    parent = work.index.parents[node]
    if dotted(node.value) is None:
        return None
    match parent, work.index.parents[parent]:
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]), around:
            text = str(key.evaluated_value)
            if not text.isidentifier() or isinstance(around, (cst.AugAssign, cst.Del)):
                return None
            if isinstance(around, cst.AssignTarget):
                line = work.index.parents[around]
                value = work.values(line.value) if isinstance(line, cst.Assign) and len(line.targets) == 1 else None
                return (
                    _Use(node, text) if value is not None and value.kind is Kind.TENSOR and not value.optional else None
                )
            return _Use(node, text)
        case cst.Attribute(attr=cst.Name(method)), cst.Call(args=[]) if method in _ASKING:
            return _Use(node)
        case cst.Arg(), cst.Call(func=cst.Name("len" | "dict" | "list" | "sorted")):
            return _Use(node)
        case cst.For(iter=iterated), _ if iterated is node:
            return _Use(node)
    return None


def _is_store(work: NormalizationRound, use: _Use) -> bool:
    return isinstance(work.index.parents[work.index.parents[use.node]], cst.AssignTarget)


__all__ = ["normalize_dict_records"]
