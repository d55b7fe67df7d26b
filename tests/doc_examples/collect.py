"""The examples in the docstrings of torch's public functions and layers, as programs that print what the examples show.

    >>> a = torch.randn(2, 2)         ->      a = torch.tensor([[0.4963, 0.7682], [0.0885, 0.132]])
    >>> torch.sum(a)                          print(torch.sum(a))

Draws of inputs become numbers that are written out, layers read the weights that they have in torch, and what torch itself refuses is
left out, so that both programs compute the same.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import io
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import torch

MODULES = (
    "torch", "torch.nn", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.nn.init",
    "torch.nn.utils", "torch.nn.utils.rnn", "torch.nn.utils.parametrize", "torch.distributions", "torch.optim",
    "torch.optim.lr_scheduler", "torch.func", "torch.signal.windows", "torch.autograd", "torch.autograd.functional",
    "torch.utils.data", "torch.Tensor",
)  # fmt: skip
_USUAL = {"math": "math", "np": "numpy", "nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim"}
_DRAWS = {"torch.rand", "torch.randn", "torch.randint", "torch.randperm", "torch.rand_like", "torch.randn_like"}
_HOMES = ("torch.nn", "torch.distributions", "torch.utils.data", "torch.nn.utils.rnn", "torch.optim", "torch.func")
_LITERAL = 48  # elements that are written out
STOPS = bool(os.environ.get("T2J_STOP"))  # at what torch refuses, instead of leaving it out


@dataclass(slots=True)
class Example:
    """The program of one docstring; `left_out` counts statements that torch refuses here."""

    name: str
    lines: list[str] = field(default_factory=list)
    left_out: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def documented() -> Iterator[tuple[str, str]]:
    """Public names of torch with a docstring that has an example, each object once."""
    seen: set[int] = set()
    for module in MODULES:
        home = torch.Tensor if module == "torch.Tensor" else importlib.import_module(module)
        for name in sorted(vars(home) if isinstance(home, ModuleType) else dir(home)):
            entry = getattr(home, name, None)
            text = getattr(entry, "__doc__", None)
            if name.startswith("_") or isinstance(entry, ModuleType) or not isinstance(text, str) or id(entry) in seen:
                continue
            home_of_entry = getattr(entry, "__module__", None) or "torch"
            if ">>>" in text and home_of_entry.startswith("torch") and "torch.utils._" not in home_of_entry:
                seen.add(id(entry))
                yield f"{module}.{name}", text


def statements(docstring: str) -> Iterator[str]:
    """The statements of all examples of a docstring, in order."""
    for lines in _prompted(docstring):
        with contextlib.suppress(SyntaxError):
            yield from map(ast.unparse, ast.parse(lines).body)


def _prompted(docstring: str) -> Iterator[str]:
    """What stands behind `>>>`, with the lines behind `...` that go on with it."""
    found: list[str] = []
    for line in map(str.strip, inspect.cleandoc(docstring).splitlines()):
        if line.startswith("..." if found else "....") and not line.startswith("...,"):
            found.append(line[4:])
            continue
        if found:
            yield "\n".join(found)
        found = [line[4:]] if line.startswith(">>>") else []
    if found:
        yield "\n".join(found)


def reset() -> None:
    """Take back what an example may have set for all that follows."""
    torch.set_default_device(None)
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    torch.use_deterministic_algorithms(False)
    torch.set_flush_denormal(False)


def program(name: str, docstring: str, folder: str) -> Example:
    """The program of a docstring. It runs in torch, statement by statement, in `folder`, which takes the weights of its layers."""
    reset()
    example, space = Example(name), {"__name__": "example", "torch": torch}
    example.lines.append("import torch")
    with contextlib.chdir(folder), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        for line in statements(docstring):
            lines = _imports(line, name, space)
            body = _with_fixed_draws(line, name, space)
            try:
                exec("\n".join(lines), space)
                shown = _run(body, space)
            except Exception:
                if STOPS:
                    raise
                example.left_out += 1
                continue
            example.lines += [*lines, shown, *_weights(body, space)]
    example.lines += [f"print({unread})" for unread in _unread(example.text, space)]
    return example


def _imports(line: str, name: str, space: Mapping[str, Any]) -> list[str]:
    """Imports of what a docstring takes as given."""
    found = []
    for node in ast.walk(ast.parse(line)):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or node.id in space:
            continue
        if node.id in _USUAL:
            module = _USUAL[node.id]
            found.append(f"import {module}" if module == node.id else f"import {module} as {node.id}")
            continue
        for home in (name.rpartition(".")[0], *_HOMES):
            if home != "torch.Tensor" and home != "torch" and hasattr(importlib.import_module(home), node.id):
                found.append(f"from {home} import {node.id}")
                break
    return list(dict.fromkeys(found))


def _run(body: str, space: dict[str, Any]) -> str:
    """Run a statement; an expression that has a value to show becomes a `print`."""
    tree = ast.parse(body).body[0]
    if not isinstance(tree, ast.Expr):
        exec(body, space)
        return body
    value = eval(body, space)
    if isinstance(tree.value, ast.Call) and ast.unparse(tree.value.func).endswith("_"):
        return body  # in place: what reads it later shows it
    is_print = isinstance(tree.value, ast.Call) and ast.unparse(tree.value.func) == "print"
    return body if is_print or not is_shown(value) else f"print({body})"


def is_shown(value: object) -> bool:
    """Whether a value is numbers, or holds such."""
    if isinstance(value, list | tuple):
        return all(map(is_shown, value)) and len(value) > 0
    return isinstance(value, torch.Tensor | torch.dtype | bool | int | float | complex)


def _weights(body: str, space: Mapping[str, Any]) -> list[str]:
    """A line that gives a layer the weights that it has in torch."""
    tree = ast.parse(body).body[0]
    if not isinstance(tree, ast.Assign) or not isinstance(tree.targets[0], ast.Name):
        return []
    name = tree.targets[0].id
    module = space.get(name)
    if not isinstance(module, torch.nn.Module) or not (state := module.state_dict()):
        return []
    count = sum(entry.name.startswith("weights") for entry in os.scandir())
    torch.save(state, f"weights{count}.pt")
    return [f'{name}.load_state_dict(torch.load("weights{count}.pt"))']


def _unread(text: str, space: Mapping[str, Any]) -> list[str]:
    """Variables that nothing reads after they got their value."""
    last: dict[str, bool] = {}
    for node in ast.parse(text).body:
        names = [item for item in ast.walk(node) if isinstance(item, ast.Name)]
        for item in sorted(names, key=lambda item: isinstance(item.ctx, ast.Store)):
            last[item.id] = isinstance(item.ctx, ast.Store)
    return [name for name, unread in last.items() if unread and name.isidentifier() and is_shown(space.get(name))]


class _Fixed(ast.NodeTransformer):
    """Replaces draws by the numbers that were drawn."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.func) not in _DRAWS:
            return node
        try:
            drawn = eval(ast.unparse(node), self.space)
        except Exception:
            if STOPS:
                raise
            return node
        return ast.parse(_written(drawn), mode="eval").body

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    visit_FunctionDef = visit_ClassDef = visit_For = visit_While = visit_Lambda  # type: ignore[assignment]


