"""Compare what two checkouts make of the same files: texts and all remarks, byte for byte.

    make differential ARGS="main"                                  # this tree beside a revision
    make differential ARGS="main . --folder ../repositories --jobs 2 --show 20"
    make differential ARGS="/other/checkout main --fuzz 400 --no-cases"

A side is a revision of git, which gets a worktree for as long as it takes, or the path of a checkout. Both convert the cases of
the tests, the samples, random programs (those of `make fuzz`) and the files of folders. Exit status 1 if anything differs.
"""

import argparse
import contextlib
import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_WORKER = """
import json, sys
import torch2jax
for line in sys.stdin:
    path = json.loads(line)
    found = torch2jax.convert_file(path, torch2jax.Options(support="import"))
    print(json.dumps([found.text, [str(remark) for remark in found.diagnostics]]), flush=True)
"""


@dataclass(frozen=True)
class Result:
    """What one side makes of a file."""

    text: str
    remarks: tuple[str, ...]


DIED = Result("", ("the process of the conversion ended",))


class Side:
    """One checkout, with a process that converts files by it."""

    def __init__(self, checkout: Path) -> None:
        self._checkout = checkout
        self._process: subprocess.Popen[str] | None = None

    def convert(self, path: Path) -> Result:
        """The conversion of a file; `DIED` if it takes the process along."""
        if self._process is None:
            environment = os.environ | {"PYTHONPATH": str(self._checkout), "PYTHONHASHSEED": "0"}
            command = [sys.executable, "-c", _WORKER]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                command,
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
                cwd=self._checkout,
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            print(json.dumps(str(path)), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            self.close()
            return DIED
        line = self._process.stdout.readline()
        if not line:
            self.close()
            return DIED
        text, remarks = json.loads(line)
        return Result(text, tuple(remarks))

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


@contextlib.contextmanager
def checkout(name: str) -> Iterator[Path]:
    """The folder of a side: a path as it is, a revision in a worktree of its own."""
    if Path(name).is_dir():
        yield Path(name).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "checkout")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(place), name], check=True)
        try:
            yield place
        finally:
            subprocess.run([*git, "remove", "--force", str(place)], check=True)


def programs(options: argparse.Namespace, folder: Path) -> list[Path]:
    """The files that are converted; random ones are written to `folder`."""
    found: list[Path] = []
    if options.cases:
        inputs = [*ROOT.glob("tests/cases/**/*.py"), *ROOT.glob("tests/scripts/programs/**/*.py")]
        found += [
            path for path in inputs if not path.name.endswith(".expected.py") and not path.name.startswith("test_")
        ]
        found += [path for path in ROOT.glob("samples/*.py") if not path.stem.endswith("_jax")]
    for place in options.folder:
        found += [path.resolve() for path in Path(place).glob("**/*.py") if not _is_hidden(path)]
    return [*sorted(found), *_random_programs(options.fuzz, options.seed, folder)]


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in path.parts)


def _random_programs(count: int, seed: int, folder: Path) -> Iterator[Path]:
    if not count:
        return
    from tests.fuzz.generate import generate

    for number in range(count):
        path = folder / f"fuzz_{seed}_{number}.py"
        path.write_text(generate(number, seed).source, encoding="utf-8")
        yield path


def compare(sides: tuple[Path, Path], paths: Sequence[Path], jobs: int) -> Iterator[tuple[Path, Result, Result]]:
    """What both sides make of all files, in their order."""

    def work(part: Sequence[Path]) -> list[tuple[Path, Result, Result]]:
        pair = (Side(sides[0]), Side(sides[1]))
        try:
            return [(path, pair[0].convert(path), pair[1].convert(path)) for path in part]
        finally:
            for side in pair:
                side.close()

    size = max(1, min(50, len(paths) // (jobs * 4)))
    parts = [paths[start : start + size] for start in range(0, len(paths), size)]
    with ThreadPoolExecutor(jobs) as pool:
        for results in pool.map(work, parts):
            yield from results


def difference(path: Path, old: Result, new: Result) -> str:
    """What has changed, as a unified diff of the remarks and of the text."""
    lines = ([*side.remarks, *side.text.splitlines()] for side in (old, new))
    return "\n".join(difflib.unified_diff(*lines, f"{path} (old)", f"{path} (new)", lineterm="", n=1))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the differences and the figures."""
    parser = argparse.ArgumentParser(
        prog="make differential", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("old", help="a revision or the path of a checkout")
    parser.add_argument("new", nargs="?", default=str(ROOT), help="the same; this tree if left out")
    parser.add_argument("--folder", action="append", default=[], help="convert the files of this folder, too")
    parser.add_argument("--fuzz", type=int, default=100, help="so many random programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-cases", dest="cases", action="store_false", help="neither cases nor samples")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="print so many differences in full")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    with (
        checkout(options.old) as old,
        checkout(options.new) as new,
        tempfile.TemporaryDirectory() as folder,
    ):
        for path, before, after in compare((old, new), programs(options, Path(folder)), options.jobs):
            counts["files"] += 1
            if before == after:
                continue
            counts["differ"] += 1
            counts["other texts"] += before.text != after.text
            counts["other remarks"] += before.remarks != after.remarks
            _say(difference(path, before, after) if counts["differ"] <= options.show else f"{path} differs")
    _say(", ".join(f"{counts[name]} {name}" for name in ("files", "differ", "other texts", "other remarks")))
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
