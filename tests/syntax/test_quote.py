"""Templates: what fills a hole stays one expression where it stands."""

import libcst as cst

from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import quote, quote_statement


def test_values_of_several_lines_stay_together() -> None:
    value = cst.ensure_type(cst.parse_expression("f(a *\n  b)"), cst.Call).args[0].value
    assert code(quote_statement("x = x + {v}", v=value)).strip() == "x = (x + a *\n  b)"
    assert code(quote_statement("x = g({v})", v=value)).strip() == "x = g(a *\n  b)"


def test_what_is_negated_as_a_whole_is_in_parentheses() -> None:
    for text in ("a and b", "a or b", "a if b else c"):
        assert code(quote("not {test}", test=cst.parse_expression(text))) == f"not ({text})"
    assert code(quote("not {test}", test=cst.parse_expression("a > b"))) == "not a > b"
