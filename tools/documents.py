"""The generated pages of docs/: `python -m tools.documents` writes them, and the tests compare them with the committed ones.

* docs/support.md: what becomes of each public name of torch;
* docs/gallery.md: a typical call of each of the most used names, and its translation.
"""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import torch2jax
from tools.gallery_calls import CALLS, PARAMETERS
from torch2jax.coverage import (
    State,
    Support,
    clean,
    decide,
    known_names,
    read_usage,
    share_of_uses,
)
from torch2jax.targets import TARGETS

ROOT = Path(__file__).parent.parent
USES = ROOT / "tests" / "data" / "api_usage.json"
GALLERY_SIZE = 100

STATES = {
    State.EXACT: "the same values",
    State.ROUNDING: "the same values up to rounding",
    State.ADAPTED: "the same meaning in another form: a key for draws, a new value instead of a changed one",
    State.ERASED: "nothing is left of it, because it has no meaning in JAX",
    State.UNSUPPORTED: "an error that says what to do instead",
    State.UNKNOWN: "an error",
}


def uses() -> dict[str, int]:
    """How often each name is used in published code."""
    return read_usage(USES.read_text(encoding="utf-8"))


# support.md

_REMARKS = """\
Gradients agree up to rounding in every state. `torch.int64`, `torch.float64` and `torch.complex128` have 64-bit elements where
`jax_enable_x64` is set, and 32-bit ones elsewhere. What is refused is an error of the translator, never another result."""


def support_page() -> str:
    """The page of states."""
    supports = [decide(name) for name in known_names()]
    counts = Counter(support.state for support in supports)
    parts = [
        "# What becomes of each public name of torch",
        "Made by `make docs` from the mapping tables; do not edit. `torch2jax support NAME` says the same of one name.",
        _table(
            ["state", "names", "in the translation"],
            [[str(state), str(counts[state]), text] for state, text in STATES.items()],
        ),
        _REMARKS,
        f"Columns: `{'`, `'.join(TARGETS)}`. For `linen`, layers count; what modules do beside that is partly refused yet.",
        "Share of the uses in published code that fall on names translated or erased:",
        _usage_table(),
    ]
    for section, members in groupby(sorted(supports, key=_section_key), key=lambda support: _section(support.name)):
        parts.extend(_support_section(section, list(members)))
    return "\n\n".join(parts) + "\n"


def _usage_table() -> str:
    bands = (100, 250, 800)
    columns = [list(share_of_uses(uses(), bands, target)) for target in TARGETS]
    rows = [
        [
            f"the {row[0].names} most used" if number < len(bands) else f"all {row[0].names}",
            *(f"{b.share:.1%}" for b in row),
        ]
        for number, row in enumerate(zip(*columns, strict=True))
    ]
    return _table(["names", *TARGETS], rows)


def _section(name: str) -> str:
    return name.rpartition(".")[0]


def _section_key(support: Support) -> tuple[int, str, str]:
    section = _section(support.name)
    first = ["torch", "Tensor", "torch.nn", "torch.nn.functional"]
    return first.index(section) if section in first else len(first), section, support.name


def _support_section(section: str, members: Sequence[Support]) -> Iterator[str]:
    yield f"## {section}"
    decided = [support for support in members if support.state is not State.UNKNOWN]
    differing = any(len(set(support.targets.values())) > 1 for support in decided)
    if decided:
        columns = list(TARGETS) if differing else ["state"]
        yield _table(["name", *columns, "JAX", ""], [_support_row(support, differing) for support in decided])
    unknown = [support.name.rpartition(".")[2] for support in members if support.state is State.UNKNOWN]
    if unknown:
        yield "Unknown: " + ", ".join(f"`{name}`" for name in unknown) + "."


