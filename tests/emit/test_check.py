"""The check of converted text."""

import pytest

from torch2jax.emit.check import ProblemKind, check_text, free_names, hidden_names


def check_clean(text: str) -> None:
    assert check_text(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "import jax\n\n\ndef f(x):\n    return jax.nn.relu(x)\n",
        "def f():\n    return later\n\n\nlater = 1\n",
        "def f():\n    global made\n    made = 1\n\n\nprint(made)\n",
        "class A:\n    y = 1\n    z = [i for i in range(y)]\n    def f(self):\n        return __class__, super().f()\n",
        "from os.path import *\nprint(join)\n",
        "print([i for i in range(3)], {k: v for k, v in {}.items()}, (n := 3), n, __file__)\n",
        "try:\n    import a\nexcept ImportError as error:\n    print(error)\n",
        "match 1:\n    case [x, *rest]:\n        print(x, rest)\n    case {'k': v, **more}:\n        print(v, more)\n",
        "def f(x: int = 1, *a, k=2, **kw) -> int:\n    def g():\n        nonlocal x\n        x = a, k, kw\n    return g\n",
        "x: int\nprint(x)\n",
    ],
)
def test_bound_names_are_not_reported(text: str) -> None:
    check_clean(text)


@pytest.mark.parametrize(
    "text, line, column, name",
    [
        ("x = missing\n", 1, 5, "missing"),
        ("def f(a):\n    return a + missing\n", 2, 16, "missing"),
        ("class A(Base):\n    pass\n", 1, 9, "Base"),
        ("def f(x: Tensor): pass\n", 1, 10, "Tensor"),
        ("@decorate\ndef f(): pass\n", 1, 2, "decorate"),
        ("def f():\n    local = 1\n\n\nprint(local)\n", 5, 7, "local"),
        ("class A:\n    inner = 1\n    def f(self):\n        return inner\n", 4, 16, "inner"),
    ],
)
def test_undefined_name_is_reported_at_its_first_use(text: str, line: int, column: int, name: str) -> None:
    (problem,) = check_text(text)
    assert (problem.kind, problem.line, problem.column, problem.name) == (
        ProblemKind.UNDEFINED_NAME,
        line,
        column,
        name,
    )


def test_names_that_were_undefined_before_can_be_ignored() -> None:
    text = "print(ipython, missing)\n"
    assert [problem.name for problem in check_text(text, original="ipython\n")] == ["missing"]


@pytest.mark.parametrize("statement", ["import torch", "import torch.nn as nn", "from torch.optim import SGD"])
def test_import_of_torch_is_reported_wherever_it_stands(statement: str) -> None:
    (problem,) = check_text(f"def f():\n    {statement}\n")
    assert (problem.kind, problem.line, problem.column) == (ProblemKind.TORCH_IMPORT, 2, 5)


def test_names_that_only_begin_like_torch_are_fine() -> None:
    check_clean("import torchlike\nfrom .torch import x\nfrom . import torch\n")


def test_text_that_does_not_parse_is_one_problem() -> None:
    (problem,) = check_text("def f(:\n")
    assert (problem.kind, problem.line) == (ProblemKind.SYNTAX, 1)
    assert [p.kind for p in check_text("x = '\0'\n")] == [ProblemKind.SYNTAX]


def test_free_names_are_what_a_definition_needs() -> None:
    text = "@wrap\ndef f(x: Array, y=DEFAULT):\n    def g(z):\n        return x + z + helper(y)\n    return map(g, x)\n"
    assert free_names(text) == {"wrap", "Array", "DEFAULT", "helper", "map"}


def test_names_that_hide_imports() -> None:
    names = frozenset({"np", "jnp", "optax"})
    original = "def f(x, jnp):\n    return x + jnp\n\ndef count(np):\n    return np.x\n\noptax = 3\n"
    text = "import jax.numpy as jnp\n\ndef f(x, jnp):\n    return jnp.sin(x) + jnp\n\ndef count(np):\n    return np.x\n\noptax = 3\n"
    assert hidden_names(text, original, names) == {"jnp"}
    assert hidden_names(text + "optax.sgd\n", original, names) == {"jnp", "optax"}
    optional = "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n"
    assert not hidden_names(optional + "np.ones(2)\n", optional, names)
