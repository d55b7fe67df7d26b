"""Functions of a file that another one of the same name replaces before anybody can call them.

def default(value, other):                       (gone)
    return value if value is not None else other
...                                        ->    ...
def default(value, other):                       def default(value, other):
    ...                                              ...

What calls the name when all of the file has run calls the last one.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.walk import descendants

_LATER = (cst.FunctionDef, cst.Lambda)


def normalize_overwritten_functions(work: NormalizationRound) -> None:
    """Leave out all such functions of a file."""
    lines = work.index.module.body
    at: dict[str, int] = {}
    for number, line in enumerate(lines):
        if not isinstance(line, cst.FunctionDef) or line.decorators:
            continue
        name = line.name.value
        if name in at and not _is_used_before(work, name, at[name], number):
            work.edits.remove(lines[at[name]])
        at[name] = number


def _is_used_before(work: NormalizationRound, name: str, first: int, second: int) -> bool:
    """Whether what runs in front of the second definition names the first, itself or in what it may call."""
    lines = [line for number, line in enumerate(work.index.module.body[:second]) if number != first]
    if name in work.program.read_elsewhere and any(descendants(line, cst.Import, cst.ImportFrom) for line in lines):
        return True
    defined: dict[str, list[cst.CSTNode]] = {}
    reached = set[str]()
    for line in lines:
        reached |= {node.value for node in _run_at_once(line) if isinstance(node, cst.Name)}
        if isinstance(line, (cst.FunctionDef, cst.ClassDef)):
            defined.setdefault(line.name.value, []).append(line)
            reached |= {line.name.value} if line.decorators else set()
    while found := reached & defined.keys():
        for node in [node for item in found for node in defined.pop(item)]:
            reached |= {item.value for item in descendants(node, cst.Name)}
    return name in reached


def _run_at_once(line: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes of a line of a file that run with it, and not in a call: not the bodies of functions, nor what is defined."""
    yield line
    for child in line.children:
        is_later = isinstance(line, _LATER) and child is line.body
        is_name = isinstance(line, (cst.FunctionDef, cst.ClassDef)) and child is line.name
        if not is_later and not is_name:
            yield from _run_at_once(child)


__all__ = ["normalize_overwritten_functions"]
