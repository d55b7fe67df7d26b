"""Mapping tables that are not well-formed are refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from torch2jax.ops.schema import TableError, function_spec
from torch2jax.ops.tables import build_tables, collect_rows, mappings_folder

GOOD = '- torch: torch.f\n  signature: "input, dim=None"\n  jax: "jnp.sum({input}, axis={dim})"\n'


def read(tmp_path: Path, text: str) -> object:
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "family.yaml").write_text(text, encoding="utf-8")
    return build_tables(collect_rows(tmp_path))


def test_a_row_becomes_a_spec(tmp_path: Path) -> None:
    spec = read(tmp_path, GOOD).functions["torch.f"]  # type: ignore[attr-defined]
    assert spec.alternatives[0].emit == "jnp.sum({input}, axis={dim})"
    assert spec.origin == "ops/family.yaml:1"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('- torch: torch.g\n  signature: "input"\n  jaxx: "{input}"', "unknown key ['jaxx']"),
        ('- torch: torch.g\n  signature: "input"', "needs `jax`, `constant`, `same`, `lowering` or `unsupported`"),
        ('- signature: "input"\n  jax: "{input}"', "needs `torch`, `method` or `attribute`"),
        ('- torch: torch.g\n  signature: "input,, x"\n  jax: "{input}"', "not a signature"),
        ('- torch: torch.g\n  signature: "input"\n  jax: "{x}"', "hole {x} is no parameter"),
        ('- torch: torch.g\n  signature: "input"\n  jax: "{input}"\n  effects: [magic]', "unknown effect ['magic']"),
        ('- torch: torch.g\n  signature: "input"\n  jax: "{input}"\n  result: "liked(input)"', "unknown result rule"),
        (
            '- torch: torch.g\n  signature: "input"\n  jax: "{input}"\n  result: {rnk: "1"}',
            "unknown key ['rnk'] in `result`",
        ),
        (
            '- torch: torch.g\n  signature: "input"\n  jax: "{input}"\n  result: {rank: "twice(input)"}',
            "unknown function in rule",
        ),
        (
            '- torch: torch.g\n  signature: "input"\n  jax: "{input}"\n  result: {cases: [{then: "int"}]}',
            "a case has `is`",
        ),
        (
            '- torch: torch.g\n  signature: "input"\n  jax: [{when: "rank(input) == 1", emit: "{input}"}]',
            "the last alternative",
        ),
        (
            '- torch: torch.g\n  signature: "input"\n  jax: [{when: "rank(input", emit: "{input}"}, {emit: "0"}]',
            "not a rule",
        ),
        ('- torch: torch.g\n  signature: "input"\n  jax: [{emit: "{input}", flag: "no"}]', "either `emit` or `flag`"),
        ('- torch: torch.f\n  signature: "input"\n  jax: "{input}"', "`torch.f` stands in ops/family.yaml:1 already"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(TableError) as caught:
        read(tmp_path, GOOD + row + "\n")
    assert str(caught.value).startswith("ops/family.yaml:4: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["torch: torch.f\n", "- just text\n", "- {torch: [\n"])
def test_a_file_that_is_no_table_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(TableError, match=r"family\.yaml"):
        read(tmp_path, text)


def test_rows_are_sorted_by_name() -> None:
    for path in sorted((mappings_folder() / "ops").glob("*.yaml")):
        names = [
            function_spec(row, origin).name
            for family, row, origin in collect_rows(mappings_folder())
            if family == "ops" and origin.startswith(f"ops/{path.name}:")
        ]
        assert names == sorted(names, key=lambda name: (name.lower(), name)), path.name
