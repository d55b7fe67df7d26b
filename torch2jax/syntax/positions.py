"""Where some nodes of a module stand in its text.

LibCST's own provider works out the positions of all nodes, which takes longer than all else for a file with one remark.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from itertools import accumulate

import libcst as cst

from torch2jax.syntax.codegen import NOTHING, Text, write

_LINE_END = re.compile(r"\r\n?|\n")


def find_positions(module: cst.Module, nodes: Collection[cst.CSTNode]) -> Mapping[cst.CSTNode, tuple[int, int]]:
    """Line and column, counted from 1, where each of the nodes begins; nodes that are not in the module are left out."""
    state = _write_module(module, frozenset(nodes))
    offsets = [0, *accumulate(map(len, state.tokens))]
    starts = [0, *(match.end() for match in _LINE_END.finditer("".join(state.tokens)))]
    found = {}
    for node, token in state.marks.items():
        offset = offsets[min(token, len(offsets) - 1)]
        line = bisect_right(starts, offset)
        found[node] = (line, offset - starts[line - 1] + 1)
    return found


def _write_module(module: cst.Module, wanted: frozenset[cst.CSTNode]) -> _Marks:
    """The text of a module with marks where the wanted nodes begin."""
    state = _Marks(module, wanted)
    state.before_codegen(module)
    for part in (*module.header, *module.body, *module.footer):
        if len(state.marks) == len(wanted):
            return state
        write(part, state, wanted)
    if len(state.marks) < len(wanted):  # some, such as what follows an `elif`, are written as a part of others
        state = _Marks(module, wanted)
        module._codegen(state)
    return state


class _Marks(Text):
    """Notes how many tokens have been written when a wanted node begins, layout around it left out."""

    def __init__(self, module: cst.Module, wanted: frozenset[cst.CSTNode]) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.wanted = wanted
        self.marks: dict[cst.CSTNode, int] = {}

    def before_codegen(self, node: cst.CSTNode) -> None:
        if node in self.wanted:
            self.marks[node] = len(self.tokens)

    def record_syntactic_position(  # type: ignore[override]  # any context manager does
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        if node in self.wanted:
            self.marks[node] = len(self.tokens)
        return NOTHING
