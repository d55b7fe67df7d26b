"""Positions are those of LibCST's own provider."""

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from torch2jax.syntax.positions import find_positions
from torch2jax.syntax.walk import descendants

PROGRAM = '''# head
import torch; x = 1


class A:
    """Doc."""

    @property  # why
    def f(self, *, n=(1), **k):
        # inside
        if (n
                > 2): return {n: [*k]}
        return ( -n ).real


y = lambda a: f"{a!r}" "b"
'''


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_positions_agree_with_libcst(newline: str) -> None:
    module = cst.parse_module(PROGRAM.replace("\n", newline))
    expected = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    nodes = [
        n for n in descendants(module) if isinstance(n, (cst.BaseExpression, cst.BaseSmallStatement, cst.BaseStatement))
    ]
    found = find_positions(module, nodes)
    for node in nodes:
        start = expected[node].start
        assert found[node] == (start.line, start.column + 1), cst.Module([]).code_for_node(node)


def test_nodes_of_other_modules_have_no_position() -> None:
    assert find_positions(cst.parse_module(PROGRAM), [cst.Name("x")]) == {}
