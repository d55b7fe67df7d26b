"""Rows of a project's own: what docs/mappings.md says of them, and what the settings in pyproject.toml change."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest
import torch

from torch2jax import Options, TableError, convert, convert_tree
from torch2jax.cli import main

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"

GELU = """\
- function: mypkg.ops.fused_gelu
  signature: "input, scale=1.0"
  import: "from mypkg_jax import fused_gelu"
  jax: "fused_gelu({input}, scale={scale})"
  result: like(input)
"""
NORM = """\
- layer: mypkg.layers.RMSNorm
  signature: "dim, eps=1e-6"
  equinox:
    import: "from mypkg_jax import RMSNorm"
    make: "RMSNorm({dim}, eps={eps})"
"""
USE = "from mypkg.ops import fused_gelu\n\n\ndef f(x):\n    return fused_gelu(x, scale=2.0)\n"


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Outcome:
        code = main(arguments)
        return Outcome(code, *capsys.readouterr())

    return run


def write(**files: str) -> None:
    """Files by name, where `__` stands for a dot."""
    for name, text in files.items():
        Path(name.replace("__", ".")).write_text(text)


def converted(rows: str, source: str, *, ok: bool = True, target: str = "equinox") -> str:
    """The text of a translation with these rows."""
    Path("own.yaml").write_text(rows)
    conversion = convert(source, Options(target=target, mappings=("own.yaml",)), path="program.py")  # type: ignore[arg-type]
    assert conversion.ok is ok, [str(remark) for remark in conversion.diagnostics]
    return conversion.text


def check_wrong(rows: str, message: str) -> None:
    """The rows are refused with a message of one line that begins with the file."""
    Path("own.yaml").write_text(rows)
    with pytest.raises(TableError) as caught:
        convert(USE, Options(mappings=("own.yaml",)))
    assert str(caught.value) == message


# the example of the documentation


def shown_in_documentation() -> list[str]:
    """The indented blocks of the page, without their indentation."""
    blocks, lines = [], []
    for line in [*(DOCS / "mappings.md").read_text(encoding="utf-8").splitlines(), "end"]:
        if line.startswith("    ") or (not line and lines):
            lines.append(line.removeprefix("    "))
        elif lines:
            blocks.append("\n".join(lines).strip() + "\n")
            lines = []
    return blocks


@pytest.mark.parametrize("name", ["model.py", "mypkg.yaml", "model_jax.py", "pyproject.toml"])
def test_the_documentation_shows_the_files_of_its_example(name: str) -> None:
    assert (EXAMPLES / name).read_text(encoding="utf-8") in shown_in_documentation()


def test_the_example_is_what_the_command_writes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    by_options = run("convert", "model.py", "--mappings", "mypkg.yaml", "--support", "import", "-o", "-")
    assert (by_options.code, by_options.out) == (0, Path("model_jax.py").read_text(encoding="utf-8"))
    assert run("convert", "model.py", "-o", "-").out == by_options.out  # by the settings beside it


@pytest.fixture
def _example_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    for name in [name for name in sys.modules if name.split(".")[0] in ("mypkg", "mypkg_jax")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.usefixtures("_example_on_path")
@pytest.mark.parametrize("target", ["equinox", "nnx"])
def test_the_example_computes_the_same(target: str) -> None:
    source = (EXAMPLES / "model.py").read_text(encoding="utf-8")
    text = convert(source, Options(target=target, mappings=(str(EXAMPLES / "mypkg.yaml"),))).text  # type: ignore[arg-type]
    assert "mypkg." not in text.replace("mypkg_jax.", "")
    theirs: dict[str, object] = {"__name__": "theirs"}
    ours: dict[str, object] = {"__name__": "ours"}
    exec(source, theirs)
    exec(text, ours)
    torch.manual_seed(0)
    model = theirs["Block"](4)  # type: ignore[operator]
    with torch.no_grad():
        model.norm.weight.uniform_(0.5, 2)
    weights = {name: jnp.asarray(value.detach().numpy()) for name, value in model.named_parameters()}
    x = torch.randn(3, 4)
    got = _made(target, ours, weights)(jnp.asarray(x.numpy()))
    np.testing.assert_allclose(got, model(x).detach().numpy(), rtol=1e-5, atol=1e-6)


def _made(
    target: str, names: dict[str, object], weights: dict[str, jnp.ndarray]
) -> Callable[[jnp.ndarray], jnp.ndarray]:
    import equinox as eqx
    import jax
    from flax import nnx

    new = [weights[name] for name in ("norm.weight", "up.weight", "up.bias")]
    if target == "equinox":
        model = names["Block"](4, key=jax.random.key(0))  # type: ignore[operator]
        return eqx.tree_at(lambda m: [m.norm.weight, m.up.weight, m.up.bias], model, new)
    model = names["Block"](4, rngs=nnx.Rngs(0))  # type: ignore[operator]
    model.norm.scale[...], model.up.weight[...], model.up.bias[...] = new
    return model


# what rows do


def test_a_function_is_found_by_every_name_of_it() -> None:
    spellings = {
        "from mypkg.ops import fused_gelu as fg": "fg",
        "import mypkg.ops as ops": "ops.fused_gelu",
        "from mypkg import ops": "ops.fused_gelu",
        "import mypkg.ops": "mypkg.ops.fused_gelu",
        "import mypkg": "mypkg.ops.fused_gelu",
    }
    wanted = "from mypkg_jax import fused_gelu\n\n\ndef f(x):\n    return fused_gelu(x, scale=2.0)\n"
    for imported, name in spellings.items():
        assert converted(GELU, f"{imported}\n\n\ndef f(x):\n    return {name}(x, scale=2.0)\n") == wanted, imported


def test_a_function_is_found_by_a_relative_import(run: Run) -> None:
    Path("mypkg/models").mkdir(parents=True)
    for name in ("mypkg/__init__.py", "mypkg/models/__init__.py"):
        Path(name).touch()
    Path("mypkg/ops.py").write_text("import torch\n\ndef fused_gelu(x, scale=1.0):\n    return torch.relu(x)\n")
    write(own__yaml=GELU)
    for imported, name in (("from ..ops import fused_gelu", "fused_gelu"), ("from .. import ops", "ops.fused_gelu")):
        Path("mypkg/models/a.py").write_text(f"{imported}\n\n\ndef f(x):\n    return {name}(x)\n")
        outcome = run("convert", "mypkg/models/a.py", "--mappings", "own.yaml", "-o", "-")
        assert outcome.out == "from mypkg_jax import fused_gelu\n\n\ndef f(x):\n    return fused_gelu(x)\n"
        assert outcome.code == 0, outcome.err


def test_a_function_in_a_folder_of_files_that_import_each_other(run: Run) -> None:
    Path("mypkg").mkdir()
    Path("mypkg/__init__.py").touch()
    Path("mypkg/ops.py").write_text("import torch\n\ndef fused_gelu(x, scale=1.0):\n    return torch.relu(x) * scale\n")
    Path("mypkg/model.py").write_text("from .ops import fused_gelu\n\n\ndef f(x):\n    return fused_gelu(x)\n")
    write(own__yaml=GELU)
    for jobs in ("1", "2"):
        outcome = run("convert", "mypkg", "-o", f"out{jobs}", "--mappings", "own.yaml", "--jobs", jobs)
        assert outcome.code == 0, outcome.err
        assert "from mypkg_jax import fused_gelu" in Path(f"out{jobs}/model.py").read_text()
        assert "jax.nn.relu" in Path(f"out{jobs}/ops.py").read_text()  # the original is translated as what it is
    written = convert_tree("mypkg", "out3", Options(mappings=("own.yaml",)))
    assert Path("out3/model.py").read_text() == Path("out1/model.py").read_text() and len(written) == 3


def test_an_import_stays_where_something_else_needs_it() -> None:
    text = converted(GELU, "from mypkg.ops import fused_gelu, other\n\n\ndef f(x):\n    return fused_gelu(other(x))\n")
    assert text.splitlines()[:2] == ["from mypkg.ops import other", "from mypkg_jax import fused_gelu"]
    text = converted(GELU, "import mypkg.ops as ops\n\n\ndef f(x):\n    return ops.fused_gelu(ops.other(x))\n")
    assert "import mypkg.ops as ops\n" in text and "fused_gelu(ops.other(x))" in text
    text = converted(GELU, "from mypkg.ops import fused_gelu\n__all__ = ['fused_gelu']\ny = fused_gelu(x)\n")
    assert "from mypkg.ops import fused_gelu\n" in text and "y = jax_fused_gelu(x)" in text
    text = converted(GELU, "from mypkg.ops import *\n\n\ndef f(x):\n    return fused_gelu(x)\n")
    assert "from mypkg.ops import *\n" in text and "return jax_fused_gelu(x)" in text


def test_a_name_with_another_meaning_in_the_file_is_left_alone() -> None:
    source = "import mypkg.ops as ops\n\n\ndef f(x, fused_gelu):\n    return ops.fused_gelu(x) + fused_gelu\n"
    text = converted(GELU, source)
    assert "from mypkg_jax import fused_gelu as jax_fused_gelu\n" in text
    assert "return jax_fused_gelu(x) + fused_gelu\n" in text


def test_names_that_rows_import_are_not_given_to_anything_new() -> None:
    row = GELU.replace("import fused_gelu", "import fused_gelu as key").replace("fused_gelu({input}", "key({input}")
    source = USE.replace("def f(x):\n    return ", "import torch\ndef f(x):\n    return torch.rand(3) + ")
    text = converted(row, source)
    assert "from mypkg_jax import fused_gelu as jax_key\n" in text
    assert "def f(x, *, key):\n    return jax.random.uniform(key, 3) + jax_key(x, scale=2.0)\n" in text


def test_a_function_as_a_value() -> None:
    text = converted(GELU, "import torch\nimport mypkg.ops as ops\n\nact = ops.fused_gelu\ny = act(torch.ones(3))\n")
    assert "mypkg.ops" not in text and "torch" not in text


def test_an_argument_without_a_place_is_refused() -> None:
    rows = (EXAMPLES / "mypkg.yaml").read_text(encoding="utf-8")
    call = "from mypkg.ops import fused_gelu\n\n\ndef f(x, flag):\n    return fused_gelu(x, check=CHECK)\n"
    assert "return fused_gelu(x)" in converted(rows, call.replace("CHECK", "False"))
    for given in ("flag", "True"):
        text = converted(rows, call.replace("CHECK", given), ok=False)
        assert "# torch2jax: T2J201" in text and f"fused_gelu(x, check={given})" in text


def test_a_shipped_row_is_overridden() -> None:
    row = '- torch: torch.nn.functional.gelu\n  signature: "input"\n  import: "import kernels"\n  jax: "kernels.gelu({input})"\n'
    source = "import torch.nn.functional as F\n\n\ndef f(x):\n    return F.gelu(x)\n"
    assert converted(row, source) == "import kernels\n\n\ndef f(x):\n    return kernels.gelu(x)\n"
    assert "jax.nn.gelu" in convert(source).text


def test_a_method_of_tensors() -> None:
    row = (
        '- method: Tensor.swished\n  signature: "input"\n  import: "import kernels"\n  jax: "kernels.swish({input})"\n'
    )
    source = "import torch\n\n\ndef f(x: torch.Tensor):\n    return x.swished()\n"
    assert "return kernels.swish(x)" in converted(row, source)


def test_a_layer_is_a_layer() -> None:
    source = (
        "from torch import nn\nfrom mypkg.layers import RMSNorm\n\n\nclass Net(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.norm = RMSNorm(3, 1e-5)\n"
        "        self.both = nn.Sequential(RMSNorm(3), nn.Linear(3, 4))\n\n"
        "    def forward(self, x):\n        return self.both(self.norm(x))\n"
    )
    text = converted(NORM, source)
    assert "    norm: RMSNorm\n" in text and "self.norm = RMSNorm(3, eps=1e-5)" in text
    assert "eqx.nn.Sequential([RMSNorm(3), eqx.nn.Linear(3, 4, key=key)])" in text
    assert "has no translation" in converted(NORM, source, ok=False, target="nnx")
    derived = "from mypkg.layers import RMSNorm\n\n\nclass Own(RMSNorm):\n    def forward(self, x):\n        return x\n"
    assert "T2J206" in converted(NORM, derived, ok=False)


def test_a_function_that_draws_gets_a_key() -> None:
    row = '- function: mypkg.noise\n  signature: "input"\n  import: "import kernels"\n  jax: "kernels.noise({input}, key={key})"\n'
    source = "import mypkg\n\n\ndef f(x):\n    return mypkg.noise(x) + mypkg.noise(x)\n"
    text = converted(row + "  effects: [rng]\n", source)
    assert "def f(x, *, key):\n    noise_key, noise_key_1 = jax.random.split(key)\n" in text
    assert "return kernels.noise(x, key=noise_key) + kernels.noise(x, key=noise_key_1)" in text


def test_a_result_may_be_a_view() -> None:
    row = '- function: mypkg.rows\n  signature: "input"\n  import: "import kernels"\n  jax: "kernels.rows({input})"\n  result: like(input)\n'
    source = (
        "import torch\nimport mypkg\n\n\ndef f(x: torch.Tensor):\n    y = mypkg.rows(x)\n    y[0] = 1\n    return x\n"
    )
    converted(row, source)
    assert "T2J3" in converted(row + "  view: input\n", source, ok=False)


def test_operators_ask_no_row() -> None:
    row = '- torch: torch.add\n  signature: "input, other"\n  import: "import kernels"\n  jax: "kernels.add({input}, {other})"\n'
    text = converted(row, "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.add(x, 1) + x\n")
    assert "return kernels.add(x, 1) + x" in text


def test_a_layer_of_torch_is_overridden() -> None:
    row = '- torch: torch.nn.GELU\n  equinox: {import: "import kernels", make: "kernels.GELU()"}\n'
    assert "act = kernels.GELU()" in converted(row, "from torch import nn\n\nact = nn.GELU()\n")


def test_files_without_any_of_it_come_back_unchanged() -> None:
    for source in ("x = 1\n", "import mypkg.other\n\nmypkg.other.f(1)\n"):
        assert converted(GELU, source) == source


def test_a_changed_file_is_read_anew() -> None:
    assert "fused_gelu(x, scale=2.0)" in converted(GELU, USE)
    assert "quick(x, 2.0)" in converted(
        GELU.replace("fused_gelu(", "quick(")
        .replace("import fused", "import quick as quick, fused")
        .replace("scale={scale}", "{scale}"),
        USE,
    )


def test_nothing_of_own_tables_is_kept_with_the_shipped_ones() -> None:
    converted(GELU, USE)
    from torch2jax.ops.tables import load_tables, mappings_folder

    assert "mypkg.ops.fused_gelu" not in load_tables().functions
    compiled = mappings_folder() / "compiled.json"
    assert not compiled.is_file() or "mypkg" not in compiled.read_text(encoding="utf-8")


def test_conversions_without_own_tables_load_nothing_for_them() -> None:
    script = "import sys, torch2jax; torch2jax.convert('import torch'); print([m for m in sys.modules if m in ('yaml', 'torch2jax.ops.own', 'tomllib')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


# what is wrong


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (GELU + "  jaxx: no\n", "1: unknown key ['jaxx']"),
        (GELU.replace("({input}", "({inputs}"), "1: hole {inputs} is no parameter of the signature"),
        (GELU + NORM + GELU, "11: `mypkg.ops.fused_gelu` stands in own.yaml:1 already"),
        (GELU + "  jax: again\n", "1: the key `jax` stands twice"),
        (NORM + GELU.replace('"fused_gelu(', '"fused_gelu('[:-1] + "[("), "6: `fused_gelu[({input}, scale={scale})` is no expression of Python"),
        (GELU.replace("jax: ", "jacks: "), "1: unknown key ['jacks']"),
        (GELU.replace('  jax: "fused_gelu({input}, scale={scale})"\n', ""), "1: a row needs `jax`, `constant`, `same`, `lowering` or `unsupported`"),
        (GELU.replace('  signature: "input, scale=1.0"\n', "").replace("{input}, scale={scale}", ""), "1: a row needs `signature`"),
        (GELU.replace('  import: "from mypkg_jax import fused_gelu"\n', ""), "1: nothing binds `fused_gelu`; add `import: from ... import fused_gelu`"),
        (GELU.replace("from mypkg_jax import fused_gelu", "from mypkg_jax import *"), "1: an `import` must say which names it brings"),
        (GELU.replace("from mypkg_jax import", "from .mypkg_jax import"), "1: an `import` cannot be relative: translations may lie in any folder"),
        (GELU.replace("from mypkg_jax import", "from torch import"), "1: a translation imports nothing of torch"),
        (GELU.replace("import fused_gelu", "import fused_gelu as max_pool"), "1: `max_pool` has a meaning already; import it under another name with `as`"),
        (GELU.replace("import fused_gelu", "import fused_gelu as jnp"), "1: `jnp` has a meaning already; import it under another name with `as`"),
        (GELU.replace("from mypkg_jax import fused_gelu", "import a.b"), "1: `import a.b` binds only its first part; write it with `as` or `from`"),
        (GELU.replace("from mypkg_jax import fused_gelu", "fused_gelu"), "1: `import` is one statement such as `from package.module import name`, not `fused_gelu`"),
        (GELU + GELU.replace("ops.fused", "ops.other").replace("mypkg_jax", "other_jax"), "6: `fused_gelu` is imported from mypkg_jax by another row; import one of them with `as`"),
        (GELU.replace("scale={scale}", "scale={input}"), '1: `{input}` stands twice and would be evaluated twice; ask for `when: "simple(input)"`'),
        (GELU.replace("- function", "- torch"), "1: `torch: mypkg.ops.fused_gelu` is no name of torch; write `function: mypkg.ops.fused_gelu` or `layer: mypkg.ops.fused_gelu`"),
        ('- torch: nn.ReLU\n  unsupported: "no"\n', "1: `torch: nn.ReLU` is no name of torch; write `torch: torch.nn.ReLU`"),
        (GELU + "  torch: torch.relu\n", "1: a row is about one thing: `torch` or `function`"),
        ("- signature: x\n", "1: a row needs one of `torch`, `function`, `layer`, `method`, `attribute`"),
        ("- function: [a.b]\n", "1: `function: ['a.b']` is no dotted name"),
        ('- method: Module.go\n  signature: input\n  jax: "{input}"\n', "1: `method: Module.go`: rows can be about methods of tensors, Tensor.NAME"),
        ('- torch: torch.nn.Sequential\n  unsupported: "no"\n', "1: `torch.nn.Sequential` is translated by code and asks no row; it cannot be given one"),
        ('- method: Tensor.to\n  unsupported: "no"\n', "1: `Tensor.to` is translated by code and asks no row; it cannot be given one"),
        ('- torch: torch.utils.data.DataLoader\n  unsupported: "no"\n', "1: `torch.utils.data.DataLoader` is translated by code and asks no row; it cannot be given one"),
        ('- torch: torch.nn.modules.linear.Linear\n  unsupported: "no"\n', "1: `torch.nn.modules.linear.Linear` is known as `torch.nn.Linear`; name it so"),
        ('- layer: torch.relu\n  unsupported: "no"\n', "1: `torch.relu` is a function and cannot become a layer"),
        ('- function: torch.nn.ReLU\n  unsupported: "no"\n', "1: `torch.nn.ReLU` is a layer and cannot become a function"),
        ("- layer: a.B\n", "1: a layer row needs one of `equinox`, `nnx`, `linen`, or `unsupported`"),
        ("- layer: a.B\n  equinox: {make: B()}\n", "1 (equinox): nothing binds `B`; add `import: from ... import B`"),
        ('- function: a.b\n  signature: ""\n  lowering: split\n', "1: `lowering` names code of torch2jax; rows of your own have texts"),
        ("- function: a.b\n  jax: [\n", "3: not YAML: did not find expected node content"),
        ("- function: a.b\n- text\n", "2: a row is a mapping"),
        ("function: a.b\n", "1: a table is a list of mappings"),
    ],
    ids=lambda text: "" if "\n" in text else text[:40],
)  # fmt: skip
def test_what_is_wrong_is_told_with_file_and_line(row: str, message: str) -> None:
    check_wrong(row, f"own.yaml:{message}")


def test_two_files_must_not_have_rows_for_the_same_name(run: Run) -> None:
    write(a__yaml=GELU, b__yaml=NORM + GELU, program__py=USE)
    outcome = run("convert", "program.py", "--mappings", "a.yaml", "--mappings", "b.yaml")
    assert outcome == (2, "", "torch2jax: b.yaml:6: `mypkg.ops.fused_gelu` stands in a.yaml:1 already\n")


def test_several_files_of_rows(run: Run) -> None:
    write(a__yaml=GELU, b__yaml=NORM, program__py=USE + "\n\nfrom mypkg.layers import RMSNorm\nnorm = RMSNorm(3)\n")
    outcome = run("convert", "program.py", "--mappings", "a.yaml", "--mappings", "b.yaml", "-o", "-")
    assert (
        outcome.code == 0
        and "norm = RMSNorm(3)" in outcome.out
        and "from mypkg_jax import RMSNorm, fused" in outcome.out
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.yaml", "none.yaml: no such file"),
        ("folder", "folder: is a directory"),
        ("bytes.yaml", "bytes.yaml: is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read(run: Run, name: str, message: str) -> None:
    Path("folder").mkdir()
    Path("bytes.yaml").write_bytes(b"- function: \xff\n")
    write(program__py=USE)
    before = sorted(Path().iterdir())
    assert run("convert", "program.py", "--mappings", name) == (2, "", f"torch2jax: {message}\n")
    assert sorted(Path().iterdir()) == before
    with pytest.raises(TableError, match=message):
        convert(USE, Options(mappings=(name,)))


def test_options_take_paths_but_not_one_string() -> None:
    assert Options(mappings=[Path("a.yaml")]).mappings == ("a.yaml",)  # type: ignore[arg-type,list-item]
    with pytest.raises(ValueError, match="not one string"):
        Options(mappings="a.yaml")  # type: ignore[arg-type]


# settings of a project


def settings(text: str) -> None:
    Path("pyproject.toml").write_text(f"[project]\nname = 'p'\n\n[tool.torch2jax]\n{text}\n")


def test_settings_are_found_above_the_first_file(run: Run) -> None:
    Path("src/deep").mkdir(parents=True)
    Path("tables").mkdir()
    Path("tables/own.yaml").write_text(GELU)
    Path("src/deep/program.py").write_text(USE + "\n\nimport torch\nlayer = torch.nn.Linear(3, 4)\n")
    Path("src/pyproject.toml").write_text("[project]\nname = 'a package of its own, without settings'\n")
    settings('mappings = ["tables/own.yaml"]\ntarget = "flax"\nsupport = "import"\njobs = 2')
    outcome = run("convert", "src/deep/program.py", "-o", "-")
    assert outcome.code == 0, outcome.err
    assert "return fused_gelu(x, scale=2.0)" in outcome.out
    assert "= Linear(3, 4, rngs=rngs)" in outcome.out and "from torch2jax.runtime" in outcome.out
    os.chdir("src/deep")  # the place of the settings counts, not that of the command
    assert run("convert", "program.py", "-o", "-") == outcome._replace(err=outcome.err.replace("src/deep/", ""))
    assert run("convert", "../deep", "-o", "out").code == 0
    assert "fused_gelu(x, scale=2.0)" in Path("out/program.py").read_text()


def test_the_command_line_wins(run: Run) -> None:
    settings('mappings = ["none.yaml"]\ntarget = "nnx"\nsupport = "import"\njobs = 2')
    write(own__yaml=GELU, program__py=USE + "\n\nimport torch\nlayer = torch.nn.Linear(3, 4)\n")
    chosen = ("--mappings", "own.yaml", "--target", "equinox", "--support", "inline", "--jobs", "1")
    outcome = run("convert", "program.py", "-o", "-", *chosen)
    assert outcome.code == 0, outcome.err
    assert "eqx.nn.Linear(" in outcome.out and "torch2jax.runtime" not in outcome.out
    assert run("convert", "program.py") == (2, "", "torch2jax: none.yaml: no such file\n")


def test_the_library_reads_no_settings() -> None:
    settings('target = "nnx"')
    assert "eqx.nn.Linear" in convert("import torch\nlayer = torch.nn.Linear(3, 4)\n").text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("targets = 'nnx'", "has no key `targets`; the keys are target, support, mappings, jobs, parallel"),
        ("target = 'haiku'", "`target` must be one of equinox, nnx, flax, linen"),
        ("target = ['nnx']", "`target` must be one of equinox, nnx, flax, linen"),
        ("support = true", "`support` must be one of inline, module, import"),
        ("mappings = 'own.yaml'", "`mappings` must be a list of file names"),
        ("mappings = [1]", "`mappings` must be a list of file names"),
        ("jobs = 0", "`jobs` must be a positive whole number"),
        ("jobs = true", "`jobs` must be a positive whole number"),
    ],
)
def test_wrong_settings_are_told_with_their_file(run: Run, text: str, message: str) -> None:
    settings(text)
    write(program__py=USE)
    assert run("convert", "program.py") == (2, "", f"torch2jax: pyproject.toml: [tool.torch2jax] {message}\n")
    assert not Path("program_jax.py").exists()


def test_settings_that_are_no_table_or_no_toml(run: Run) -> None:
    write(program__py=USE, pyproject__toml="[tool]\ntorch2jax = 1\n")
    assert run("convert", "program.py") == (2, "", "torch2jax: pyproject.toml: `tool.torch2jax` must be a table\n")
    write(pyproject__toml="[tool.torch2jax\n")
    outcome = run("convert", "program.py")
    assert outcome.code == 2 and outcome.err.startswith("torch2jax: pyproject.toml: not TOML: ")
    write(pyproject__toml="[broken\n")  # no settings are meant
    assert run("convert", "program.py", "-o", "-").code == 0
