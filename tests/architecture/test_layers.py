"""Imports go one way, and starting costs next to nothing.

    records < diagnostics, options, values < syntax < ops < program < facts < normalize < lower_control < targets < plan < rewrite < coverage < emit < own_tables < analysis < workspace < translate < pipeline < explain < api < cli

Nothing imports the runtime: it is read as text, and imports nothing of the converter. No target knows another one.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from torch2jax.normalize.insertion import MEANT

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "torch2jax"

LAYERS = (
    ("records",),
    ("diagnostics", "options", "values", "layer_bases", "libraries"),
    ("syntax",),
    ("ops",),
    ("program",),
    ("facts",),
    ("normalize",),
    ("lower_control",),
    ("targets",),
    ("plan",),
    ("rewrite",),
    ("coverage",),
    ("emit",),
    ("own_tables", "weights"),
    ("analysis",),
    ("workspace",),
    ("translate",),
    ("pipeline",),
    ("explain",),
    ("outputs", "config"),
    ("api",),
    ("verify",),
    ("cli",),
    ("__main__",),
)
RANKS = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FRAMEWORKS = ("torch", "jax", "numpy", "equinox", "flax", "optax", "grain")


def imports_of(text: str, module: str) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a module imports, wherever the statement stands, except for type checking."""
    tree = ast.parse(text)
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(module.split(".")[: -node.level]) if node.level else ""
            for alias in node.names:
                yield node.lineno, ".".join(filter(None, [base, node.module or "", alias.name]))


def violations(text: str, module: str) -> list[str]:
    """What the imports of a module `torch2jax.a.b` break, one line each."""
    own = module.split(".")[1] if "." in module else ""
    found = []
    for line, imported in imports_of(text, module):
        parts = imported.split(".")
        if own in ("layer_bases", "libraries"):  # read as text only
            if parts[0] != "torch" and imported not in MEANT.values() and parts[:2] != ["torch2jax", own]:
                found.append(f"{module}:{line}: a layer's source imports {imported}")
            continue
        if own == "runtime":
            if parts[0] == "torch2jax" and parts[1:2] != ["runtime"]:
                found.append(f"{module}:{line}: the runtime imports {imported}")
            continue
        if parts[0] in FRAMEWORKS and own != "verify":
            found.append(f"{module}:{line}: imports {imported}")
        if parts[0] != "torch2jax" or len(parts) < 2 or not own:
            continue
        other = parts[1]
        if other in ("runtime", "layer_bases", "libraries"):
            found.append(f"{module}:{line}: imports {imported}, which is read as text only")
        elif other in RANKS and (other != own and RANKS[other] >= RANKS[own]):
            found.append(f"{module}:{line}: {own} imports {imported}, which is not to its left")
        elif (
            own == other == "targets"
            and parts[2] not in ("base", module.split(".")[2])
            and not module.endswith("__init__")
        ):
            found.append(f"{module}:{line}: one target imports another, {imported}")
    return found


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return f"{name.removesuffix('.__init__')}.__init__" if name.endswith(".__init__") else name


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def test_every_module_has_a_layer() -> None:
    tops = {module_name(path).split(".")[1] for path in modules()} - {"__init__", "runtime"}
    assert tops <= RANKS.keys(), f"give these a place in LAYERS: {sorted(tops - RANKS.keys())}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_left(path: Path) -> None:
    module = module_name(path)
    if module != "torch2jax.__init__":  # it names the public functions, which live further right
        assert violations(path.read_text(encoding="utf-8"), module) == []


@pytest.mark.parametrize(
    "module, text",
    [
        ("torch2jax.syntax.walk", "from torch2jax.ops import lookup"),
        ("torch2jax.syntax.walk", "def f():\n    import torch2jax.cli"),
        ("torch2jax.syntax.walk", "from ..program import flow"),
        ("torch2jax.diagnostics", "from torch2jax.values import Value"),
        ("torch2jax.plan.model", "from torch2jax import api"),
        ("torch2jax.plan.model", "import numpy as np"),
        ("torch2jax.emit.check", "from torch2jax.runtime.keys import split_key"),
        ("torch2jax.runtime.keys", "from torch2jax.values import Value"),
        ("torch2jax.targets.nnx", "from torch2jax.targets.equinox import TARGET"),
    ],
)
def test_the_guard_would_fire(module: str, text: str) -> None:
    assert len(violations(text, module)) == 1


