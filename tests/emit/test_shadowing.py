"""Support code in programs that shadow builtins."""

import pytest

from torch2jax.emit.shadowing import beside_shadowed, shadowed_builtins
from torch2jax.emit.support import SupportCode, SupportPart


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("for iter in range(2):\n    pass\n", {"iter"}),
        ("def f():\n    sum = 1\n    return sum\n", set()),
        ("def f():\n    global sum\n    sum = 1\n", {"sum"}),
        ("def f():\n    global sum\n    return sum\n", set()),
        ("def max(x):\n    return x\n", {"max"}),
        ("from math import pow\nx = [list for list in range(3)]\n", {"pow"}),
        ("class A:\n    id = 1\n", set()),
    ],
)
def test_shadowed_builtins(text, names):
    assert shadowed_builtins(text) == names


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        (
            "def f(x, zip=list):\n    return zip(list(x), [max for max in x], max(x))\n",
            "def f(x, zip=builtins.list):\n    return zip(builtins.list(x), [max for max in x], builtins.max(x))\n",
        ),
        (
            "def f(max):\n    g = lambda y: max(y) + list(y)\n    return g\n",
            "def f(max):\n    g = lambda y: max(y) + builtins.list(y)\n    return g\n",
        ),
        ("def f(x):\n    list = x.list\n    return list(x, list=1)\n", None),
        ('def f(x):\n    return f"é{max(x)}"\n', 'def f(x):\n    return f"é{builtins.max(x)}"\n'),
    ],
)
def test_reads_of_builtins(text, ours):
    support = SupportCode((SupportPart("m", ("f",), text),))
    found = beside_shadowed(support, {"list", "max", "zip"})
    assert found.parts[0].text == (ours or text)
    assert bool(found.imports) == (ours is not None)
