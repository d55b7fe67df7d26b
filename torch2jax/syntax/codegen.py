"""The text of trees.

LibCST enters a generator-based context manager around most nodes, for providers of positions; without them the text of a
module is written in two thirds of the time.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import libcst as cst
from libcst._nodes.internal import CodegenState

_NOTHING = nullcontext()


class _Text(CodegenState):
    def record_syntactic_position(  # type: ignore[override]  # any context manager does
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        return _NOTHING


def code_in(module: cst.Module, node: cst.CSTNode) -> str:
    """The text of a node with the indentation and line ends of a module."""
    state = _Text(module.default_indent, module.default_newline)
    node._codegen(state)
    return "".join(state.tokens)


def code(node: cst.CSTNode) -> str:
    """The text of a node."""
    return code_in(_EMPTY, node)


_EMPTY = cst.Module([])