def _support_row(support: Support, differing: bool) -> list[str]:
    states = list(support.targets.values()) if differing else [support.state]
    spelling = _cell(clean(support.spelling)) if support.spelling is not None else ""
    return [_cell(support.name.rpartition(".")[2]), *map(str, states), spelling, support.how.replace("|", "\\|")]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Code in a cell of a table: each line on its own."""
    return "<br>".join("`" + line.replace("|", "\\|") + "`" for line in text.splitlines() if line.strip())


# gallery.md


_ABOUT_GALLERY = """\
Made by `make docs` with the translator itself; do not edit. Names are in the order of their use in published code. Calls stand
in functions of tensors (`x`, `y`, `mask`, ...) of unknown rank and whole numbers (`b`, `n`, ...), layers in `__init__` and
`forward` of a module. Functions without a module (`batched`, `pad`, ...) are support functions, which torch2jax copies to the
end of the file. `key` comes from the caller."""


def gallery_page() -> str:
    """The page of pairs, each converted anew."""
    found = uses()
    ranked = sorted(found, key=lambda name: (-found[name], name))[:GALLERY_SIZE]
    rows, longer = [], []
    for name, original, translation in pairs([*ranked, *(name for name in CALLS if name not in ranked)]):
        if "\n " in original or "\n " in translation:
            rows.append([f"`{name}`", "below", "below"])
            longer.append(f"### {name}\n\n{_fenced(original)}\n\n{_fenced(translation)}")
        else:
            rows.append([f"`{name}`", _cell(original), _cell(translation)])
    header = ["", "torch", "JAX"]
    first, others = _table(header, rows[:GALLERY_SIZE]), _table(header, rows[GALLERY_SIZE:])
    title = f"# The {GALLERY_SIZE} most used names of torch in JAX"
    return "\n\n".join([title, _ABOUT_GALLERY, first, "## Some more", others, "## With several lines", *longer]) + "\n"


def _fenced(code: str) -> str:
    return f"```python\n{code}\n```"


def pairs(names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """(name, typical call, its translation); ValueError for a call that is not translated without errors."""
    for name in names:
        program = source_of(CALLS[name])
        conversion = torch2jax.convert(program)
        if not conversion.ok:
            raise ValueError(f"{name}: {[str(remark) for remark in conversion.diagnostics]}\n{program}")
        yield name, shown(program, CALLS[name]), shown(conversion.text, CALLS[name])


HEAD = """\
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


"""


def source_of(call: str | tuple[str, str]) -> str:
    """A whole program with the call in it."""
    if isinstance(call, tuple):
        made, used = call
        arguments = ", ".join(f"{name}: torch.Tensor" for name in _free_names(used) if name != "self")
        init = f"    def __init__(self):\n        super().__init__()\n{textwrap.indent(made, ' ' * 8)}\n"
        forward = f"    def forward(self, {arguments}):\n{textwrap.indent(_body(used), ' ' * 8)}\n"
        return f"{HEAD}class Example(nn.Module):\n{init}\n{forward}"
    if _is_program(call):
        return HEAD + call.strip() + "\n"
    arguments = ", ".join(f"{name}: {PARAMETERS.get(name, 'torch.Tensor')}" for name in _free_names(call))
    return f"{HEAD}def example({arguments}):\n{textwrap.indent(_body(call), '    ')}\n"


def _is_program(call: str) -> bool:
    return call.strip().startswith(("class ", "def "))


def _body(code: str) -> str:
    """Statements that end with a `return`."""
    tree = ast.parse(code).body
    if isinstance(tree[-1], ast.Expr):
        return f"return {code}" if len(tree) == 1 else code
    if isinstance(tree[-1], ast.Return):
        return code
    assert isinstance(tree[-1], ast.Assign)
    return f"{code}\nreturn {ast.unparse(tree[-1].targets[0]).strip('()')}"


def _free_names(code: str) -> list[str]:
    """Names that code reads and does not bind before, in the order of their first place."""
    known = {"torch", "nn", "F", "np", *dir(builtins)}
    found: dict[str, None] = {}
    for statement in ast.parse(code).body:
        names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
        bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        for node in sorted(names, key=lambda node: (node.lineno, node.col_offset)):
            if (
                isinstance(node.ctx, ast.Load)
                and node.id not in known
                and not (node.id in bound and node.id not in "x")
            ):
                found.setdefault(node.id)
        known |= bound
    return list(found)


def shown(program: str, call: str | tuple[str, str]) -> str:
    """The part of a program (or of its translation) that a reader wants to see."""
    tree = ast.parse(program)
    definitions = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    if isinstance(call, str) and _is_program(call):
        end = next((number for number, line in enumerate(program.splitlines(), 1) if line.startswith("# --- ")), None)
        chosen = [node for name, node in definitions.items() if name != "Net" and (end is None or node.lineno < end)]
        return "\n\n\n".join(_lines(program, [node]) for node in chosen)
    if isinstance(call, str):
        given_back = isinstance(ast.parse(call).body[-1], ast.Assign)  # by `_body`, which a reader needs not see
        body = definitions["example"].body[: -1 if given_back else None]
        return _lines(program, body).removeprefix("return ")
    methods = {node.name: node for node in definitions["Example"].body if isinstance(node, ast.FunctionDef)}
    init = [item for item in methods["__init__"].body if "super()" not in ast.unparse(item)]
    forward = methods["forward" if "forward" in methods else "__call__"].body
    return f"{_lines(program, init)}\n{_lines(program, forward).removeprefix('return ')}"


def _lines(program: str, nodes: Sequence[ast.stmt]) -> str:
    decorators = [item.lineno for node in nodes for item in getattr(node, "decorator_list", ())]
    first = min([nodes[0].lineno, *decorators])
    lines = program.splitlines()[first - 1 : nodes[-1].end_lineno]
    return textwrap.dedent("\n".join(lines))


PAGES: Mapping[str, Callable[[], str]] = {"support.md": support_page, "gallery.md": gallery_page}


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
