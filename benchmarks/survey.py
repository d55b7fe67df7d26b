"""What conversion makes of real code: a tool for maintainers that converts folders of programs and groups what went wrong.

    python -m benchmarks.survey FOLDER... [--jobs 2] [--sample 800] [--target nnx] [--limit 20] [--list T2J200]

Nothing is written. An internal error is found with the handling that users have, then repeated to learn where it arose.
"""

import argparse
import ast
import contextlib
import ctypes
import os
import random
import re
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch2jax
from torch2jax.emit.check import undefined_names
from torch2jax.pipeline import DEBUG_VARIABLE
from torch2jax.program.program import needs_torch

SLOW_SECONDS = 2.0
_QUOTED = re.compile(r"`([^`]*)`")
_LINES_SHOWN = 12


class OutOfTime(BaseException):
    """Put into a conversion that takes too long. No `Exception`, so that no handler takes it for a fault."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one file showed; `crash` says where an internal error arose, `invalid` and `leftover` what is wrong with the text."""

    path: str
    lines: int
    seconds: float
    remarks: tuple[tuple[str, int, str], ...] = ()
    ok: bool = False
    changed: bool = False
    crash: str = ""
    invalid: str = ""
    leftover: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    unmarked: tuple[str, ...] = ()


def survey_file(path: Path, target: str, limit: float) -> Found:
    """Convert one file and judge the result."""
    os.environ.pop(DEBUG_VARIABLE, None)
    options = torch2jax.Options(target=target)  # type: ignore[arg-type]
    start = time.process_time()
    try:
        with _time_limit(limit):
            conversion = torch2jax.convert_file(path, options)
    except OutOfTime as error:
        return Found(str(path), 0, time.process_time() - start, crash=f"out of time: {_place(error)}")
    seconds = time.process_time() - start
    remarks = tuple((remark.code, remark.line, remark.message) for remark in conversion.diagnostics)
    crash = _find_crash(path, options) if any(code == "T2J003" for code, _, _ in remarks) else ""
    invalid, leftover, undefined, unmarked = "", (), (), ()
    if conversion.changed:
        invalid, leftover, undefined, unmarked = _judge(conversion.source, conversion.text)
    return Found(
        path=str(path),
        lines=conversion.source.count("\n"),
        seconds=seconds,
        remarks=remarks,
        ok=conversion.ok,
        changed=conversion.changed,
        crash=crash,
        invalid=invalid,
        leftover=leftover,
        undefined=undefined,
        unmarked=unmarked,
    )


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the thread that converts, once it has run too long."""

    def stop() -> None:
        for thread in threading.enumerate():
            if thread.name == "torch2jax" and thread.ident is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(OutOfTime))

    timer = threading.Timer(seconds, stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _find_crash(path: Path, options: torch2jax.Options) -> str:
    os.environ[DEBUG_VARIABLE] = "1"
    try:
        torch2jax.convert_file(path, options)
    except Exception as error:  # noqa: BLE001 - any fault of the translator is what this looks for
        return f"{_place(error)}: {type(error).__name__}: {' '.join(str(error).split())[:100]}"
    finally:
        del os.environ[DEBUG_VARIABLE]
    return "not repeated"


def _place(error: BaseException) -> str:
    """The innermost two places of the package in a traceback."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "torch2jax" in Path(frame.filename).parts]
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames[-2:]))


def _judge(source: str, text: str) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Why the text is no Python, which torch modules it imports, which names it lost, and which of torch without a remark."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            before, after = undefined_names(source), undefined_names(text)
    except (SyntaxError, ValueError) as error:
        return f"{type(error).__name__}: {error}", (), (), ()
    torch_names, lost = _torch_bindings(source), after - before
    lines = text.split("\n")
    unmarked = tuple(_find_unmarked(tree, lost & torch_names, lines))
    return "", tuple(_torch_modules(tree)), tuple(sorted(lost - torch_names)), unmarked


def _find_unmarked(tree: ast.Module, names: frozenset[str], lines: list[str]) -> Iterator[str]:
    """Statements that use one of the names although no comment above them, or above what holds them, says so."""
    stack: list[tuple[ast.AST, bool, int]] = [(tree, False, 1)]
    while stack and names:
        node, marked, line = stack.pop()
        if isinstance(node, ast.stmt):
            line = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
            above = line - 2
            while above >= 0 and lines[above].strip().startswith("#"):
                marked = marked or "torch2jax: T2J" in lines[above]
                above -= 1
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load) and not marked:
            yield f"{node.id} in `{lines[node.lineno - 1].strip()[:90]}`"
        stack.extend((child, marked, line) for child in ast.iter_child_nodes(node))


