"""The rules of mapping rows: conditions and result rules over known and unknown facts."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst
import pytest

from torch2jax.ops.rules import UNKNOWN_FACT, Facts, RuleError, evaluate, holds, parse_rule, result_value
from torch2jax.ops.signatures import bind, parse_signature
from torch2jax.values import UNKNOWN, Kind, Value, constant

X = Value(Kind.TENSOR, 3, "float32")
I = Value(Kind.TENSOR, 1, "int64")  # noqa: E741


def facts(signature: str, call: str, names: Mapping[str, Value]) -> Facts:
    node = cst.parse_expression(call)
    assert isinstance(node, cst.Call)

    def value_of(item: cst.CSTNode) -> Value:
        if isinstance(item, cst.Name):
            return names.get(item.value, constant({"True": True, "False": False}.get(item.value)))
        if isinstance(item, (cst.Tuple, cst.List)):
            return Value(Kind.TUPLE, items=tuple(value_of(element.value) for element in item.elements))
        return constant(cst.ensure_type(item, cst.Integer).evaluated_value)

    return Facts(parse_signature(signature), bind(parse_signature(signature), node.args), value_of)


REDUCTION = "input, dim=None, keepdim=False"


@pytest.mark.parametrize(
    ("call", "rank"),
    [
        ("f(x)", 0),
        ("f(x, 1)", 2),
        ("f(x, (0, 1))", 1),
        ("f(x, 1, True)", 3),
        ("f(x, d)", UNKNOWN_FACT),
        ("f(u, 1)", UNKNOWN_FACT),
    ],
)
def test_rank_of_a_reduction(call: str, rank: object) -> None:
    assert evaluate("reduce(input, dim, keepdim)", facts(REDUCTION, call, {"x": X, "d": UNKNOWN, "u": UNKNOWN})) == rank


@pytest.mark.parametrize(
    ("rule", "holding"),
    [
        ("rank(input) == 3", True),
        ("rank(other) == 3", False),
        ("not rank(other) == 3", False),
        ("rank(input) == 3 or rank(other) == 1", True),
        ("rank(input) == 2 and rank(other) == 1", False),
        ("is_float(input)", True),
        ("is_float(other)", False),
        ("is_tensor(other)", False),
        ("given(other) and absent(dim)", True),
        ("const(dim) == 0", True),
        ("const(dim) == False", False),
        ("rank(input) + 1 > 3", True),
        ("dtype(input) in ('float32', 'float16')", True),
    ],
)
def test_a_condition_holds_only_if_it_is_known(rule: str, holding: bool) -> None:
    assert holds(rule, facts("input, other, dim=0", "f(x, u)", {"x": X, "u": UNKNOWN})) is holding


def test_promotion_follows_torch() -> None:
    signature = "input, other"
    for other, dtype in [(I, "float32"), (constant(2), "float32"), (constant(1.5), "float32")]:
        assert (
            result_value("elementwise(input, other)", facts(signature, "f(x, y)", {"x": X, "y": other})).dtype == dtype
        )
    assert (
        result_value("elementwise(input, other)", facts(signature, "f(x, y)", {"x": I, "y": constant(1.5)})).dtype
        == "float32"
    )
    assert result_value("elementwise(input, other)", facts(signature, "f(x, y)", {"x": X, "y": UNKNOWN})).dtype is None


def test_cases_stop_at_what_is_not_known() -> None:
    rule = {
        "cases": [
            {"when": "is_tensor(other)", "is": "like(input)"},
            {"when": "given(other)", "is": "int"},
            {"is": "bool"},
        ]
    }
    assert result_value(rule, facts("input, other=None", "f(x, x)", {"x": X})) == X
    assert result_value(rule, facts("input, other=None", "f(x, 1)", {"x": X})).kind is Kind.INT
    assert result_value(rule, facts("input, other=None", "f(x)", {"x": X})).kind is Kind.BOOL
    assert result_value(rule, facts("input, other=None", "f(x, u)", {"x": X, "u": UNKNOWN})) is UNKNOWN


def test_elements_of_sequences() -> None:
    known = facts("tensors, dim=0", "f((x, i))", {"x": X, "i": X})
    assert (evaluate("element_rank(tensors)", known), evaluate("element_dtype(tensors)", known)) == (3, "float32")
    data = facts("data", "f(((1, 2), (3, 4)))", {})
    assert (evaluate("data_rank(data)", data), evaluate("data_dtype(data)", data)) == (2, "int64")


@pytest.mark.parametrize("rule", ["rank(", "unknown(input)", "rank(input).real()"])
def test_a_rule_that_cannot_be_is_refused(rule: str) -> None:
    with pytest.raises(RuleError):
        parse_rule(rule)


@pytest.mark.parametrize(
    ("call", "rank"),
    [("f(2, 3)", 2), ("f((2, 3))", 2), ("f(2)", 1), ("f(u)", UNKNOWN_FACT), ("f(s)", 2), ("f(*s)", UNKNOWN_FACT)],
)
def test_one_unknown_size_may_be_all_of_them(call: str, rank: object) -> None:
    known = facts("*size", call, {"u": UNKNOWN, "s": Value(Kind.SIZE, 2)})
    assert evaluate("count(size)", known) == rank
