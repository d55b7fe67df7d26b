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
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import libcst as cst

from torch2jax.normalize.insertion import Definition, imported_names, insert_definitions, torch_name_of
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.walk import Index, build_index, is_label

_SOURCE = Path(__file__).parent.parent / "layer_bases" / "schedulers.py"
_PREFIX = "torch.optim.lr_scheduler."
_BASE = "LRScheduler"


def with_scheduler_bases(index: Index) -> Index:
    """The file with classes of its own in the place of such bases."""
    bound = imported_names(index)
    bases = [base.value for node in index.every(cst.ClassDef) for base in node.bases]
    meant = {base: known for base in bases if (known := _class_meant(torch_name_of(base, bound))) is not None}
    if not meant:
        return index
    edits = Edits()
    fresh = FreshNames({name.value for name in index.names if not is_label(name, index.parents[name])})
    names = {
        known: fresh(known if fresh.is_free(known) else f"{known}Base")
        for known in dict.fromkeys((_BASE, *meant.values()))
    }
    for base, known in meant.items():
        edits.replace(base, always(cst.Name(names[known])))
    definitions = [_definition(known, names) for known in names]
    return build_index(insert_definitions(apply_edits(index.module, edits, index.parents), definitions, bound))


def _class_meant(name: str) -> str | None:
    """The class here that stands for one of torch."""
    if name == f"{_PREFIX}_LRScheduler":
        return _BASE
    known = name.removeprefix(_PREFIX)
    return known if name.startswith(_PREFIX) and known.isidentifier() and scheduler_source(known) else None


def _definition(known: str, names: Mapping[str, str]) -> Definition:
    text = scheduler_source(known).replace(f"class {known}", f"class {names[known]}", 1)
    used = {"math"} if "math." in text else set()
    if known != _BASE:
        text = text.replace(f"({_BASE})", f"({names[_BASE]})", 1)
        used.add(names[_BASE])
    return Definition(names[known], text, frozenset(used))


@cache
def scheduler_source(name: str) -> str:
    """The class that takes the place of one of torch; "" if there is none."""
    text = _SOURCE.read_text(encoding="utf-8")
    found = (item for item in ast.parse(text).body if isinstance(item, ast.ClassDef) and item.name == name)
    return "".join(ast.get_source_segment(text, item) or "" for item in found)


@cache
def scheduler_options(name: str) -> tuple[str, ...]:
    """The parameters of the class that takes the place of one of torch."""
    tree = ast.parse(scheduler_source(name))
    inits = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    return tuple(item.arg for init in inits for item in init.args.args[1:])


__all__ = ["scheduler_options", "scheduler_source", "with_scheduler_bases"]
