"""Tree-shaking of support code."""

import ast
from pathlib import Path

import libcst as cst
import pytest

from torch2jax.emit.check import check_text
from torch2jax.emit.imports import render_imports
from torch2jax.emit.support import (
    HEADING,
    RUNTIME,
    SupportCode,
    SupportPart,
    collect_support,
    import_support,
    place_support,
    statements,
)
from torch2jax.syntax.imported import Import
from torch2jax.targets import TARGETS

KEYS = '''"""Keys."""

import jax

LIMIT = 3
# How many.
COUNT: int = 2  # of them


def split(key):
    return jax.random.split(key, LIMIT)


# Directly above.
@jax.jit
def unused(x):
    return split(x)
'''

LAYERS = '''"""Layers."""

import math
from functools import partial

import jax
import jax.numpy as jnp

from torch2jax.runtime.keys import COUNT, split


class Point:
    size = COUNT


class Other:
    """Nobody needs it."""


jax.tree_util.register_dataclass(Point)


@partial(jax.jit, static_argnums=0)
def make(n):
    def inner(key):
        return split(key), Point, math.pi * n  # a comment

    return inner
'''


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    (tmp_path / "keys.py").write_text(KEYS)
    (tmp_path / "layers.py").write_text(LAYERS)
    return tmp_path


def test_only_what_is_needed_is_copied(runtime: Path) -> None:
    support = collect_support(["split"], runtime)
    assert support.text == "LIMIT = 3\n\n\ndef split(key):\n    return jax.random.split(key, LIMIT)\n"
    assert support.imports == (Import("jax"),)
    assert support.names == ("LIMIT", "split")


def test_closure_goes_through_modules_in_a_stable_order(runtime: Path) -> None:
    support = collect_support(["make"], runtime)
    assert support.names == ("LIMIT", "COUNT", "split", "Point", "make")
    assert "Other" not in support.text
    assert "unused" not in support.text
    assert "Directly above" not in support.text
    assert support.text.startswith("LIMIT = 3\n# How many.\nCOUNT: int = 2  # of them\n\n\ndef split(key):")
    assert render_imports(support.imports) == "import math\nfrom functools import partial\n\nimport jax\n"


def test_order_of_the_names_does_not_matter(runtime: Path) -> None:
    assert collect_support(["make", "split", "unused"], runtime) == collect_support(
        ["unused", "make", "split", "make"], runtime
    )


def test_decorators_comments_and_registrations_come_along(runtime: Path) -> None:
    assert "# Directly above.\n@jax.jit\ndef unused" in collect_support(["unused"], runtime).text
    assert "jax.tree_util.register_dataclass(Point)\n" in collect_support(["Point"], runtime).text


def test_text_is_copied_verbatim(runtime: Path) -> None:
    for block in collect_support(["make", "unused"], runtime).text.split("\n\n\n"):
        assert block.strip() in KEYS + LAYERS


def test_unknown_name(runtime: Path) -> None:
    with pytest.raises(KeyError, match="nothing"):
        collect_support(["nothing"], runtime)
    with pytest.raises(KeyError, match="math"):
        collect_support(["layers.math"], runtime)


def test_same_name_in_two_modules(runtime: Path) -> None:
    (runtime / "more.py").write_text("def split(key):\n    return key\n")
    with pytest.raises(ValueError, match="keys and more"):
        collect_support(["split"], runtime)
    assert collect_support(["more.split"], runtime).names == ("split",)
    with pytest.raises(ValueError, match="both are needed"):
        collect_support(["more.split", "keys.split"], runtime)


def test_support_can_be_imported_instead(runtime: Path) -> None:
    assert import_support(["split", "make", "split"], runtime) == (
        Import("torch2jax.runtime.keys", "split"),
        Import("torch2jax.runtime.layers", "make"),
    )


HELPER = SupportCode((SupportPart("helpers", ("helper",), "def helper(x):\n    return x\n"),))


def placed_in(before: str) -> str:
    module = cst.parse_module(before)
    return place_support(module, HELPER, module.code_for_node)


def check_placed(before: str, after: str) -> None:
    placed = placed_in(before)
    assert placed == after.replace("SUPPORT", f"{HEADING}\n\n\n{HELPER.text.rstrip()}")


def test_support_stands_at_the_end() -> None:
    check_placed("def f(x):\n    return helper(x)\n", "def f(x):\n    return helper(x)\n\n\nSUPPORT\n")
    check_placed(
        "def f(x):\n    return helper(x)  # end\n\n# last",
        "def f(x):\n    return helper(x)  # end\n\n# last\n\n\nSUPPORT\n",
    )


def test_support_stands_before_what_runs_the_program() -> None:
    check_placed(
        "import jax\n\nN = 3\n\n\ndef main():\n    helper(N)\n\n# go\nif __name__ == '__main__':\n    main()\n",
        "import jax\n\nN = 3\n\n\ndef main():\n    helper(N)\n\n\nSUPPORT\n\n\n# go\nif __name__ == '__main__':\n    main()\n",
    )


def test_support_stands_before_a_call_between_definitions() -> None:
    check_placed(
        "def f(x):\n    return helper(x)\n\n\ny = f(1)\n\n\ndef g():\n    pass\n",
        "def f(x):\n    return helper(x)\n\n\nSUPPORT\n\n\ny = f(1)\n\n\ndef g():\n    pass\n",
    )


