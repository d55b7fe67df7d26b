"""A notebook as one program and back: its code cells, one after the other, between lines that say where each begins.

    "torch2jax: cell 2"          the second cell of the notebook, if it is one of code
    import torch
    "torch2jax: magic 1"         a line such as `%matplotlib inline`, which is IPython's and not Python's, or `from __future__`

Such lines are texts that do nothing, so whatever translates programs leaves them where they are. Cells, Markdown and metadata
are kept; outputs and execution counts are dropped, for they are those of the original.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torch2jax.records import dataclass

SUFFIX = ".ipynb"
CELL, MAGIC = "torch2jax: cell ", "torch2jax: magic "
SUPPORT_CELL = 0
_FOLDED = {"jupyter": {"source_hidden": True}}
_BORDER = re.compile(rf'(?m)^"{CELL}(\d+)"[^\S\n]*\n?')
_MARK = re.compile(rf'"{MAGIC}(\d+)"|torch2jax_magic\((\d+)\)')
_MAGIC_LINE = re.compile(r"(?P<indent>\s*)(?P<target>(?:[\w.,\s\[\]]+=\s*)?)(?P<magic>[%!].*|\?.*|[\w.]+\?{1,2}\s*)$")
_FUTURE = re.compile(r"(?m)^from __future__ import [^\n(\\]*$")
_PYTHON_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")  # the rest of such a cell is Python


class NotebookError(ValueError):
    """A file that is no notebook of Python; the message is one line."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook (`content`, as nbformat has it) and its program. `magics` are what stands for the numbered marks, `places` the
    cell and line of each line of the program.
    """

    content: Any
    text: str
    magics: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    def place(self, line: int) -> tuple[int, int]:
        """The cell, and the line in it, of a line of the program; all count from 1."""
        return self.places[min(line, len(self.places)) - 1] if self.places else (1, 1)

    def with_text(self, text: str) -> bytes:
        """The notebook with the cells of a new program."""
        import nbformat

        content = nbformat.from_dict(json.loads(json.dumps(self.content)))  # type: ignore[no-untyped-call]
        cells = dict(_cells_of(text))
        support = cells.pop(SUPPORT_CELL, None)
        for number, cell in enumerate(content.cells, 1):
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
                cell.source = self._restored(cells.get(number, ""))
        if support is not None:
            last = _cell_before(text, SUPPORT_CELL)
            content.cells.insert(last, _support_cell(content, support))
        written: str = nbformat.writes(content)  # type: ignore[no-untyped-call]
        return f"{written}\n".encode()

    def _restored(self, text: str) -> str:
        """The text of a cell with its magics."""
        return _MARK.sub(lambda found: self.magics[int(found[1] or found[2]) - 1], text).strip("\n")


def read_notebook(data: bytes) -> Notebook:
    """The program of a notebook. Raises NotebookError."""
    import nbformat

    try:
        content = nbformat.reads(data.decode("utf-8"), as_version=4)  # type: ignore[no-untyped-call]
    except (ValueError, KeyError, TypeError, AttributeError, UnicodeDecodeError, nbformat.ValidationError) as error:
        raise NotebookError(f"not a notebook: {' '.join(str(error).split())[:200]}") from error
    language = content.metadata.get("language_info", {}).get("name") or "python"
    if not str(language).lower().startswith(("python", "ipython")):
        raise NotebookError(f"a notebook of {language}, not of Python")
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    magics: list[str] = []
    for number, cell in enumerate(content.cells, 1):
        if cell.cell_type == "code":
            lines.append(f'"{CELL}{number}"')
            places.append((number, 1))
            masked = _masked(cell.source, magics).split("\n")
            lines += masked
            places += [(number, line) for line in range(1, len(masked) + 1)]
    return Notebook(content, "".join(f"{line}\n" for line in lines), tuple(magics), tuple(places))


def read_program(file: Path) -> bytes:
    """The bytes of a Python file, or those of the program that a notebook is. Raises OSError and NotebookError."""
    data = file.read_bytes()
    return read_notebook(data).text.encode() if file.suffix == SUFFIX else data


def shown(text: str) -> str:
    """A program of cells as editors show such files, with `# %%` above each."""
    return _BORDER.sub(lambda found: f"# %% cell {found[1]}\n" if int(found[1]) else "# %% support code\n", text)


def is_border(text: str) -> bool:
    """Whether the text of a statement marks the beginning of a cell."""
    return text.startswith(f'"{CELL}')


def border(number: int) -> str:
    """The line that marks the beginning of a cell."""
    return f'"{CELL}{number}"'


def _cells_of(text: str) -> Iterator[tuple[int, str]]:
    """The cells of a program; what stands above the first belongs to it."""
    pieces = _BORDER.split(text)
    head = pieces[0].strip("\n")
    for number, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        body = piece.strip("\n")
        yield int(number), f"{head}\n{body}" if head else body
        head = ""


def _cell_before(text: str, number: int) -> int:
    """The number of the cell behind which another one stands."""
    order = [int(found) for found in _BORDER.findall(text)]
    place = order.index(number)
    return order[place - 1] if place else 0


def _support_cell(content: Any, text: str) -> Any:
    import nbformat

    cell = nbformat.v4.new_code_cell(text, metadata=_FOLDED)  # type: ignore[no-untyped-call]
    if (content.nbformat, content.nbformat_minor) < (4, 5):
        cell.pop("id", None)
    return cell


def _masked(source: str, magics: list[str]) -> str:
    """The text of a cell in which marks stand for magics."""
    if source.lstrip().startswith("%%"):
        first, _, rest = source.lstrip().partition("\n")
        if not first.startswith(_PYTHON_MAGICS):
            return _mark(source, magics)
        return f"{_mark(first, magics)}\n{_masked(rest, magics)}"
    source = _FUTURE.sub(lambda line: _mark(line[0], magics), source)  # which only stand at the top of a program
    if _is_python(source):
        return source
    lines = source.split("\n")
    for i, line in enumerate(lines):
        found = _MAGIC_LINE.fullmatch(line)
        if found is None or (found["magic"].endswith("?") and not found["magic"].startswith("?") and found["target"]):
            continue
        if found["target"]:
            magics.append(found["magic"])
            lines[i] = f"{found['indent']}{found['target']}torch2jax_magic({len(magics)})"
        else:
            lines[i] = f"{found['indent']}{_mark(found['magic'], magics)}"
    return "\n".join(lines)


def _mark(text: str, magics: list[str]) -> str:
    magics.append(text)
    return f'"{MAGIC}{len(magics)}"'


def _is_python(source: str) -> bool:
    try:
        compile(source, "<cell>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


__all__ = ["SUFFIX", "Notebook", "NotebookError", "border", "is_border", "read_notebook", "read_program", "shown"]
