"""Support code is self-contained text: no module state, one name one place, imports of JAX and siblings only."""

import ast
import collections
from pathlib import Path

import pytest

import torch2jax.runtime
from torch2jax.options import TARGETS

FOLDER = Path(torch2jax.runtime.__file__).parent
MODULES = sorted(FOLDER.glob("*.py"))
ALLOWED = {
    "jax",
    "jaxtyping",
    "numpy",
    "optax",
    "equinox",
    "flax",
    "grain",
    "ml_dtypes",
    "PIL",
    "scipy",
    "matplotlib",
    "lmdb",
    "pycocotools",
}


def defined(tree):
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets)


def unexpected_imports(tree):
    import sys

    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["." * node.level + (node.module or "")]
        for name in names:
            root = name.partition(".")[0]
            if not name.startswith("torch2jax.runtime.") and root not in ALLOWED | sys.stdlib_module_names:
                yield name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imports(path):
    assert not list(unexpected_imports(ast.parse(path.read_text())))


def test_the_guard_fires():
    assert list(unexpected_imports(ast.parse("import torch\nfrom torch2jax.syntax import walk\nfrom . import x"))) == [
        "torch",
        "torch2jax.syntax",
        ".",
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_only_imports_definitions_and_constants(path):
    for node in ast.parse(path.read_text()).body[1:]:
        assert isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign)), ast.dump(node)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_everything_public_has_a_docstring(path):
    tree = ast.parse(path.read_text())
    for node in [tree, *tree.body]:
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)):
            assert ast.get_docstring(node), getattr(node, "name", path.stem)


@pytest.mark.parametrize("target", ["", *TARGETS])
def test_no_name_is_defined_twice(target):
    """What a target has of its own takes the place of what stands there for all."""
    own = [path for path in MODULES if target_of(path) == target]
    counts = collections.Counter(name for path in own for name in defined(ast.parse(path.read_text())))
    assert [name for name, count in counts.items() if count > 1] == []


def target_of(path):
    """The target whose own a module is, by its name; none for what all share."""
    return next((target for target in TARGETS if path.stem.startswith(f"{target}_")), "")
