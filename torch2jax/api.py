"""The library: convert text, a file or a folder."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from torch2jax.diagnostics import diagnose
from torch2jax.options import Options
from torch2jax.outputs import check_replaceable, remember, write_all
from torch2jax.pipeline import Conversion, run, run_notebook
from torch2jax.records import load_quickly

if TYPE_CHECKING:
    from torch2jax.program.layout import Layout
    from torch2jax.workspace import Workspace

_SKIPPED_FOLDERS = ("__pycache__", "node_modules")


def convert(source: str, options: Options | None = None, *, path: str = "<string>") -> Conversion:
    """Translate the text of one program; `path` is the name that diagnostics and the diff give it.

    Nothing is raised for a program that cannot be translated: look at `ok` and `diagnostics` of the result.
    """
    return run(source, path, options or Options())


def convert_file(path: str | os.PathLike[str], options: Options | None = None) -> Conversion:
    """Translate one file, in its own encoding, or a notebook (`.ipynb`). Nothing is written."""
    return _convert_file(os.fspath(path), replace(options or Options(), follow_imports=True), None)


def _convert_file(name: str, options: Options, workspace: "Workspace | None") -> Conversion:
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        remark = diagnose("T2J002", name, 1, 1, reason=f"cannot read the file: {error.strerror}")
        return Conversion("", "", (remark,), name)
    convert_data = run_notebook if name.endswith(".ipynb") else run
    return convert_data(data, name, options, workspace)


def convert_program(
    files: Iterable[str | os.PathLike[str]],
    options: Options | None = None,
    *,
    jobs: int = 1,
    done: Callable[[str], None] = lambda name: None,
) -> list[Conversion]:
    """Translate files that belong together, in their order; nothing is written. Files that no import connects are programs of
    their own, which `jobs` processes share. `done` is told the name of each file that is finished.
    """
    from torch2jax.program.layout import layout_of

    names = [os.fspath(file) for file in files]
    paths = {Path(name).resolve(): name for name in names}
    layout, options = layout_of(paths), replace(options or Options(), follow_imports=True)
    groups = sorted(layout.groups(), key=len, reverse=True)
    found: dict[str, Conversion] = {}
    for conversion in _spread(layout, options, [[paths[file] for file in group] for group in groups], jobs):
        found[conversion.path] = conversion
        done(conversion.path)
    return [found[name] for name in names]


def _convert_group(layout: "Layout", options: Options, names: Sequence[str]) -> Iterator[Conversion]:
    load_quickly("libcst")
    from torch2jax.workspace import Workspace

    workspace = Workspace(options, layout, tuple(Path(name).resolve() for name in names))
    for name in names:
        yield _convert_file(name, options, workspace)


def _all_of_group(layout: "Layout", options: Options, names: Sequence[str]) -> list[Conversion]:
    return list(_convert_group(layout, options, names))


def _spread(layout: "Layout", options: Options, groups: Sequence[Sequence[str]], jobs: int) -> Iterator[Conversion]:
    """The translations of programs, by several processes if there are several programs."""
    if min(jobs, len(groups)) < 2:
        for group in groups:
            yield from _convert_group(layout, options, group)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed

    with ProcessPoolExecutor(min(jobs, len(groups))) as pool:
        for future in as_completed([pool.submit(_all_of_group, layout, options, group) for group in groups]):
            yield from future.result()


def convert_tree(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    options: Options | None = None,
    *,
    force: bool = False,
    jobs: int = 1,
    exclude: Sequence[str] = (),
) -> dict[Path, Conversion]:
    """Translate every program and notebook of a folder and write the same tree of files to `out`; returns what became of each, by the place
    of its translation. Files that cannot be read are not written; `exclude` are patterns of files and folders to leave out.
    Without options, files share their support code in one module for each package.

    Raises OutputError if a file in `out` cannot or must not be replaced (`force` allows it).
    """
    pairs = list(pair_tree(Path(path), Path(out), exclude))
    options = options or Options(support="module")
    found = convert_program([source for source, _ in pairs], options, jobs=jobs)
    conversions = {output: conversion for (_, output), conversion in zip(pairs, found, strict=True)}
    write_conversions({output: item for output, item in conversions.items() if not item.unreadable}, force=force)
    return conversions


def write_conversions(conversions: Mapping[Path, Conversion], *, force: bool = False) -> None:
    """Write translations and the support modules that they share, making folders where needed; all or, if one of them must not
    be written, none.
    """
    files = {output: conversion.to_bytes() for output, conversion in conversions.items()}
    files |= support_modules(conversions)
    if not force:
        for output, data in files.items():
            check_replaceable(output, data)
    for output in files:
        output.parent.mkdir(parents=True, exist_ok=True)
    write_all(files)
    remember(files.values())


def support_modules(conversions: Mapping[Path, Conversion]) -> dict[Path, bytes]:
    """The modules of support code that translations share, by their places beside them."""
    from torch2jax.emit.support import support_module

    names: dict[Path, set[str]] = {}
    for output, conversion in conversions.items():
        if conversion.support_file is not None:
            beside = os.path.relpath(conversion.support_file, Path(conversion.path).resolve().parent)
            names.setdefault(Path(os.path.normpath(output.parent / beside)), set()).update(conversion.support)
    return {place: support_module(found).encode() for place, found in names.items()}


def pair_tree(folder: Path, out: Path, exclude: Sequence[str] = ()) -> Iterator[tuple[Path, Path]]:
    """Each `.py` file and notebook below `folder` with its place below `out`, in sorted order.

    Hidden folders, caches, virtual environments and `out` itself are left out, and what a pattern of `exclude` matches: a name
    (`test_*.py`) or a path below `folder` (`docs/conf.py`); links to folders are not followed.
    """
    excluded = os.path.realpath(out)
    for name, folders, files in os.walk(folder):
        here = Path(name)
        folders[:] = sorted(
            child
            for child in folders
            if not _is_skipped(here / child)
            and os.path.realpath(here / child) != excluded
            and not _is_excluded((here / child).relative_to(folder), exclude)
        )
        for file in sorted(files):
            if file.endswith((".py", ".ipynb")) and not _is_excluded((here / file).relative_to(folder), exclude):
                yield here / file, out / here.relative_to(folder) / file


def _is_skipped(folder: Path) -> bool:
    return folder.name.startswith(".") or folder.name in _SKIPPED_FOLDERS or (folder / "pyvenv.cfg").exists()


def _is_excluded(path: Path, patterns: Sequence[str]) -> bool:
    """Whether a pattern matches a path: its last part, or all of it."""
    plain = [pattern.rstrip("/").removeprefix("./") for pattern in patterns]
    return any(fnmatchcase(path.name, pattern) or fnmatchcase(path.as_posix(), pattern) for pattern in plain)