@pytest.mark.parametrize(
    "module, text",
    [
        ("torch2jax.ops.lookup", "from torch2jax.syntax import walk\nimport ast, libcst"),
        ("torch2jax.targets.nnx", "from torch2jax.targets.base import Target\nfrom torch2jax.targets.nnx import x"),
        ("torch2jax.syntax.walk", "if TYPE_CHECKING:\n    from torch2jax.ops import lookup"),
        ("torch2jax.runtime.keys", "import jax\nfrom torch2jax.runtime.shapes import per_axis"),
    ],
)
def test_the_guard_lets_through_what_is_allowed(module: str, text: str) -> None:
    assert violations(text, module) == []


# No cycles, and nothing in the wrong house


def cycle_among(imports: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a ring, wherever the imports stand; empty if there are none."""
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str]:
        if module in path:
            return path[path.index(module) :]
        if module in done:
            return []
        for other in sorted(imports.get(module, ())):
            if found := visit(other, [*path, module]):
                return found
        done.add(module)
        return []

    return next((found for module in sorted(imports) if (found := visit(module, []))), [])


def all_imports(path: Path) -> set[str]:
    """The modules of the package that one imports, for type checking, too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("torch2jax."):
            found.add(node.module or "")
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def test_no_module_imports_itself_through_others() -> None:
    inside = [path for path in modules() if path.parent != PACKAGE]
    assert cycle_among({module_name(path): all_imports(path) for path in inside}) == []


def test_a_cycle_would_be_found() -> None:
    assert cycle_among({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]


@pytest.mark.parametrize("path", sorted((PACKAGE / "facts").glob("*.py")), ids=lambda path: path.stem)
def test_facts_do_not_edit(path: Path) -> None:
    assert "torch2jax.syntax.edits.Edits" not in all_imports(path)


@pytest.mark.parametrize("path", sorted((PACKAGE / "normalize").glob("*.py")), ids=lambda path: path.stem)
def test_normalizing_writes_torch(path: Path) -> None:
    assert [text for text in written_texts(path) if re.search(r"\b(jax|jnp|lax|optax)\.", text)] == []


def written_texts(path: Path) -> list[str]:
    """The strings of a module that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


# The import budget


def loaded_after(script: str) -> set[str]:
    """Top-level modules that a fresh process has loaded after running the script."""
    report = "\nimport sys\nsys.stderr.write('LOADED ' + ' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script + report], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert "LOADED" in done.stderr, done.stderr
    return {name.partition(".")[0] for name in done.stderr.rpartition("LOADED ")[2].split()}


HEAVY = {*FRAMEWORKS, "libcst", "yaml"}


@pytest.mark.parametrize(
    "script",
    [
        "import torch2jax, torch2jax.cli",
        "from torch2jax.cli import main; main(['--help'])",
        "from torch2jax.cli import main; main(['--version'])",
        "from torch2jax.cli import main; main(['explain', 'T2J301'])",
        "import torch2jax; assert torch2jax.convert('x = 1').text == 'x = 1'",
    ],
)
def test_starting_loads_nothing_heavy(script: str) -> None:
    assert loaded_after(script).isdisjoint(HEAVY)


def test_converting_loads_no_framework() -> None:
    script = "import torch2jax; torch2jax.convert('import torch\\nx = torch.zeros(3)\\n')"
    assert loaded_after(script).isdisjoint(FRAMEWORKS)


def test_the_budget_would_be_noticed() -> None:
    assert not loaded_after("import numpy").isdisjoint(HEAVY)


def test_every_public_name_can_be_imported() -> None:
    script = "import torch2jax\nfor name in torch2jax.__all__: assert getattr(torch2jax, name) is not None, name"
    loaded_after(script)
    import torch2jax

    assert set(torch2jax.__all__) <= set(dir(torch2jax))
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        _ = torch2jax.missing  # type: ignore[attr-defined]
