"""Imports as values, and their way into and out of modules."""

import libcst as cst
import pytest

from torch2jax.emit.imports import (
    Import,
    Section,
    filter_import,
    read_imports,
    render_imports,
    section_of,
    update_imports,
)

JAX = Import("jax")
JNP = Import("jax.numpy", None, "jnp")
EQX = Import("equinox", None, "eqx")
MATH = Import("math")
PARTIAL = Import("functools", "partial")


def is_torch(item: Import) -> bool:
    return item.module.partition(".")[0] == "torch"


def check_update(before: str, needed: list[Import], after: str) -> None:
    """Torch goes, `needed` comes; the result is stable."""
    updated = update_imports(cst.parse_module(before), needed, is_torch)
    assert updated.code == after
    assert update_imports(cst.parse_module(after), needed, is_torch).code == after


def test_sections_are_isorts() -> None:
    assert section_of("__future__") is Section.FUTURE
    assert section_of("os.path") is Section.STDLIB
    assert section_of("jax.numpy") is Section.THIRD_PARTY
    assert section_of(".support") is Section.RELATIVE


def test_block_is_sorted_and_merged() -> None:
    imports = [JNP, Import("dataclasses", "field"), EQX, JAX, PARTIAL, MATH, Import("dataclasses", "dataclass"), JAX]
    assert render_imports(imports) == (
        "import math\nfrom dataclasses import dataclass, field\nfrom functools import partial\n\n"
        "import equinox as eqx\nimport jax\nimport jax.numpy as jnp\n"
    )


def test_order_does_not_depend_on_the_order_given() -> None:
    imports = [JNP, EQX, JAX, PARTIAL, MATH, Import(".a", "b"), Import("__future__", "annotations")]
    assert render_imports(imports) == render_imports(reversed(imports))


def test_constants_come_before_classes_before_functions() -> None:
    imports = [Import("m", name) for name in ("walk", "Node", "LIMIT", "apply")]
    assert render_imports(imports) == "from m import LIMIT, Node, apply, walk\n"


def test_long_statement_is_broken() -> None:
    names = [f"quite_a_long_name_{i}" for i in range(8)]
    text = render_imports(Import("m", name) for name in names)
    assert text.splitlines()[:2] == ["from m import (", "    quite_a_long_name_0,"]
    assert text.endswith("    quite_a_long_name_7,\n)\n")


@pytest.mark.parametrize(
    "text, imports",
    [
        ("import a.b.c", [Import("a.b.c")]),
        ("import a as b, c", [Import("a", None, "b"), Import("c")]),
        ("from ..a.b import c as d, e", [Import("..a.b", "c", "d"), Import("..a.b", "e")]),
        ("from . import x", [Import(".", "x")]),
        ("from a import *", [Import("a", "*")]),
    ],
)
def test_statements_are_read(text: str, imports: list[Import]) -> None:
    line = cst.parse_statement(text)
    assert isinstance(line, cst.SimpleStatementLine)
    assert isinstance(line.body[0], (cst.Import, cst.ImportFrom))
    assert list(read_imports(line.body[0])) == imports


def test_bound_name() -> None:
    assert [item.bound for item in (JAX, JNP, PARTIAL, Import("a.b"))] == ["jax", "jnp", "partial", "a"]


def test_torch_is_replaced_in_place() -> None:
    check_update(
        '"""Doc."""\n\nimport torch\nimport torch.nn as nn\nfrom torch.utils.data import DataLoader\n\n\nclass A: pass\n',
        [EQX, JAX, JNP, PARTIAL, MATH],
        '"""Doc."""\n\nimport math\nfrom functools import partial\n\nimport equinox as eqx\nimport jax\nimport jax.numpy as jnp\n'
        "\n\nclass A: pass\n",
    )


def test_imports_of_the_user_stay_as_they_are() -> None:
    check_update(
        "import  sys  # needed\nimport os\n\nimport torch\nimport numpy as np\n",
        [JAX],
        "import  sys  # needed\nimport os\n\nimport jax\nimport numpy as np\n",
    )


def test_nothing_to_do_changes_nothing() -> None:
    text = "import jax\nimport os  # unsorted\n\n\nx = 1\n"
    module = cst.parse_module(text)
    assert update_imports(module, [JAX]).code == text


