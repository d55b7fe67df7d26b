"""Decisions that constants leave no choice in."""

from typing import Any

import libcst as cst
import pytest

from torch2jax.syntax.folding import Folder, Transformer
from torch2jax.syntax.walk import descendants

TEXT = '''
# Above.
def norm(x, dim=None, keepdim=False, *, kind="l2"):
    """Keep me."""
    if dim is None:  # all
        y = x.ravel()
    elif keepdim:
        y = x[dim:]
    else:
        y = (kind == "l1" and x) or -x

    for i in [1, 2]:  # twice
        with open(f"{kind!r}") as dim.keepdim, a as b:
            return norm(*x, kind=kind, dim=not keepdim), {"a": dim}
        return 1
    try:
        del x[0]; y += (yield)
    except (A, B) as error:
        raise
    return y if kind == "l2" else (lambda a, *b: a)(0)
'''


class _Counting(Transformer):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def visit_Call(self, node: cst.Call) -> bool:
        return False

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        self.seen.append(updated_node.value)
        return updated_node


def _by_libcst(kind: type[Transformer]) -> Any:
    """A transformer that LibCST applies, with the methods of one that goes through trees in our way."""
    members = {
        name: item for name, item in vars(kind).items() if name == "__init__" or name[:6] in ("visit_", "leave_")
    }
    return type(
        "Slow", (kind,), members | {"on_visit": cst.CSTTransformer.on_visit, "on_leave": cst.CSTTransformer.on_leave}
    )


@pytest.mark.parametrize("values", [{}, {"dim": "None"}, {"dim": "0", "keepdim": "True"}, {"kind": '"l1"', "x": "y"}])
def test_transformers_do_what_those_of_the_parser_do(values: dict[str, str]) -> None:
    module = cst.parse_module(TEXT)
    made, other = module.visit(Folder(values)), module.visit(_by_libcst(Folder)(values))
    assert made.deep_equals(other)
    assert not values or made.code != TEXT
    shared = set(descendants(made)) & set(descendants(module))
    assert all(isinstance(node, cst.Name) for node in shared)  # labels


def test_decisions_on_one_line_leave_whole_lines() -> None:
    text = "def f(kind):\n    if kind is None: a = 1; b = 2\n    else: a = 3\n    if kind == 1: c = 4\n    return a\n"
    assert (
        cst.parse_module(text).visit(Folder({"kind": "None"})).code
        == "def f(kind):\n    a = 1\n    b = 2\n    return a\n"
    )


def test_transformers_go_where_those_of_the_parser_go() -> None:
    module, ours, other = cst.parse_module(TEXT), _Counting(), _by_libcst(_Counting)()
    module.visit(ours)
    module.visit(other)
    assert sorted(ours.seen) == sorted(other.seen)
    assert ours.seen.count("norm") == 1
