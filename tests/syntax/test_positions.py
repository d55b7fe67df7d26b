"""Positions are those of LibCST's own provider."""

import random
from collections import defaultdict
from pathlib import Path

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
        elif n: return n
        return ( -n ).real


y = lambda a: f"{a!r}" "b"
'''
CASES = sorted((Path(__file__).parent.parent / "cases").rglob("*.py"))[::20]
KINDS = (cst.BaseExpression, cst.BaseSmallStatement, cst.BaseStatement, cst.Param, cst.Arg, cst.Decorator)


def check_positions(text: str) -> None:
    """All nodes at once, those of each kind, and some of each kind are found where LibCST finds them."""
    module = cst.parse_module(text)
    expected = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    by_kind = defaultdict(list)
    for node in descendants(module):
        if isinstance(node, KINDS):
            by_kind[type(node)].append(node)
    some = [random.Random(0).sample(nodes, (len(nodes) + 3) // 4) for nodes in by_kind.values()]
    for nodes in ([node for nodes in by_kind.values() for node in nodes], *by_kind.values(), *some):
        found = find_positions(module, nodes)
        for node in nodes:
            start = expected[node].start
            assert found[node] == (start.line, start.column + 1), cst.Module([]).code_for_node(node)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_positions_agree_with_libcst(newline: str) -> None:
    check_positions(PROGRAM.replace("\n", newline))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_positions_in_programs_agree_with_libcst(path: Path) -> None:
    check_positions(path.read_text(encoding="utf-8"))


def test_nodes_of_other_modules_have_no_position() -> None:
    assert find_positions(cst.parse_module(PROGRAM), [cst.Name("x")]) == {}


def test_a_module_begins_at_its_first_line() -> None:
    module = cst.parse_module(PROGRAM)
    assert find_positions(module, [module]) == {module: (1, 1)}
