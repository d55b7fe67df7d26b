"""Models of other libraries of which a program reads the weights and the settings alone."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.syntax.walk import Index

_ASKED = frozenset({"state_dict", "eval", "config"})


def only_reads_weights(index: Index, name: cst.BaseExpression) -> bool:
    """Whether a class makes a model in a variable that is asked for its weights and its settings only."""
    asked = index.parents[name]
    call = index.parents[asked]
    match asked, call, index.parents[call]:
        case (
            cst.Attribute(attr=cst.Name("from_pretrained")),
            cst.Call(),
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as variable)], value=value),
        ) if value is call:
            return all(_is_asked(index, item) for item in _others(index, variable))
    return False


def _others(index: Index, variable: cst.Name) -> Iterator[cst.Name]:
    """The other places of a scope, and of those in it, where the name of a variable stands."""
    scope = next((item for item in index.ancestors(variable) if isinstance(item, (cst.FunctionDef, cst.Module))), None)
    for item in index.names:
        if item.value == variable.value and item is not variable and not index.is_label(item):
            if scope is index.module or any(above is scope for above in index.ancestors(item)):
                yield item


def _is_asked(index: Index, name: cst.Name) -> bool:
    parent = index.parents[name]
    return isinstance(parent, cst.Attribute) and parent.value is name and parent.attr.value in _ASKED


__all__ = ["only_reads_weights"]
