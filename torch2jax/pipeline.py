"""From the text of one file to its `Conversion`: read, check, translate, and keep every failure within one remark.

    bytes -> decode -> Python's own syntax check -> (no "torch" in it: done) -> translate_module -> check -> Conversion

The translator is loaded only for files that mention torch, so that all others cost next to nothing.
"""

import dataclasses
import gc
import io
import os
import sys
import textwrap
import threading
import tokenize
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from torch2jax.diagnostics import UNREADABLE, Diagnostic, Severity, diagnose, in_order
from torch2jax.options import Options
from torch2jax.records import dataclass, load_quickly

if TYPE_CHECKING:
    from torch2jax.workspace import Workspace

DEBUG_VARIABLE = "TORCH2JAX_DEBUG"
"""Set in the environment, it lets internal errors through with their traceback."""

# Very deep expressions and long `elif` chains need more than Python's default of 1,000 nested calls. The stack is
# address space only; pages are taken when they are used. A system that grants less is asked for less.
_STACK_SIZES = (512 << 20, 128 << 20, 32 << 20)
_BYTES_PER_CALL = 5 << 10
_DEEP_STACK_LOCK = threading.Lock()  # size of stacks and depth of recursion are settings of the whole process


class InvalidTranslation(Exception):
    """The translator made something that is not Python."""


