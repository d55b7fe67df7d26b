"""Crowded lines are spread out only where a statement on them may have to be rewritten."""

import libcst as cst
import pytest

from torch2jax.syntax.lines import spread_lines


@pytest.mark.parametrize(
    "text",
    [
        "a = 1; b = 2\n",
        "if a: return_ = 1\n",
        "if a: raise ValueError('no')\n",
        "if a: print(a)\nelse: pass\n",
        "class A(B): pass\n",
        "def f(x): return x\n",
    ],
)
def test_plain_statements_stay(text: str) -> None:
    module = cst.parse_module(text)
    spread = spread_lines(module)
    assert spread.module is module
    assert spread.origins == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# a\nx = f(1); x[0] = 2  # b\n", "# a\nx = f(1)\nx[0] = 2  # b\n"),
        ("if a: x.add_(1)  # b\n", "if a:\n    x.add_(1)  # b\n"),
        ("try: f()\nexcept E: pass\nfinally: x += 1\n", "try:\n    f()\nexcept E: pass\nfinally:\n    x += 1\n"),
        ("match a:\n  case 1: g(); h()\n", "match a:\n  case 1:\n    g()\n    h()\n"),
        ("def f(x): return g(x)", "def f(x):\n    return g(x)"),
        ("if a:\n\timport b; c = 1\n", "if a:\n\timport b\n\tc = 1\n"),
    ],
)
def test_statements_get_lines(text: str, expected: str) -> None:
    assert spread_lines(cst.parse_module(text)).module.code == expected


def test_origins_lead_back() -> None:
    module = cst.parse_module("if a: f(); g()\n")
    spread = spread_lines(module)
    (outer,) = spread.module.body
    assert isinstance(outer, cst.If)
    assert spread.origins[outer] is module.body[0]
    assert isinstance(outer.body, cst.IndentedBlock)
    old = module.body[0].body.body  # type: ignore[union-attr]
    assert [spread.origins[line] for line in outer.body.body] == list(old)


def test_long_chains_get_lines() -> None:
    chain = "x" + ".a()" * 60
    text = f"def f(x):\n    # first\n    return {chain}.T.b()[0].c()  # last\n"
    expected = f"def f(x):\n    # first\n    value = {chain}\n    return value.T.b()[0].c()  # last\n"
    assert spread_lines(cst.parse_module(text)).module.code == expected
    lines = "\n    .a()" * 61
    expected = f"value_1 = (x{lines[:-9]})\nvalue = (value_1\n    .a()\n)\n"
    assert spread_lines(cst.parse_module(f"value = (x{lines}\n)\n")).module.code == expected
