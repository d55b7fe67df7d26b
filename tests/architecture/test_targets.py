"""No pass asks which library it writes for: what differs between targets is data of `torch2jax.targets`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from torch2jax.targets import TARGETS

PACKAGE = Path(__file__).parents[2] / "torch2jax"
PASSES = sorted(
    path
    for place in (
        "*.py",
        "program/*.py",
        "facts/*.py",
        "normalize/*.py",
        "lower_control/*.py",
        "plan/*.py",
        "rewrite/*.py",
    )
    for path in PACKAGE.glob(place)
    if path.name not in ("options.py", "coverage.py", "weights.py")  # what users choose from and install
)
LIBRARIES = re.compile(r"(?<![a-z])(equinox|eqx|flax|nnx|linen)(?![a-z])", re.IGNORECASE)


def mentions(text: str) -> Iterator[tuple[int, str]]:
    """Line and word of every library that names, attributes or strings of a module mention; docstrings may explain."""
    tree = ast.parse(text)
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word) | ast.alias(name=word):
                pass
            case ast.Constant(value=str(word)) if id(node) not in docstrings:
                pass
            case ast.FunctionDef(name=word) | ast.ClassDef(name=word):
                pass
            case _:
                continue
        if LIBRARIES.search(word.replace("_", " ")):
            yield node.lineno, word


@pytest.mark.parametrize("path", PASSES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_pass_names_a_target(path: Path) -> None:
    found = [f"{path.name}:{line}: {word}" for line, word in mentions(path.read_text(encoding="utf-8"))]
    assert not found


@pytest.mark.parametrize(
    "text",
    ["x = 'eqx.tree_at(m)'", "if target.name == 'nnx': pass", "eqx.Module", "is_nnx = 1", "f'{m} = eqx.combine(p)'"],
)
def test_mentions_are_found(text: str) -> None:
    assert list(mentions(text))


@pytest.mark.parametrize("text", ["'''As in Equinox.'''", "x = 'jax.vmap'  # eqx", "def f():\n    '''nnx'''"])
def test_explanations_are_not_mentions(text: str) -> None:
    assert not list(mentions(text))


def test_targets_answer_for_themselves() -> None:
    assert all(name == target.name for name, target in TARGETS.items())


def test_keys_stay_in_the_templates_of_rows() -> None:
    template = "{mean} + jax.random.normal({key}, {shape}, dtype={dtype})"
    assert TARGETS["equinox"].with_draws(template) == template


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("2 * jax.random.normal({key}, {size|axes})", "2 * {key}.normal({size|axes})"),
        ("multinomial({key}, {input})", "multinomial({key}(), {input})"),
        ("jax.random.split({key}, 2)", "jax.random.split({key}(), 2)"),
    ],
)
def test_streams_of_numbers_draw_by_themselves(template: str, expected: str) -> None:
    assert TARGETS["nnx"].with_draws(template) == expected
