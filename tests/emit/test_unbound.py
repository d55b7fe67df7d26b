"""Variables that are read before any line can have bound them."""

import ast

import pytest

from torch2jax.emit.check import ProblemKind, check_text
from torch2jax.emit.unbound import unbound_reads

STEP = "def f(data):\n    for x in data:\n        state = step(state, x)\n    return state\n"


def names(text: str) -> list[tuple[str, str]]:
    return [item[:2] for item in unbound_reads(ast.parse(text))]


@pytest.mark.parametrize(
    "text, name",
    [
        (STEP, "state"),
        ("def f():\n    y = x\n    x = 1\n", "x"),
        ("def f(a):\n    if a:\n        y = x\n    else:\n        y = x + 1\n    x = y\n", "x"),
        ("def f(a):\n    while x < 3:\n        x = a\n", "x"),
        ("def f(a):\n    with open(x) as x:\n        pass\n", "x"),
        ("def f(a):\n    for i in a:\n        if i:\n            x = x + 1\n", "x"),
        ("def f(a):\n    try:\n        y = x\n    finally:\n        x = 1\n", "x"),
        ("def f(a):\n    match x:\n        case 1:\n            x = 2\n", "x"),
        ("def f():\n    def g():\n        y = y + 1\n        return y\n    return g\n", "y"),
    ],
)
def test_reads_that_always_fail_are_found(text: str, name: str) -> None:
    assert [item[1] for item in names(text)] == [name]


@pytest.mark.parametrize(
    "text",
    [
        "def f(data, state):\n    for x in data:\n        state = step(state, x)\n    return state\n",
        "def f(data):\n    for i, x in enumerate(data):\n        if i == 0:\n            y = x\n        else:\n            y = y + x\n",
        "def f(a):\n    if a:\n        x = 1\n    return x\n",
        "def f(a):\n    while True:\n        try:\n            x = a()\n        except ValueError:\n            print(x)\n",
        "def f():\n    def g():\n        return x\n    x = 1\n    return g()\n",
        "def f():\n    def g():\n        nonlocal x\n        x = 1\n    g()\n    print(x)\n    x = 2\n",
        "def f():\n    global x\n    y = x\n    x = 1\n",
        "def f(a):\n    return [x for x in a if (y := x)] and y\n",
        "def f(a):\n    import os\n    with open(os.name) as b, b.c() as d:\n        return d\n",
        "def f(a):\n    match a:\n        case [x, *y] if x:\n            return y\n",
        "def f(a):\n    return a\n    x = x + 1\n",
        "def f(a):\n    for i in a:\n        if i > 2 and x:\n            break\n        x = i\n",
        "def f(a):\n    print = print_of(a)\n    list = list(a)\n",
    ],
)
def test_reads_that_may_find_something_are_left_alone(text: str) -> None:
    assert names(text) == []


def test_reads_are_problems_of_a_translation_only_where_the_original_has_none() -> None:
    (problem,) = check_text(f"{STEP}\nstep = f\n")
    assert (problem.kind, problem.line, problem.column, problem.name) == (ProblemKind.UNBOUND_LOCAL, 3, 22, "state")
    assert check_text(f"{STEP}\nstep = f\n", original=f"{STEP}\nstep = f\n") == []
