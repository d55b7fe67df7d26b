"""The library: convert text, a file or a folder."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from torch2jax.diagnostics import diagnose
from torch2jax.options import Options
from torch2jax.outputs import check_replaceable, remember, write_all
from torch2jax.pipeline import Conversion, run

_SKIPPED_FOLDERS = ("__pycache__", "node_modules")


def convert(source: str, options: Options | None = None, *, path: str = "<string>") -> Conversion:
    """Translate the text of one program; `path` is the name that diagnostics and the diff give it.

    Nothing is raised for a program that cannot be translated: look at `ok` and `diagnostics` of the result.
    """
    return run(source, path, options or Options())


def convert_file(path: str | os.PathLike[str], options: Options | None = None) -> Conversion:
    """Translate one file, in its own encoding. Nothing is written."""
    name = os.fspath(path)
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        remark = diagnose("T2J002", name, 1, 1, reason=f"cannot read the file: {error.strerror}")
        return Conversion("", "", (remark,), name)
    return run(data, name, replace(options or Options(), follow_imports=True))


def convert_tree(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    options: Options | None = None,
    *,
    force: bool = False,
) -> dict[Path, Conversion]:
    """Translate every `.py` file of a folder and write the same tree of files to `out`; returns what was written where.

    If one file is unreadable nothing is written. Raises OutputError if a file in `out` cannot or must not be replaced
    (`force` allows it).
    """
    pairs = list(pair_tree(Path(path), Path(out)))
    options = replace(options or Options(), files=tuple(str(source) for source, _ in pairs))
    conversions = {output: convert_file(source, options) for source, output in pairs}
    if not any(conversion.unreadable for conversion in conversions.values()):
        write_conversions(conversions, force=force)
    return conversions


def write_conversions(conversions: dict[Path, Conversion], *, force: bool = False) -> None:
    """Write translations, making folders where needed; all or, if one of them must not be written, none."""
    files = {output: conversion.to_bytes() for output, conversion in conversions.items()}
    if not force:
        for output, data in files.items():
            check_replaceable(output, data)
    for output in files:
        output.parent.mkdir(parents=True, exist_ok=True)
    write_all(files)
    remember(files.values())


def pair_tree(folder: Path, out: Path) -> Iterator[tuple[Path, Path]]:
    """Each `.py` file below `folder` with its place below `out`, in sorted order.

    Hidden folders, caches, virtual environments and `out` itself are left out; links to folders are not followed.
    """
    excluded = os.path.realpath(out)
    for name, folders, files in os.walk(folder):
        here = Path(name)
        folders[:] = sorted(
            child for child in folders if not _is_skipped(here / child) and os.path.realpath(here / child) != excluded
        )
        for file in sorted(files):
            if file.endswith(".py"):
                yield here / file, out / here.relative_to(folder) / file


def _is_skipped(folder: Path) -> bool:
    return folder.name.startswith(".") or folder.name in _SKIPPED_FOLDERS or (folder / "pyvenv.cfg").exists()