@dataclass(frozen=True)
class Conversion:
    """One file before and after: `source` and `text`, and what there is to say about the step between them."""

    source: str
    text: str
    diagnostics: tuple[Diagnostic, ...] = ()
    path: str = "<string>"
    encoding: str = "utf-8"
    data: bytes | None = None
    """The bytes that `source` was read from; None if it was given as text."""
    support: tuple[str, ...] = ()
    """The names that `text` imports from the support module of its package, which lies at `support_file` beside the originals."""
    support_file: Path | None = None
    notebook: bytes | None = None
    """The translated notebook, where the original is one: `source` and `text` are then the programs of their cells."""

    @property
    def ok(self) -> bool:
        """Nothing is left for a person to do."""
        return not any(d.severity is Severity.ERROR for d in self.diagnostics)

    @property
    def unreadable(self) -> bool:
        """The input is not a Python program, and `text` is the input."""
        return any(d.code in UNREADABLE for d in self.diagnostics)

    @property
    def changed(self) -> bool:
        """The translation differs from the original."""
        return self.text != self.source

    def to_bytes(self) -> bytes:
        """The translation as a file, in the encoding of the original; untouched files come back byte for byte."""
        if self.data is not None and not self.changed:
            return self.data
        if self.notebook is not None:
            return self.notebook
        return self.text.encode(self.encoding)

    def diff(self, converted_path: str | None = None) -> str:
        """Unified diff from the original to the translation; empty if they are equal."""
        import difflib

        lines = difflib.unified_diff(
            _diffable(self.source), _diffable(self.text), self.path, converted_path or self.path, n=3
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    @cached_property
    def line_map(self) -> Mapping[int, int]:
        """Line of the original -> line of the translation, counted from 1; lines that were removed are missing."""
        return MappingProxyType(_map_lines(self.source, self.text))


def run(source: str | bytes, path: str, options: Options, workspace: "Workspace | None" = None) -> Conversion:
    """Convert one file, of the program that `workspace` holds. User errors and internal errors become diagnostics; nothing is raised for them, but TableError
    is for tables of the user's own that cannot be used.
    """
    check_mappings(options)
    if isinstance(source, bytes):
        try:
            text, encoding = _decode(source)
        except (SyntaxError, UnicodeError, LookupError) as error:
            remark = diagnose("T2J002", path, 1, 1, reason=f"cannot decode the file: {_one_line(error)}")
            return Conversion("", "", (remark,), path, data=source)
        original = Conversion(text, text, (), path, encoding, source)
    else:
        original = Conversion(source, source, (), path)
    return call_with_deep_stack(lambda: _convert(original, options, workspace))


def run_notebook(data: bytes, path: str, options: Options, workspace: "Workspace | None" = None) -> Conversion:
    """Convert a notebook, as `run` does a file; remarks name cells, and lines in them."""
    from torch2jax.syntax.notebook import NotebookError, read_notebook, shown

    try:
        notebook = read_notebook(data)
    except NotebookError as error:
        return Conversion("", "", (diagnose("T2J002", path, 1, 1, reason=str(error)),), path, data=data)
    conversion = run(notebook.text, path, options, workspace)
    places = [(item, notebook.place(item.line)) for item in conversion.diagnostics]
    remarks = [dataclasses.replace(item, cell=cell, line=line) for item, (cell, line) in places]
    return dataclasses.replace(
        conversion,
        source=shown(conversion.source),
        text=shown(conversion.text),
        diagnostics=in_order(remarks),
        data=data,
        notebook=notebook.with_text(conversion.text) if conversion.changed else None,
    )


def check_mappings(options: Options) -> None:
    """Read the tables of the user's own, if there are any. Raises TableError."""
    if options.mappings:
        from torch2jax.own_tables import tables_for

        tables_for(options)


def _convert(original: Conversion, options: Options, workspace: "Workspace | None") -> Conversion:
    checked = _check_syntax(original)
    is_alone = workspace is None and not options.mappings
    if checked.unreadable or (is_alone and "torch" not in original.source):
        return checked
    return _contain_failure(original, lambda: _translate(original, options, workspace))


def _translate(original: Conversion, options: Options, workspace: "Workspace | None") -> Conversion:
    load_quickly("libcst")
    from torch2jax.syntax.source import SourceError
    from torch2jax.translate import translate_module

    try:
        translate = translate_module if workspace is None else partial(translate_module, workspace=workspace)
        translation = translate(original.source, original.path, options)
    except SourceError as error:
        return _unparsable(original, max(error.line, 1), max(error.column, 1), error.message)
    conversion = dataclasses.replace(
        original,
        text=translation.text,
        diagnostics=in_order(translation.diagnostics),
        support=translation.support,
        support_file=translation.support_file,
    )
    try:
        conversion.to_bytes()
    except UnicodeEncodeError as error:
        reason = f"the translation cannot be written in the encoding of the file: {_one_line(error)}"
        return _with_remarks(original, diagnose("T2J002", original.path, 1, 1, reason=reason))
    return _check_translation(conversion) if conversion.changed else conversion


def _check_translation(conversion: Conversion) -> Conversion:
    """Do not trust the passes: text that does not parse is an internal error, and loose ends are told to the user."""
    from torch2jax.emit.check import ProblemKind, check_text

    # Code that is refused and kept may still use torch.
    problems = check_text(conversion.text, original=conversion.source, has_loose_ends=not conversion.ok)
    if any(problem.kind is ProblemKind.SYNTAX for problem in problems):
        raise InvalidTranslation(f"the translation does not parse: {problems[0]}")
    if not problems:
        return conversion
    lines = {new: old for old, new in reversed(tuple(conversion.line_map.items()))}
    remarks = [
        diagnose("T2J005", conversion.path, lines.get(problem.line, 1), 1, kind=problem.kind.phrase, name=problem.name)
        for problem in problems
    ]
    return dataclasses.replace(conversion, diagnostics=in_order([*conversion.diagnostics, *remarks]))


def _contain_failure(original: Conversion, convert: Callable[[], Conversion]) -> Conversion:
    """The one place where an unexpected exception becomes a remark. The text of the file is then left alone."""
    try:
        return convert()
    except Exception as error:  # a fault of the translator must not become a traceback for its user
        if os.environ.get(DEBUG_VARIABLE):
            raise
        reason = textwrap.shorten(f"{type(error).__name__}: {_one_line(error)}", 300, placeholder=" ...")
        return _with_remarks(original, diagnose("T2J003", original.path, 1, 1, where="the file", reason=reason))


def _check_syntax(original: Conversion) -> Conversion:
    """Ask Python itself whether the text is a program; its messages are the ones that users know."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as invalid escapes in strings: they are the user's business
            compile(original.source, "<text>", "exec", dont_inherit=True)  # quicker than a tree of Python objects
    except SyntaxError as error:
        return _unparsable(original, error.lineno or 1, error.offset or 1, error.msg)
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nesting beyond the parser's limits
        return _unparsable(original, 1, 1, _one_line(error) or "too deeply nested")
    return original


def _unparsable(original: Conversion, line: int, column: int, reason: str) -> Conversion:
    reason = reason if reason.startswith("syntax error") else f"syntax error: {reason}"
    return _with_remarks(original, diagnose("T2J001", original.path, max(line, 1), max(column, 1), reason=reason))


def _with_remarks(original: Conversion, *remarks: Diagnostic) -> Conversion:
    return dataclasses.replace(original, diagnostics=remarks)


def _decode(data: bytes) -> tuple[str, str]:
    """Text and encoding as Python reads them (byte order mark, coding line, else UTF-8); line ends are kept."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding), encoding


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _diffable(text: str) -> list[str]:
    """Lines with `\\n` ends. Only these end a line: form feeds and the like are part of Python source lines."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.split("\n")[-1]) else [])


def _map_lines(source: str, text: str) -> dict[int, int]:
    import difflib

    matcher = difflib.SequenceMatcher(None, _diffable(source), _diffable(text), autojunk=False)
    lines: dict[int, int] = {}
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        for offset in range(end - start if new_end > new_start else 0):
            lines[start + offset + 1] = min(new_start + offset, new_end - 1) + 1
    return lines


def call_with_deep_stack(function: Callable[[], Conversion]) -> Conversion:
    """Call in a thread with a stack that holds very deep recursion; exceptions come through."""
    outcome: list[Conversion] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(function())
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread, which raises it
            failures.append(error)

    with _DEEP_STACK_LOCK, _collector_paused():
        limit = sys.getrecursionlimit()
        size = _start_and_join(work, limit)
        sys.setrecursionlimit(limit)
    if failures:
        raise failures[0]
    assert outcome, f"the thread with {size} bytes of stack ended without a result"
    return outcome[0]


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Trees are many small objects that all live to the end: looking for garbage among them takes a third of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _start_and_join(work: Callable[[], None], limit: int) -> int:
    """Run `work` on the largest stack that the system grants; returns its size (0: on the present one)."""
    before = threading.stack_size()
    for size in _STACK_SIZES:
        try:
            threading.stack_size(size)
            thread = threading.Thread(target=work, name="torch2jax", daemon=True)
            sys.setrecursionlimit(max(limit, size // _BYTES_PER_CALL))
            thread.start()
        except (ValueError, RuntimeError):  # a limit on address space or on stacks
            sys.setrecursionlimit(limit)
            continue
        finally:
            threading.stack_size(before)
        thread.join()
        return size
    work()
    return 0
