"""Initializers under the names that say that they change what they are given.

nn.init.constant(m.weight, 0)                     ->   nn.init.constant_(m.weight, 0)
from torch.nn.init import xavier_normal as init   ->   from torch.nn.init import xavier_normal_
init(m.weight)                                    ->   xavier_normal_(m.weight)
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter

_INIT = "torch.nn.init"


def normalize_initializers(work: NormalizationRound) -> None:
    """Normalize all such names of a file."""
    if not work.program.mentions("init"):
        return
    for node in work.index.attributes:
        current = _current_name(work, work.values.torch_name(node) or "")
        if current is not None and current != node.attr.value:
            work.edits.replace(node.attr, _named(current))
    every = {node.value for node in work.index.names}
    for statement in work.index.imports:
        if isinstance(statement, cst.ImportFrom) and dotted(statement.module) == _INIT and not statement.relative:
            for alias in () if isinstance(statement.names, cst.ImportStar) else statement.names:
                _rename(work, alias, every)


def _current_name(work: NormalizationRound, name: str) -> str | None:
    """The name that says that an initializer changes what it is given."""
    assert work.effects is not None
    spec = work.effects.tables.functions.get(name) if name.startswith(f"{_INIT}.") else None
    current = spec.name.rpartition(".")[2] if spec is not None else ""
    return current if is_inplace_name(current) else None


def _rename(work: NormalizationRound, alias: cst.ImportAlias, every: set[str]) -> None:
    """Give an imported initializer the name that torch has for it."""
    meant, bound = dotted(alias.name) or "", dotted(alias.asname.name if alias.asname is not None else alias.name)
    name = _current_name(work, f"{_INIT}.{meant}")
    if name is None or name == bound or name in every - {meant}:
        return
    work.edits.replace(alias, lambda rewrite: alias.with_changes(name=cst.Name(name), asname=None))
    for node in work.index.names:
        if node.value == bound and work.values.torch_name(node) == f"{_INIT}.{meant}":
            work.edits.replace(node, _named(name))


def _named(name: str) -> Callable[[Rewriter], cst.CSTNode]:
    return lambda rewrite: cst.Name(name)


__all__ = ["normalize_initializers"]
