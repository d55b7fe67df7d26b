"""Binding of a call's arguments to torch's parameter names."""

from __future__ import annotations

import libcst as cst
import pytest

from torch2jax.ops.signatures import BindError, SignatureError, bind, parse_signature
from torch2jax.syntax.codegen import code


def bound(signature: str, call: str) -> dict[str, object]:
    node = cst.parse_expression(call)
    assert isinstance(node, cst.Call)
    receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
    given = bind(parse_signature(signature), node.args, receiver).given
    return {k: tuple(map(code, v)) if isinstance(v, tuple) else code(v) for k, v in given.items()}


@pytest.mark.parametrize(
    "call", ["f(x, 1, True)", "f(x, keepdim=True, dim=1)", "x.f(1, keepdim=True)", "f(input=x, axis=1, keepdims=True)"]
)
def test_all_forms_of_a_call_bind_alike(call: str) -> None:
    assert bound("input, dim=None, keepdim=False", call) == {"input": "x", "dim": "1", "keepdim": "True"}


def test_variadic_arguments_are_collected() -> None:
    assert bound("input, *size, dtype=None", "x.view(2, -1)") == {"input": "x", "size": ("2", "-1")}
    assert bound("input, *size", "x.view(2, *rest)") == {"input": "x", "size": ("2", "*rest")}
    assert bound("*size, dtype=None", "f((2, 3), dtype=d)") == {"size": ("(2, 3)",), "dtype": "d"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("f(x, 1, 2)", "too many"),
        ("f(x, other=1)", "no parameter `other`"),
        ("f(x, 1, dim=1)", "`dim` twice"),
        ("f(dim=1)", "lacks `input`"),
        ("f(x, **options)", "`**`"),
        ("f(*args)", "`*`"),
    ],
)
def test_what_does_not_fit_is_said(call: str, message: str) -> None:
    with pytest.raises(BindError, match=message.replace("*", r"\*")):
        bound("input, dim=None, *, out=None", call)


def test_a_signature_that_does_not_parse_is_an_error() -> None:
    with pytest.raises(SignatureError):
        parse_signature("input, *")
