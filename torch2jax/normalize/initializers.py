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
from torch2jax.program.program import canonical, dotted
from torch2jax.syntax.edits import Rewriter

_INIT = "torch.nn.init"


def normalize_initializers(work: NormalizationRound) -> None:
    """Normalize all such names of a file."""
    if not work.program.mentions("init"):
        return
    for node in work.index.attributes:
        name = work.values.torch_name(node) or ""
        if name.startswith(f"{_INIT}.") and is_inplace_name(name) and node.attr.value == name[len(_INIT) + 1 : -1]:
            work.edits.replace(node.attr, _named(f"{node.attr.value}_"))
    every = {node.value for node in work.index.names}
    for statement in work.index.imports:
        if isinstance(statement, cst.ImportFrom) and dotted(statement.module) == _INIT and not statement.relative:
            for alias in () if isinstance(statement.names, cst.ImportStar) else statement.names:
                _rename(work, alias, every)


def _rename(work: NormalizationRound, alias: cst.ImportAlias, every: set[str]) -> None:
    """Give an imported initializer the name that torch has for it."""
    meant = canonical(f"{_INIT}.{dotted(alias.name)}")
    name, bound = meant.rpartition(".")[2], dotted(alias.asname.name if alias.asname is not None else alias.name)
    if name == bound or not is_inplace_name(name) or name in every - {dotted(alias.name)}:
        return
    work.edits.replace(alias, lambda rewrite: alias.with_changes(name=cst.Name(name), asname=None))
    for node in work.index.names:
        if node.value == bound and work.values.torch_name(node) == meant:
            work.edits.replace(node, _named(name))


def _named(name: str) -> Callable[[Rewriter], cst.CSTNode]:
    return lambda rewrite: cst.Name(name)


__all__ = ["normalize_initializers"]
