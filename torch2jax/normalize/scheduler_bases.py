"""Schedulers that a program writes itself, normalized before all else: their base is a class of the program.

class WarmupCosine(_LRScheduler):      ->      class LRScheduler:
    def get_lr(self):                              def step(self): ...
        return [...]
                                               class WarmupCosine(LRScheduler):
                                                   def get_lr(self):
                                                       return [...]
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import libcst as cst

from torch2jax.normalize.insertion import Definition, imported_names, insert_definitions
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.walk import Index, build_index, is_label

_SOURCE = Path(__file__).parent.parent / "layer_bases" / "schedulers.py"
_BASES = frozenset({"torch.optim.lr_scheduler.LRScheduler", "torch.optim.lr_scheduler._LRScheduler"})


def with_scheduler_bases(index: Index) -> Index:
    """The file with a class of its own in the place of such bases."""
    bound = imported_names(index)
    bases = [base.value for node in index.every(cst.ClassDef) for base in node.bases]
    bases = [base for base in bases if _torch_name(base, bound) in _BASES]
    if not bases:
        return index
    edits = Edits()
    taken = {name.value for name in index.names if not is_label(name, index.parents[name])}
    name = FreshNames(taken)("LRScheduler") if "LRScheduler" not in taken else FreshNames(taken)("LRSchedulerBase")
    for base in bases:
        edits.replace(base, always(cst.Name(name)))
    definition = Definition(name, _source().replace("class LRScheduler", f"class {name}", 1), frozenset())
    return build_index(insert_definitions(apply_edits(index.module, edits, index.parents), [definition], bound))


def _torch_name(node: cst.BaseExpression, bound: dict[str, str]) -> str:
    first, _, rest = (dotted(node) or "").partition(".")
    known = bound.get(first, "")
    return f"{known}.{rest}" if known and rest else known


@cache
def _source() -> str:
    """The class that takes the place of the base."""
    text = _SOURCE.read_text(encoding="utf-8")
    return ast.get_source_segment(text, ast.parse(text).body[1]) or ""


__all__ = ["with_scheduler_bases"]
