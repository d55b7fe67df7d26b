"""The settings of a project: the table `[tool.torch2jax]` of the nearest pyproject.toml that has one.

    [tool.torch2jax]
    target = "nnx"                    # as --target
    support = "import"                # as --support
    parallel = "pmap"                 # as --parallel
    mappings = ["tables/ops.yaml"]    # as --mappings, relative to this file
    jobs = 4                          # as --jobs

Whatever is said on the command line counts instead.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch2jax.options import PARALLELS, SUPPORTS, TARGET_NAMES, Parallel, Support, Target
from torch2jax.records import dataclass

FILE, TABLE = "pyproject.toml", "tool.torch2jax"


class SettingsError(ValueError):
    """Settings that make no sense; the message is one line that names the file."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project has chosen; None for what it has not."""

    target: Target | None = None
    support: Support | None = None
    mappings: tuple[str, ...] | None = None
    jobs: int | None = None
    parallel: Parallel | None = None


def find_settings(start: Path) -> Settings:
    """The settings that hold for a file or folder: those of the nearest folder above it that has some."""
    place = start.resolve()
    for folder in (place, *place.parents) if place.is_dir() else place.parents:
        file = folder / FILE
        table = _read_table(file) if file.is_file() else None
        if table is not None:
            return read_settings(table, file)
    return Settings()


def _read_table(file: Path) -> Mapping[str, Any] | None:
    """The table of a file; None if it has none."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if "torch2jax" not in text:
        return None
    import tomllib

    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{_shown(file)}: not TOML: {error}") from error
    tools = content.get("tool")
    table = tools.get("torch2jax") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{_shown(file)}: `{TABLE}` must be a table")
    return table


def read_settings(table: Mapping[str, Any], file: Path) -> Settings:
    """The settings that a table of a file says. Raises SettingsError."""

    def need(condition: object, message: str) -> None:
        if not condition:
            raise SettingsError(f"{_shown(file)}: [{TABLE}] {message}")

    known = Settings.__slots__
    for key in table:
        need(key in known, f"has no key `{key}`; the keys are {', '.join(known)}")
    target, support, mappings, jobs = (table.get(key) for key in ("target", "support", "mappings", "jobs"))
    need(target is None or target in list(TARGET_NAMES), f"`target` must be one of {', '.join(TARGET_NAMES)}")
    need(support is None or support in list(SUPPORTS), f"`support` must be one of {', '.join(SUPPORTS)}")
    parallel = table.get("parallel")
    need(parallel is None or parallel in list(PARALLELS), f"`parallel` must be one of {', '.join(PARALLELS)}")
    is_list = isinstance(mappings, list) and all(isinstance(item, str) for item in mappings)
    need(mappings is None or is_list, "`mappings` must be a list of file names")
    need(jobs is None or (type(jobs) is int and jobs > 0), "`jobs` must be a positive whole number")
    return Settings(
        None if target is None else TARGET_NAMES[target],
        support,
        None if mappings is None else tuple(_shown(file.parent / item) for item in mappings),
        jobs,
        parallel,
    )


def _shown(file: Path) -> str:
    """A path as a user would write it here: relative if it lies below the working directory."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith(os.pardir) else relative
