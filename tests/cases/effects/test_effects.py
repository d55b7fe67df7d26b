"""Programs that mutate, share, draw and branch: each function `case_*` of a file here is run on both sides and compared.

A case takes no arguments, or some of `INPUTS` by their names. Comments on the line above it say more: `# unchanged` that its
text must come back as it was, `# random` that many draws are compared as distributions. A line that ends in a comment such as
`# T2J302` (or `# T2J301, T2J303`) must be reported with that code, and no other line with an error; a case that has such a
line, or calls a function or class of the file that has one, is not run. `NAME.expected.py` is the translation of `NAME.py`
(`UPDATE_SNAPSHOTS=1` writes it anew).
"""

import ast
import copy
import inspect
import os
import re
import types
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import jax
import numpy as np
import pytest
import torch
from flax import nnx
from scipy import stats

import torch2jax
from tests.arrays import load, narrowed, to_jax
from tests.fuzz.running import differs
from torch2jax.diagnostics import Severity

HERE = Path(__file__).parent
FILES = sorted(
    path for path in HERE.glob("*.py") if not path.name.startswith(("test_", "_")) and ".expected" not in path.name
)
INPUTS: dict[str, Any] = {
    "x": torch.tensor([[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]]),
    "y": torch.tensor([[-1.0, 4.0, 2.0], [0.5, -0.5, 1.0]]),
    "v": torch.tensor([1.0, -2.0, 3.0]),
    "square": torch.tensor([[2.0, 1.0, 0.0], [-1.0, 3.0, 0.5], [0.0, 1.5, 1.0]]),
    "batch": torch.arange(24.0).reshape(2, 3, 4) / 8 - 1,
    "image": torch.arange(32.0).reshape(1, 2, 4, 4) / 16 - 1,
    "index": torch.tensor([2, 0]),
    "tokens": torch.tensor([[1, 4, 2], [3, 0, 1]]),
    "mask": torch.tensor([[True, False, True], [False, False, True]]),
    "n": 2,
    "scale": 0.5,
    "flag": True,
}
_CODES = re.compile(r"#\s*(T2J\d{3}(, T2J\d{3})*)\s*$")
_DRAWS = 40
NNX_FILES = ("exchanged_parts", "layers_change_arguments", "module_caches", "module_counters", "module_no_state",
             "module_state", "module_threads", "part_loops", "results_kept", "schedules", "second_names_of_fields")  # fmt: skip