def test_support_stands_before_a_loop_that_defines_and_calls_a_function() -> None:
    loop = "for i in range(3):\n    def f(x):\n        return helper(x)\n\n    print(f(i))\n\n\ndef g():\n    pass\n"
    check_placed(f"import jax\n\n\n{loop}", f"import jax\n\n\nSUPPORT\n\n\n{loop}")


@pytest.mark.parametrize(
    "definition",
    [
        "class A(helper):\n    pass\n",
        "@helper\ndef f():\n    pass\n",
        "class A:\n    x = helper(1)\n",
        "def f(x=helper): pass\n",
    ],
)
def test_support_stands_before_a_definition_that_needs_it_at_once(definition: str) -> None:
    check_placed(f"import jax\n\n\n{definition}", f"import jax\n\n\nSUPPORT\n\n\n{definition}")


BUFFER = SupportPart("fields", ("buffer",), "def buffer():\n    return field()\n")
FIELD = SupportPart("fields", ("field",), "def field():\n    return 1\n")


def test_what_a_class_needs_at_once_stands_above_it_and_the_rest_at_the_end() -> None:
    support = SupportCode((BUFFER, FIELD, *HELPER.parts))
    early, late = SupportCode((BUFFER, FIELD)).text.rstrip(), HELPER.text.rstrip()
    first, second = "def f(x):\n    return helper(x)", "# The model.\nclass A:\n    x = buffer()"
    module = cst.parse_module(f"import jax\n\n\n{first}\n\n\n{second}\n\n\nprint(f(1))\n")
    assert place_support(module, support, module.code_for_node) == (
        f"import jax\n\n\n{first}\n\n\n{HEADING}\n\n\n{early}\n\n\n{second}\n\n\n{HEADING}\n\n\n{late}\n\n\nprint(f(1))\n"
    )


def test_support_stands_before_a_class_that_calls_a_function_which_needs_it() -> None:
    check_placed(
        "def f(x):\n    return helper(x)\n\n\nclass A:\n    y = f(1)\n",
        "def f(x):\n    return helper(x)\n\n\nSUPPORT\n\n\nclass A:\n    y = f(1)\n",
    )


def test_a_script_of_plain_statements() -> None:
    check_placed("import jax\n\nprint(helper(1))\n", "import jax\n\n\nSUPPORT\n\n\nprint(helper(1))\n")


def test_line_ends_are_those_of_the_program() -> None:
    placed = placed_in("x = 1\r\n")
    assert placed.count("\n") == placed.count("\r\n")
    compile(placed, "placed", "exec")


def test_every_definition_of_the_runtime_can_be_copied_alone() -> None:
    for path in sorted(RUNTIME.glob("*.py")):
        names = [
            line.split("(")[0].split(":")[0].split()[1]
            for line in path.read_text(encoding="utf-8").splitlines()
            if line.startswith(("def ", "class "))
        ]
        for name in names:
            support = collect_support([f"{path.stem}.{name}"])
            assert check_text(render_imports(support.imports) + support.text) == [], f"{path.stem}.{name}"
            assert name in support.names


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@pytest.mark.parametrize("path", sorted(RUNTIME.glob("*.py")), ids=lambda path: path.stem)
def test_statements_of_the_runtime_are_those_that_python_finds(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = list(statements(text))
    parsed = [node for node in ast.parse(text).body if not _is_docstring(node)]
    assert [ast.dump(ast.parse(piece)) for _, piece in found] == [ast.dump(ast.Module([node], [])) for node in parsed]
    assert all(text.splitlines()[line - 1] == piece.splitlines()[0] for line, piece in found)


@pytest.mark.parametrize("target", TARGETS)
def test_no_import_of_the_runtime_has_the_name_of_a_definition(target: str) -> None:
    others = tuple(f"{other}_" for other in TARGETS if other != target)
    paths = [path for path in sorted(RUNTIME.glob("*.py")) if not path.stem.startswith(others)]
    lines = {path.stem: ast.parse(path.read_text(encoding="utf-8")).body for path in paths}
    kinds = (ast.FunctionDef, ast.ClassDef)
    defined = {node.name: stem for stem, body in lines.items() for node in body if isinstance(node, kinds)}
    imports = [(stem, node) for stem, body in lines.items() for node in body if isinstance(node, ast.ImportFrom)]
    foreign = [(stem, node) for stem, node in imports if not str(node.module).startswith("torch2jax")]
    bound = {(stem, item.asname or item.name) for stem, node in foreign for item in node.names}
    assert {(stem, name) for stem, name in bound if name in defined} == set()


def test_decorators_need_little_above_the_functions_that_they_are_given() -> None:
    text = "@cached_jit\ndef step(x):\n    return linear(x, x)\n\n\nif __name__ == '__main__':\n    step(1)\n"
    module = cst.parse_module(text)
    placed = place_support(module, collect_support(["nnx_compiled.cached_jit", "linear"]), module.code_for_node)
    above, _, below = placed.partition("@cached_jit")
    assert "def cached_jit" in above
    assert all(name not in above and name in below for name in ("class Compiled", "def take_apart", "def linear"))


def test_decorators_of_functions_that_run_at_once_need_all() -> None:
    text = "@cached_jit\ndef step(x):\n    return x\n\n\nclass Table:\n    first = step(1)\n"
    module = cst.parse_module(text)
    placed = place_support(module, collect_support(["nnx_compiled.cached_jit"]), module.code_for_node)
    assert placed.index("def take_apart") < placed.index("class Table")
