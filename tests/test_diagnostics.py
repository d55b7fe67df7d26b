"""The table of diagnostics and what is made from it."""

import json
import re

import pytest

from torch2jax.diagnostics import (
    CODES,
    CODES_BY_ID,
    Code,
    Diagnostic,
    Severity,
    build_report,
    diagnose,
    explain,
    find_code,
    in_order,
)


def test_codes_and_names_are_unique_and_ordered() -> None:
    ids = [code.id for code in CODES]
    assert ids == sorted(set(ids))
    assert len({code.name for code in CODES}) == len(CODES)


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_entry_is_complete(code: Code) -> None:
    assert re.fullmatch(r"T2J\d{3}", code.id)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.name)
    assert not code.message.endswith(".")
    for text in (code.what, code.why, code.instead):
        assert text.endswith("."), text
        assert "{" not in text, "explanations show examples, not fields"
    filled = diagnose(code.id, "model.py", 1, 1, **dict.fromkeys(code.fields, "x"))
    assert "{" not in filled.message
    assert "\n" not in filled.message


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_explanation_is_found_by_code_and_by_name(code: Code) -> None:
    text = explain(code.id.lower())
    assert text == explain(code.name)
    for part in (code.id, code.name, code.severity, code.message, code.what, code.why, code.instead):
        assert part in text


def test_unknown_code() -> None:
    assert find_code("T2J999") is None
    with pytest.raises(KeyError):
        explain("T2J999")


def test_message_is_filled_from_fields() -> None:
    remark = diagnose("T2J201", "a.py", 3, 5, name="torch.sum", argument="out")
    assert remark == Diagnostic("T2J201", "a.py", 3, 5, "`torch.sum` is translated, but not with `out`")
    assert remark.severity is Severity.ERROR
    assert str(remark) == "a.py:3:5: error T2J201 `torch.sum` is translated, but not with `out`"


@pytest.mark.parametrize("fields", [{}, {"name": "torch.sum"}, {"name": "a", "argument": "b", "more": "c"}])
def test_fields_must_fit_the_message(fields: dict[str, str]) -> None:
    with pytest.raises(AssertionError, match="T2J201 has the fields"):
        diagnose("T2J201", "a.py", 3, 5, **fields)


@pytest.mark.parametrize(("line", "column"), [(0, 1), (1, 0)])
def test_lines_and_columns_count_from_one(line: int, column: int) -> None:
    with pytest.raises(AssertionError, match="count from 1"):
        Diagnostic("T2J200", "a.py", line, column, "x")


def test_code_must_be_in_the_table() -> None:
    with pytest.raises(AssertionError, match="T2J999"):
        Diagnostic("T2J999", "a.py", 1, 1, "x")


def test_order_is_by_place_and_repetitions_go() -> None:
    remarks = [
        diagnose("T2J200", "b.py", 1, 1, name="a"),
        diagnose("T2J200", "a.py", 10, 1, name="a"),
        diagnose("T2J200", "a.py", 9, 2, name="a"),
        diagnose("T2J101", "a.py", 9, 2, name="a"),
        diagnose("T2J200", "a.py", 9, 2, name="a"),
    ]
    ordered = in_order(remarks)
    assert ordered == in_order(reversed(remarks))
    assert [(d.path, d.line, d.code) for d in ordered] == [
        ("a.py", 9, "T2J101"),
        ("a.py", 9, "T2J200"),
        ("a.py", 10, "T2J200"),
        ("b.py", 1, "T2J200"),
    ]


def test_report_has_the_documented_shape() -> None:
    remarks = [
        diagnose("T2J200", "a.py", 2, 5, name="torch.svd"),
        diagnose("T2J101", "a.py", 1, 1, name="x"),
    ]
    report = build_report("1.2.3", [{"path": "a.py", "output": "a_jax.py"}], remarks)
    assert json.loads(json.dumps(report)) == {
        "version": "1.2.3",
        "files": [{"path": "a.py", "output": "a_jax.py"}],
        "diagnostics": [
            {
                "code": "T2J101",
                "severity": "info",
                "path": "a.py",
                "line": 1,
                "column": 1,
                "message": "`x` is taken to be a tensor",
            },
            {
                "code": "T2J200",
                "severity": "error",
                "path": "a.py",
                "line": 2,
                "column": 5,
                "message": "`torch.svd` has no translation yet",
            },
        ],
        "summary": {"files": 1, "errors": 1, "warnings": 0, "infos": 1},
    }


def test_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CODES_BY_ID["T2J999"] = CODES[0]  # type: ignore[index]
