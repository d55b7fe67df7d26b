"""One walk finds the nodes of each kind, in source order."""

import libcst as cst

from torch2jax.syntax.walk import build_index

PROGRAM = """
import a
from b import c
def f(x):
    import d
    return [x(y) for y in f(d)]
"""


def test_nodes_of_some_kinds_are_in_source_order() -> None:
    index = build_index(cst.parse_module(PROGRAM))
    for kinds in ((cst.Call,), (cst.Import, cst.ImportFrom), (cst.Name, cst.Call, cst.Lambda), (cst.Lambda,), ()):
        assert list(index.every(*kinds)) == [node for node in index.nodes if type(node) in kinds]
    assert list(index.imports) == list(index.every(cst.Import, cst.ImportFrom))


def test_nodes_stand_behind_those_that_hold_them() -> None:
    index = build_index(cst.parse_module(PROGRAM))
    seen = {index.module}
    for node in index.nodes[1:]:
        assert index.parents[node] in seen
        seen.add(node)
