"""Everything that the mapping tables name in JAX and its libraries exists in the releases that the tests run with.

The texts of all rows are read, those of layers, optimizers and initialisers included, also alternatives that no check reaches.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import pytest

from tests.ops.calls import jax_names
from torch2jax.emit.support import support_names
from torch2jax.ops.tables import collect_rows, mappings_folder

ALIASES = {
    "jnp": "jax.numpy",
    "jax": "jax",
    "np": "numpy",
    "eqx": "equinox",
    "nnx": "flax.nnx",
    "optax": "optax",
    "einops": "einops",
    "itertools": "itertools",
    "math": "math",
}
OTHERS = {"partial", "Callable", "Any"}
FIELDS = ("jax", "jax_method", "erase", "constant", "reference", "equinox", "nnx", "linen")
_HOLE = re.compile(r"\{\*?([A-Za-z_]\w*)!?(?:\|\w+)?\}")
ROWS = [(row, origin) for _, row, origin in collect_rows(mappings_folder())]


def texts_of(row: Mapping[str, Any]) -> Iterator[str]:
    """Every text of a row that may become part of a program."""
    for field in FIELDS:
        value = row.get(field)
        if isinstance(value, Mapping):
            yield from alternatives(value.get("make"))
            if "type" in value:
                yield str(value["type"])
        else:
            yield from alternatives(value)


def alternatives(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (str(item["emit"]) for item in value if "emit" in item)
    elif value is not None:
        yield str(value)


def names_in(text: str) -> list[str]:
    """The dotted names of a text, as long as they go, without those that the text binds itself and arguments."""
    tree = ast.parse(_HOLE.sub("hole_", text).strip(), mode="eval")
    bound = {"hole_"}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
    found: list[str] = []

    def visit(node: ast.AST) -> None:
        name = dotted(node)
        if name is not None:
            if name.split(".")[0] not in bound:
                found.append(name)
            return
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return found


def dotted(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            base = dotted(value)
            return None if base is None else f"{base}.{attribute}"
    return None


def resolve(name: str) -> object:
    """What a name of a text stands for. AttributeError or NameError if nothing."""
    root, *parts = name.split(".")
    if root in ALIASES:
        value: object = importlib.import_module(ALIASES[root])
    elif root in support_names("equinox") | support_names("nnx") | support_names("linen"):
        value = jax_names()[root]
    elif root in OTHERS or hasattr(builtins, root):
        return root
    else:
        raise NameError(f"`{root}` is neither an alias nor a function of the runtime")
    for part in parts:
        if not hasattr(value, part) and isinstance(value, ModuleType):
            importlib.import_module(f"{value.__name__}.{part}")
        value = getattr(value, part)
    return value


def missing_names(row: Mapping[str, Any]) -> list[str]:
    found = []
    for text in texts_of(row):
        for name in names_in(text):
            try:
                resolve(name)
            except (AttributeError, NameError, ImportError) as error:
                found.append(f"{name} in `{text}`: {error}")
    return found


def test_every_name_of_every_row_exists() -> None:
    missing = [f"{origin}: {problem}" for row, origin in ROWS for problem in missing_names(row)]
    assert not missing, "\n".join(missing)


def test_texts_of_all_kinds_are_read() -> None:
    names = {name.split(".")[0] for row, _ in ROWS for text in texts_of(row) for name in names_in(text)}
    assert {"jnp", "jax", "eqx", "nnx", "optax", "batch_norm", "partial"} <= names


@pytest.mark.parametrize(
    "row",
    [
        {"jax": "jnp.no_such({input})"},
        {"jax": [{"when": "simple(input)", "emit": "{input}"}, {"emit": "no_such_helper({input})"}]},
        {"jax_method": "{input}.sum(axis=jax.no.such)"},
        {"reference": "partial(jax.nn.geluu, approximate=False)"},
        {"equinox": {"make": "eqx.nn.NoSuch({dim})"}},
        {"equinox": {"make": "eqx.nn.Linear({dim})", "type": "eqx.nn.NoSuch"}},
        {"nnx": {"make": [{"emit": "nnx.NoSuch()"}]}},
        {"constant": "jnp.float31"},
    ],
)
def test_a_name_that_does_not_exist_is_found(row: dict[str, Any]) -> None:
    assert len(missing_names(row)) == 1


def test_arguments_and_names_of_the_text_itself_are_no_targets() -> None:
    assert names_in("[f({x}) for f in jnp.a] + {input}.foo") == ["jnp.a"]
    assert names_in("(lambda y: y.foo + jnp.b)({x})") == ["jnp.b"]