def _with_fixed_draws(line: str, name: str, space: dict[str, Any]) -> str:
    if name in _DRAWS:
        return line
    return ast.unparse(_Fixed(space).visit(ast.parse(line)))


def _written(drawn: torch.Tensor) -> str:
    """A tensor of the same kind as an expression."""
    wanted = "" if drawn.dtype in (torch.float32, torch.int64, torch.bool) else f", dtype={drawn.dtype}"
    grad = ", requires_grad=True" if drawn.requires_grad else ""
    plain = drawn.detach()
    if plain.numel() <= _LITERAL and plain.numel() > 0:
        digits = (plain.double() * 1e4).round() / 1e4 if plain.is_floating_point() else plain
        return f"torch.tensor({digits.tolist()}{wanted}{grad})"
    shape = tuple(plain.shape)
    if plain.is_complex():
        parts = _written(plain.real.contiguous()), _written(plain.imag.contiguous())
        return f"torch.complex({parts[0]}, {parts[1]})"
    spread = f"torch.arange({plain.numel()}) % 10007 * 619 % 1013 * 31 % 1009"
    if not plain.is_floating_point():
        low, span = int(plain.min()), int(plain.max() - plain.min()) + 1
        return f"({spread} % {span} + {low}).reshape({shape})"
    level = "/ 1009" if bool((plain >= 0).all()) else "/ 504.5 - 1.0"
    made = f"({spread} {level}).reshape({shape})" + (f".to({drawn.dtype})" if wanted else "")
    return f"{made}.requires_grad_()" if drawn.requires_grad else made