def _torch_bindings(source: str) -> set[str]:
    """Names that imports of torch bind: refused code that is kept as it was may still use them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name.split(".")[0] for alias in node.names if needs_torch(alias.name)}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and needs_torch(node.module or ""):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def _torch_modules(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if _is_torch(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and _is_torch(node.module or ""):
            yield node.module or ""


def _is_torch(module: str) -> bool:
    return module.partition(".")[0] == "torch"


def find_files(folders: Iterable[Path], sample: int | None) -> list[Path]:
    """The `.py` files that mention torch, or as many of them, always the same ones."""
    files: list[Path] = []
    for folder in folders:
        below = [folder] if folder.is_file() else sorted(folder.rglob("*.py"))
        files.extend(path for path in below if b"torch" in path.read_bytes())
    if sample is not None and len(files) > sample:
        files = sorted(random.Random(0).sample(files, sample))
    return files


def report(found: list[Found], listed: str | None) -> None:
    """Print the tables."""
    lines, seconds = sum(item.lines for item in found), sum(item.seconds for item in found)
    print(
        f"files {len(found)}   changed {sum(f.changed for f in found)}   ok {sum(f.ok for f in found)}   lines {lines:,}"
    )
    print(f"{lines / max(seconds, 1e-9):,.0f} lines per CPU second")
    _group("internal errors (T2J003)", ((item.crash, item.path) for item in found if item.crash))
    _group("output is not Python", ((item.invalid, item.path) for item in found if item.invalid))
    _group("output imports torch", ((name, item.path) for item in found for name in item.leftover))
    _group("undefined names, not of torch", ((name, item.path) for item in found for name in item.undefined))
    _group("torch left without a remark", ((name, item.path) for item in found for name in item.unmarked))
    loose = (
        (message, f"{item.path}:{line}") for item in found for code, line, message in item.remarks if code == "T2J005"
    )
    _group("loose ends (T2J005)", loose)
    slow = sorted((item for item in found if item.seconds > SLOW_SECONDS), key=lambda item: -item.seconds)
    print(f"\nfiles over {SLOW_SECONDS:g} s: {len(slow)}")
    for item in slow[:_LINES_SHOWN]:
        print(f"  {item.seconds:6.1f} s  {item.lines:>6} lines  {item.path}")
    _count("remarks by code", (code for item in found for code, _, _ in item.remarks))
    _count("remarks by name", (_name(code, message) for item in found for code, _, message in item.remarks))
    if listed:
        _group(
            listed,
            ((message, f"{f.path}:{line}") for f in found for code, line, message in f.remarks if code == listed),
        )


def _name(code: str, message: str) -> str:
    quoted = _QUOTED.findall(message)
    return f"{code} {quoted[0][:60] if quoted else message[:60]}"


def _count(title: str, items: Iterable[str]) -> None:
    print(f"\n{title}:")
    for item, count in Counter(items).most_common(3 * _LINES_SHOWN):
        print(f"  {count:>6}  {item}")


def _group(title: str, items: Iterable[tuple[str, str]]) -> None:
    groups: dict[str, list[str]] = {}
    for key, place in items:
        groups.setdefault(key, []).append(place)
    print(f"\n{title}: {sum(map(len, groups.values()))}")
    for key, places in sorted(groups.items(), key=lambda group: -len(group[1]))[: 3 * _LINES_SHOWN]:
        print(f"  {len(places):>4}  {key}\n          {places[0]}")


def main() -> None:
    """Read the command line, convert everything, print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sample", type=int, help="at most this many files")
    parser.add_argument("--target", default="equinox")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for one file")
    parser.add_argument(
        "--list", dest="listed", metavar="CODE", help="show the places of this code, grouped by message"
    )
    chosen = parser.parse_args()
    files = find_files(chosen.folders, chosen.sample)
    work = partial(survey_file, target=chosen.target, limit=chosen.limit)
    if chosen.jobs < 2:
        found = [work(path) for path in files]
    else:
        with ProcessPoolExecutor(chosen.jobs) as pool:
            found = list(pool.map(work, files, chunksize=4))
    report(found, chosen.listed)


if __name__ == "__main__":
    main()