class File:
    """A file of cases, loaded on both sides when first needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.tree = ast.parse(self.text)
        self.marks = {
            (number, code)
            for number, line in enumerate(self.lines, 1)
            if (match := _CODES.search(line))
            for code in match[1].split(", ")
        }
        self.parts = {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        self.cases = [name for name in self.parts if name.startswith("case_")]

    def says(self, name: str) -> str:
        """The comment on the line above a case."""
        node = self.parts[name]
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return self.lines[first - 2].removeprefix("# ") if first > 1 else ""

    def is_refused(self, name: str, refused: Sequence[int] = ()) -> bool:
        """Whether a line of a case is reported, or one of what it uses of this file; `refused` are more such lines."""
        lines = {line for line, _ in self.marks} | set(refused)
        seen, waiting = set(), [name]
        while waiting:
            part = waiting.pop()
            if part in seen:
                continue
            seen.add(part)
            node = self.parts[part]
            if any(node.lineno <= line <= (node.end_lineno or 0) for line in lines):
                return True
            waiting += [item.id for item in ast.walk(node) if isinstance(item, ast.Name) and item.id in self.parts]
        return False


@cache
def _file(path: Path) -> File:
    return File(path)


@cache
def _conversion(path: Path, target: Literal["equinox", "nnx"] = "equinox") -> torch2jax.Conversion:
    return torch2jax.convert_file(path, torch2jax.Options(support="import", target=target))


@cache
def _programs(path: Path) -> tuple[types.ModuleType, types.ModuleType]:
    return load(_file(path).text), load(_conversion(path).text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reports_what_is_marked_and_nothing_else(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH2JAX_DEBUG", "1")
    said = _conversion(path).diagnostics
    errors = {(remark.line, remark.code) for remark in said if remark.severity is Severity.ERROR}
    assert errors == _file(path).marks, "\n".join(map(str, said))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_else_is_expected(path: Path) -> None:
    """Warnings and notes, by line: of which there are none if there is no such file."""
    expected = path.with_suffix(".remarks.txt")
    others = [remark for remark in _conversion(path).diagnostics if remark.severity is not Severity.ERROR]
    text = "".join(f"{remark.line}: {remark.severity.value} {remark.code}\n" for remark in others)
    if os.environ.get("UPDATE_SNAPSHOTS"):
        expected.write_text(text, encoding="utf-8") if text else expected.unlink(missing_ok=True)
    assert text == (expected.read_text(encoding="utf-8") if expected.exists() else "")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_text(path: Path) -> None:
    expected = path.with_suffix(".expected.py")
    if os.environ.get("UPDATE_SNAPSHOTS"):
        expected.write_bytes(_conversion(path).to_bytes())
    assert _conversion(path).text == expected.read_text(encoding="utf-8")


def _cases(unchanged: bool = False) -> list[Any]:
    return [
        pytest.param(path, name, id=f"{path.stem}-{name.removeprefix('case_')}")
        for path in FILES
        for name in _file(path).cases
        if (_file(path).says(name) == "unchanged" if unchanged else not _file(path).is_refused(name))
    ]


@pytest.mark.parametrize(("path", "name"), _cases(unchanged=True))
def test_comes_back_as_it_was(path: Path, name: str) -> None:
    text = _conversion(path).text
    (found,) = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name)
    assert ast.get_source_segment(text, found) == ast.get_source_segment(_file(path).text, _file(path).parts[name])


@pytest.mark.parametrize(("path", "name"), _cases())
def test_computes_the_same(path: Path, name: str) -> None:
    original, translation = (getattr(module, name) for module in _programs(path))
    with warnings.catch_warnings(), jax.debug_key_reuse(True):
        warnings.simplefilter("ignore")
        if _file(path).says(name) == "random":
            _check_distribution(original, translation)
        else:
            _check_values(original, translation)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("path", "name"), [case for case in _cases() if case.values[0].stem in NNX_FILES])
def test_computes_the_same_with_nnx(path: Path, name: str) -> None:
    """What only NNX refuses is said; the rest computes the same."""
    conversion = _conversion(path, "nnx")
    refused = [remark.line for remark in conversion.diagnostics if remark.severity is Severity.ERROR]
    if _file(path).is_refused(name, refused):
        pytest.skip("refused")
    translation = getattr(load(conversion.text), name)
    inputs = _inputs(getattr(_programs(path)[0], name))
    torch.manual_seed(0)
    expected = getattr(_programs(path)[0], name)(**copy.deepcopy(inputs))
    found = jax.tree.map(
        lambda leaf: leaf[...] if isinstance(leaf, nnx.Variable) else leaf,
        _call(translation, inputs, 0),
        is_leaf=lambda leaf: isinstance(leaf, nnx.Variable),
    )
    difference = differs(expected, found)
    assert difference is None, difference


def _check_values(original: Callable[..., Any], translation: Callable[..., Any]) -> None:
    inputs = _inputs(original)
    before = copy.deepcopy(inputs)
    torch.manual_seed(0)
    expected = original(**inputs)
    unchanged = all(torch.equal(v, before[k]) for k, v in inputs.items() if isinstance(v, torch.Tensor))
    assert unchanged, "changes its argument, of which nothing is said"
    difference = differs(expected, _call(translation, before, 0))
    assert difference is None, difference


def _check_distribution(original: Callable[..., Any], translation: Callable[..., Any]) -> None:
    inputs = _inputs(original)
    expected, found = [], []
    for seed in range(_DRAWS):
        torch.manual_seed(seed)
        expected.append(_leaves(original(**inputs)))
        found.append(_leaves(_call(translation, inputs, seed)))
    for number, leaf in enumerate(expected[0]):
        other = found[0][number]
        assert leaf.shape == other.shape, f"[{number}]: shape {other.shape} instead of {leaf.shape}"
        assert narrowed(leaf.dtype) == narrowed(other.dtype), f"[{number}]: {other.dtype} instead of {leaf.dtype}"
        left, right = (np.concatenate([draw[number].ravel() for draw in draws]).round(5) for draws in (expected, found))
        chance = stats.ks_2samp(left, right).pvalue
        assert chance > 1e-5, f"[{number}]: means {left.mean():.4g} and {right.mean():.4g}, p = {chance:.2g}"


def _inputs(original: Callable[..., Any]) -> dict[str, Any]:
    return {name: copy.deepcopy(INPUTS[name]) for name in inspect.signature(original).parameters}


def _call(translation: Callable[..., Any], inputs: dict[str, Any], seed: int) -> Any:
    arrays = {name: to_jax(value) if isinstance(value, torch.Tensor) else value for name, value in inputs.items()}
    if "key" in inspect.signature(translation).parameters:
        arrays["key"] = jax.random.key(seed)
    if "rngs" in inspect.signature(translation).parameters:
        arrays["rngs"] = nnx.Rngs(seed)
    return translation(**arrays)


def _leaves(result: Any) -> Sequence[np.ndarray]:
    if isinstance(result, tuple | list):
        return [leaf for item in result for leaf in _leaves(item)]
    return [result.detach().numpy() if isinstance(result, torch.Tensor) else np.asarray(result)]
