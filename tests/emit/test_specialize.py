"""Support functions for what a program asks of them."""

import pytest

from torch2jax.emit.specialize import specialize
from torch2jax.emit.support import SupportCode, SupportPart, collect_support
from torch2jax.syntax.imported import Import

LOSS = '''def loss(x, weight=None, reduction="mean", eps=1e-5):
    """A loss."""
    x = x + eps
    if weight is not None:
        x = x * weight
    return reduce(x, reduction)
'''
REDUCE = '''def reduce(x, reduction):
    """Mean or sum."""
    if reduction == "none":
        return x
    return x.sum() if reduction == "sum" else x.mean()
'''
SHORT = '''def loss(x):
    """A loss."""
    x = x + 1e-5
    return x.mean()
'''


def specialized(program: str, *texts: str, names: tuple[str, ...] = ("loss",)) -> str:
    parts = (SupportPart("losses", (text.split("(")[0].removeprefix("def "),), text) for text in texts)
    return specialize(SupportCode(tuple(parts)), names, program).text


def test_parameters_that_no_call_gives_are_left_out() -> None:
    assert specialized("y = loss(x)\n", REDUCE, LOSS) == SHORT


@pytest.mark.parametrize(
    ("program", "signature"),
    [
        ("loss(x, w)", "def loss(x, weight=None):"),
        ("loss(x, reduction='sum')", 'def loss(x, reduction="mean"):'),
        ("loss(x)\nloss(x, eps=e)", "def loss(x, eps=1e-5):"),
        ("loss(*xs)", 'def loss(x, weight=None, reduction="mean", eps=1e-5):'),
        ("loss(x, **options)", 'def loss(x, weight=None, reduction="mean", eps=1e-5):'),
    ],
)
def test_parameters_that_a_call_gives_stay(program: str, signature: str) -> None:
    assert signature in specialized(f"{program}\n", REDUCE, LOSS)


@pytest.mark.parametrize(
    ("use", "signature"),
    [
        ("criterion = loss\ncriterion(x)", "def loss(x):"),
        ("criterion = loss\ncriterion(x, w)", "def loss(x, weight=None):"),
        ("self.criterion = loss\nself.criterion(x, reduction='sum')", 'def loss(x, reduction="mean"):'),
        ("run(loss)\ndef run(f):\n    return f(x, eps=0.1)", "def loss(x, eps=1e-5):"),
        ("criterion = loss\noptimizer.update(grads, opt_state, params)", "def loss(x):"),
        ("criterion = loss\ncriterion(*xs)", 'def loss(x, weight=None, reduction="mean", eps=1e-5):'),
        ("f = functools.partial(loss, eps=0.1)", "def loss(x, eps=1e-5):"),
        ("table = {'a': loss}\ntable['a'](x, w)", "def loss(x, weight=None):"),
    ],
)
def test_functions_that_are_values_keep_what_calls_of_unknown_functions_give(use: str, signature: str) -> None:
    assert signature in specialized(f"{use}\n", REDUCE, LOSS)


def test_branches_that_are_not_taken_go() -> None:
    text = """def loss(x, mode="a"):
    if mode == "b":
        return 1
    elif mode == "c":
        y = 2
    elif x.ndim:  # a comment
        y = 3
    elif mode == "a":
        y = 4
    else:
        y = 5
    return y if mode in ("a", "b") and not mode == "c" else x
"""
    assert specialized("loss(x)\n", text) == (
        "def loss(x):\n    if x.ndim:  # a comment\n        y = 3\n    else:\n        y = 4\n    return y\n"
    )


def test_parameters_that_get_other_values_stay() -> None:
    text = "def loss(x, y=None):\n    if y is None:\n        y = x\n    return x * y\n"
    assert specialized("loss(x)\n", text) == text


def test_a_number_that_is_used_often_keeps_its_name() -> None:
    text = "def loss(x, a=-0.75):\n    return (a + 2) * x - (a + 3) * x + a\n"
    assert specialized("loss(x)\n", text) == text


def test_variables_that_nobody_reads_any_more_go() -> None:
    text = "def loss(x, w=None):\n    n = x.shape[0]\n    m = x if w is None else x * n\n    k = next(x)\n    z = jnp.exp(m)\n    return z\n"
    assert specialized("loss(x)\n", text) == (
        "def loss(x):\n    m = x\n    k = next(x)\n    z = jnp.exp(m)\n    return z\n"
    )


def test_the_function_that_a_function_gives_is_specialized_too() -> None:
    text = "def loss(f):\n    def apply(x, state=None, *, key=None):\n        return f(x) if state is None else f(x, state)\n\n    return apply\n"
    assert (
        specialized("loss(f)(x)\n", text)
        == "def loss(f):\n    def apply(x):\n        return f(x)\n\n    return apply\n"
    )
    assert "def apply(x, state=None):" in specialized("loss(f)(x, s)\n", text)
    assert "def apply(x, *, key=None):" in specialized("loss(f)(x, key=key)\n", text)
    assert "def apply(x):" in specialized("g = loss(f)\ng(x)\n", text)
    assert "def apply(x, state=None):" in specialized("g = loss(f)\ng(x, s)\n", text)


def test_imports_that_are_not_needed_any_more_go() -> None:
    part = SupportPart("losses", ("loss",), "def loss(x, n=None):\n    return x if n is None else math.sqrt(n)\n")
    support = SupportCode((part,), (Import("math", None),))
    assert specialize(support, ["loss"], "loss(x)\n").imports == ()
    assert specialize(support, ["loss"], "loss(x, 2)\n").imports == support.imports


def test_what_programs_use_by_name_keeps_its_parameters() -> None:
    support = collect_support(["checkpoints.load_state_dict", "DataLoader"])
    assert specialize(support, ["load_state_dict", "DataLoader"], "model = load_state_dict(model, arrays)\n") == support