def test_heading_of_a_group_stays_on_top() -> None:
    check_update(
        "import os\n\n# frameworks\nimport torch\nimport tqdm\n",
        [JAX],
        "import os\n\n# frameworks\nimport jax\nimport tqdm\n",
    )


def test_future_and_docstring_stay_first() -> None:
    check_update(
        '"""Doc."""\n\nfrom __future__ import annotations\n\nimport torch\n\nx = 1\n',
        [JAX, MATH],
        '"""Doc."""\n\nfrom __future__ import annotations\n\nimport math\n\nimport jax\n\nx = 1\n',
    )


def test_future_alone_is_followed_by_a_new_block() -> None:
    check_update(
        "from __future__ import annotations\n\n\ndef f(): pass\n",
        [JAX],
        "from __future__ import annotations\n\nimport jax\n\n\ndef f(): pass\n",
    )


def test_file_without_imports() -> None:
    check_update("#!/usr/bin/env python\n\nx = 1\n", [JAX], "#!/usr/bin/env python\n\nimport jax\n\nx = 1\n")
    check_update("def f(): pass\n", [JAX], "import jax\n\n\ndef f(): pass\n")
    check_update('"""Doc."""\nx = 1\n', [JAX], '"""Doc."""\n\nimport jax\n\nx = 1\n')


def test_only_torch_leaves_no_blank_lines_on_top() -> None:
    check_update("import torch\n\n\nx = 1\n", [], "x = 1\n")


def test_empty_file() -> None:
    check_update("", [JAX], "import jax\n")


def test_name_joins_the_import_of_its_module() -> None:
    check_update(
        "from functools import reduce\n\nx = 1\n", [PARTIAL], "from functools import partial, reduce\n\nx = 1\n"
    )
    check_update("from functools import cache\n\nx = 1\n", [PARTIAL], "from functools import cache, partial\n\nx = 1\n")


def test_joining_keeps_comments_and_layout() -> None:
    check_update(
        "from functools import (\n    lru_cache,  # one\n    reduce,  # two\n)\n",
        [PARTIAL, Import("functools", "wraps")],
        "from functools import (\n    lru_cache,  # one\n    partial,\n    reduce,  # two\n    wraps,\n)\n",
    )
    check_update(
        "from functools import (\n    lru_cache,  # one\n)\n",
        [PARTIAL],
        "from functools import (\n    lru_cache,  # one\n    partial,\n)\n",
    )


def test_joining_breaks_a_line_that_would_be_too_long() -> None:
    names = ", ".join(f"quite_a_long_name_{i}" for i in range(5))
    updated = update_imports(cst.parse_module(f"from m import {names}\n"), [Import("m", "one_more_name")])
    assert updated.code.startswith("from m import (\n    one_more_name,\n    quite_a_long_name_0,\n")
    assert max(map(len, updated.code.splitlines())) <= 120


def test_several_imports_on_one_line() -> None:
    check_update("import os, torch; import torch.nn\n", [], "import os\n")


def test_filter_keeps_the_rest_of_a_statement() -> None:
    line = cst.parse_statement("from torch import (\n    nn,  # layers\n    Tensor,\n)\n")
    assert isinstance(line, cst.SimpleStatementLine)
    statement = line.body[0]
    assert isinstance(statement, cst.ImportFrom)
    assert filter_import(statement, lambda item: False) is statement
    assert filter_import(statement, is_torch) is None
    kept = filter_import(statement, lambda item: item.name == "Tensor")
    assert kept is not None
    assert cst.Module([line.with_changes(body=[kept])]).code == "from torch import (\n    nn,\n)\n"


def test_output_is_as_ruff_sorts_it() -> None:
    """The block that the golden translations show."""
    check_update(
        "import math\nfrom dataclasses import dataclass\n\nimport torch\nimport torch.nn as nn\n"
        "from torch.nn import functional as F\n\n\nclass A: pass\n",
        [EQX, JAX, JNP, Import("numpy", None, "np"), Import("optax"), PARTIAL],
        "import math\nfrom dataclasses import dataclass\nfrom functools import partial\n\nimport equinox as eqx\n"
        "import jax\nimport jax.numpy as jnp\nimport numpy as np\nimport optax\n\n\nclass A: pass\n",
    )
