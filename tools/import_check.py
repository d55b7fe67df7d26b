"""Convert folders and import every file that came out without an error: a translation that is told to be whole must load.

    python -m tools.import_check FOLDER... [--seconds 60]

Prints a line for each file whose import fails, and a count. A file that needs a package which is not installed, or a file of its
program that was told to need a person, is counted apart: neither says anything about the translation. Exit status 1 if one fails.
"""

import argparse
import os
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from torch2jax.api import convert_tree
from torch2jax.pipeline import Conversion
from torch2jax.program.layout import Layout, layout_of


def check_folder(folder: Path, seconds: int) -> Iterator[tuple[str, str, str]]:
    """File, verdict (`imported`, `failed`, `needs`, `slow`, `beside`) and reason for each clean file of a folder."""
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary).resolve() / folder.resolve().name
        conversions = convert_tree(folder, out)
        files = [path for path, item in conversions.items() if path.suffix == ".py" and not item.unreadable]
        layout = layout_of([*files, *out.rglob("_torch2jax*.py")])
        flagged = {str(path) for path in files if not conversions[path].ok}
        for path in files:
            if is_clean(conversions[path]):
                verdict, reason = import_alone(path, layout, flagged, seconds)
                yield str(path.relative_to(out)), verdict, reason


def is_clean(conversion: Conversion) -> bool:
    return conversion.ok and conversion.changed


def import_alone(path: Path, layout: Layout, flagged: set[str], seconds: int) -> tuple[str, str]:
    """Import one file in a process of its own that has loaded the libraries already."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(seconds)
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.write(writer, outcome(path, layout, flagged).encode("utf-8", "replace")[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode("utf-8", "replace")
    os.waitpid(child, 0)
    verdict, _, reason = text.partition("\n")
    return (verdict, reason) if verdict else ("slow", f"longer than {seconds} seconds")


def outcome(path: Path, layout: Layout, flagged: set[str]) -> str:
    """What becomes of an import, as `verdict`, a line end and the reason."""
    import importlib

    root, parts = layout.module_of(path)
    sys.path[:0] = [str(root), str(path.parent), *map(str, sorted(layout.searched()))]
    own = {layout.module_of(file)[1][0] for file in layout.files or ()}
    for name in [item for item in sys.modules if item.partition(".")[0] in own]:
        del sys.modules[name]  # a package of this name that stands elsewhere: `tools`
    sys.argv = [str(path)]
    os.chdir(path.parent)
    try:
        importlib.import_module(".".join(parts))
    except SystemExit:
        return "imported\n"  # a script that asks for arguments
    except ModuleNotFoundError as error:
        top = (error.name or "").partition(".")[0]
        local = any(top in (file.stem, *(folder.name for folder in file.parents)) for file in layout.files or ())
        if not local and top not in ("torch", "torchvision"):
            return f"needs\n{error.name}"
        return failure(error, path, flagged)
    except BaseException as error:  # noqa: BLE001 - whatever the program raises is told
        return failure(error, path, flagged)
    return "imported\n"


def failure(error: BaseException, path: Path, flagged: set[str]) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".py")]
    own = [frame for frame in frames if frame.filename in flagged or frame.filename.startswith(str(path.anchor))]
    if any(frame.filename in flagged for frame in frames):
        return "beside\n"
    line = own[-1].lineno if own else 0
    where = Path(own[-1].filename).name if own else path.name
    if isinstance(error, (FileNotFoundError, ConnectionError, PermissionError)):
        return f"needs\n{error}"
    return f"failed\n{where}:{line}: {type(error).__name__}: {' '.join(str(error).split())[:200]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    chosen = parser.parse_args()
    import equinox  # noqa: F401 - loaded once for all
    import jax  # noqa: F401
    import optax  # noqa: F401

    counts: Counter[str] = Counter()
    for folder in chosen.folders:
        for file, verdict, reason in check_folder(folder, chosen.seconds):
            counts[verdict] += 1
            if verdict in ("failed", "slow"):
                sys.stdout.write(f"{verdict:8} {folder.name}/{file}: {reason}\n")
                sys.stdout.flush()
    summary = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) or "nothing to import"
    sys.stdout.write(f"{summary}\n")
    return int(counts["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
