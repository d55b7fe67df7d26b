"""Scripts of the tests laid into several files, converted as folders, run, and compared with the script as one file.

    python -m tests.fuzz.splits --minutes 30 --seed 1 --target nnx        # make fuzz-splits MINUTES=30 SEED=1

A program of several files is to behave as the same program in one. Scripts come in an order drawn from the seed, each in a few
layouts (`tests/fuzz/layouts.py`). What prints something else, stops, or is reported where the script alone is not, is kept. Translations
whose pieces are those of the single file are only looked at for whether their files can be imported; the outcome of torch is kept
between runs.
"""

import argparse
import ast
import hashlib
import json
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import tests.conftest  # noqa: F401 - XLA as in the tests
from tests.fuzz.layouts import Layout, NotSplit, layouts, write
from tests.fuzz.scripts import CRASHED, EQUAL, FLAGGED, INTERNAL, INVALID, SLOW, WRONG, Outcome
from torch2jax.options import TARGETS, Target

PROGRAMS = Path(__file__).parents[1] / "scripts" / "programs"
# From what is worst; a layout is kept that does worse than the script alone.
WORSE = (WRONG, CRASHED, INTERNAL, SLOW, FLAGGED, EQUAL)
_SECONDS = 150


@dataclass(frozen=True)
class Translated:
    """What became of files: the outcome, and the pieces of their translations."""

    outcome: Outcome
    pieces: str = ""


def main() -> int:
    """Print the figures; 1 if a layout is silently wrong or crashes where the script is not and does not."""
    parser = argparse.ArgumentParser(prog="make fuzz-splits", description=__doc__)
    parser.add_argument("scripts", nargs="*", type=Path, help="scripts to lay out; all of the tests without")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first script")
    parser.add_argument("--layouts", type=int, default=3, help="of each script")
    parser.add_argument("--target", choices=TARGETS, default="equinox")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz_splits"), help="folder for failing layouts")
    options = parser.parse_args()
    load()
    scripts = options.scripts or sorted(PROGRAMS.glob("*.py"))
    if not options.scripts:
        random.Random(options.seed).shuffle(scripts)
    deadline = time.monotonic() + options.minutes * 60
    counts: Counter[str] = Counter()
    worse: Counter[str] = Counter()
    number = options.start
    for script in scripts[options.start :]:
        if time.monotonic() > deadline:
            break
        number += 1
        for kind, is_worse in _judged(script, options):
            counts[kind] += 1
            worse[kind] += is_worse
    _say(
        f"scripts {options.start} to {number}; "
        + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    )
    _say("worse than the script alone: " + (", ".join(f"{count} {kind}" for kind, count in (+worse).items()) or "none"))
    return 1 if any(worse[kind] for kind in (WRONG, CRASHED, INTERNAL)) else 0


def _judged(script: Path, options: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    """The outcome of each layout of a script, and whether it is worse than that of the script alone."""
    source = script.read_text(encoding="utf-8")
    try:
        chosen = list(islice(layouts(source, f"{options.seed}/{script.name}"), options.layouts))
    except NotSplit as reason:
        yield f"not split ({str(reason).partition(':')[0]})", False
        return
    theirs = _kept_outcome(source, options.out.parent / "fuzz_splits_torch") if chosen else None
    if theirs is None:
        yield "not split (nothing moves)" if not chosen else "not run by torch", False
        return
    alone = in_child(judge, {"main.py": source}, theirs, options.target, "")
    for layout in chosen:
        found = in_child(judge, layout.files, theirs, options.target, alone.pieces)
        outcome = found.outcome
        if found.pieces == alone.pieces and outcome.kind == EQUAL:
            outcome = alone.outcome
        is_worse = WORSE.index(outcome.kind) < WORSE.index(alone.outcome.kind)
        if is_worse and outcome.kind != FLAGGED and in_child(run_torch, layout.files) != theirs:
            outcome, is_worse = Outcome(INVALID), False  # torch itself does something else
        if is_worse:
            _keep(script, layout, outcome, options.out)
        yield outcome.kind, is_worse


def _keep(script: Path, layout: Layout, outcome: Outcome, out: Path) -> None:
    name = f"{script.stem}; {layout.name}".replace(";", "").replace(",", "").replace(" ", "_")
    said = f"{outcome.kind} {' '.join(outcome.codes)} {outcome.detail}"
    _say(f"{name}: {said}")
    shutil.rmtree(out / name, ignore_errors=True)
    write(layout.files, out / name)
    (out / name / "outcome.txt").write_text(f"{said}\n", encoding="utf-8")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


# in processes of their own


def load() -> None:
    """Import what programs and their translations use, so that each process that comes of this one has it."""
    import equinox  # noqa: F401
    import flax.linen  # noqa: F401
    import jax  # noqa: F401
    import optax  # noqa: F401
    import torch
    from flax import nnx  # noqa: F401

    import torch2jax.workspace  # noqa: F401

    torch.set_num_threads(1)


def in_child(function: Callable[..., Any], *arguments: object) -> Any:
    """What a function gives in a process of its own; whatever it leaves behind is gone afterwards."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(2 * _SECONDS)
        try:
            with os.fdopen(writer, "wb") as stream:
                pickle.dump(function(*arguments), stream)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        data = stream.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else Translated(Outcome(SLOW)) if function is judge else ""


def _kept_outcome(source: str, folder: Path) -> str | None:
    """What a script prints, once it has been run; None if it stops."""
    place = folder / f"{hashlib.sha256(source.encode()).hexdigest()[:24]}.json"
    if not place.exists():
        folder.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(in_child(run_torch, {"main.py": source})), encoding="utf-8")
    return json.loads(place.read_text(encoding="utf-8")) or None


def run_torch(files: Mapping[str, str]) -> str:
    """What a program prints; nothing if it stops."""
    with tempfile.TemporaryDirectory() as folder:
        write(files, Path(folder))
        printed, failure = _run(Path(folder) / "main.py", Path(folder))
    return "" if failure else printed


def judge(files: Mapping[str, str], theirs: str, target: Target, known: str) -> Translated:
    """Translate files as a folder, run them, and compare what they print; files whose pieces are known are only imported."""
    import torch2jax
    from tests.scripts.test_scripts import differs
    from torch2jax.options import Options

    with tempfile.TemporaryDirectory() as name:
        folder, out = Path(name) / "in", Path(name) / "out"
        write(files, folder)
        found = torch2jax.convert_tree(folder, out, Options(target=target, support="module"))
        errors = [item for result in found.values() for item in result.diagnostics if item.severity.value == "error"]
        codes = tuple(sorted({item.code for item in errors}))
        said = "; ".join(f"{Path(item.path).name}:{item.line}: {item.message}" for item in errors[:2])
        pieces = _pieces({place.relative_to(out).as_posix(): item.text for place, item in found.items()})
        if errors:
            kind = INTERNAL if {"T2J003", "T2J005"} & set(codes) else FLAGGED
            return Translated(Outcome(kind, codes, said), pieces)
        if known and pieces == known:
            _without_body(out / "main.py")
        printed, failure = _run(out / "main.py", Path(name))
    if failure:
        return Translated(Outcome(SLOW if failure.startswith("TimeoutError") else CRASHED, (), failure), pieces)
    detail = None if known and pieces == known else differs(theirs, printed)
    return Translated(Outcome(WRONG, (), _short(detail)) if detail else Outcome(EQUAL), pieces)


def _short(detail: str) -> str:
    return detail.partition(": torch prints")[0][:300]


def _pieces(texts: Mapping[str, str]) -> str:
    """The pieces of files, whatever file they lie in and whatever their names are imported as."""
    homes = {name.removesuffix(".py").rpartition("/")[2] for name in texts}
    imported: set[str] = set(homes) | {name.partition("/")[0] for name in texts}
    trees = [ast.parse(text) for text in texts.values()]
    for node in (item for tree in trees for item in ast.walk(tree)):
        if isinstance(node, ast.Import):
            imported.update(item.asname for item in node.names if item.asname and item.name.rpartition(".")[2] in homes)
    moved: list[str] = []
    script: list[str] = []
    for name, tree in zip(texts, trees, strict=True):
        for node in _Bare(imported).visit(tree).body:
            is_moved = isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Assign)) or name != "main.py"
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                (moved if is_moved else script).append(ast.unparse(node))
    return "\n".join([*sorted(moved), *script])


class _Bare(ast.NodeTransformer):
    """Takes the names of files away in front of what is asked of them."""

    def __init__(self, files: set[str]) -> None:
        self.files = files

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        is_file = isinstance(node.value, ast.Name) and node.value.id in self.files
        return ast.Name(node.attr, node.ctx) if is_file else node


def _without_body(place: Path) -> None:
    """Leave the imports of a file, and what is defined there."""
    tree = ast.parse(place.read_text(encoding="utf-8"))
    kept = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    tree.body = [node for node in tree.body if isinstance(node, kept)]
    place.write_text(ast.unparse(tree) + "\n", encoding="utf-8")


def _run(program: Path, folder: Path) -> tuple[str, str]:
    """What a program prints that is started in a folder, and the error that it ends with."""
    import contextlib
    import io
    import runpy
    import warnings

    def late(number: int, frame: object) -> None:
        raise TimeoutError("it takes too long")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(_SECONDS)
    out = io.StringIO()
    sys.path.insert(0, str(program.parent))
    sys.argv = [program.name]
    os.chdir(folder)
    warnings.simplefilter("ignore")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            runpy.run_path(str(program), run_name="__main__")
    except SystemExit:
        pass
    except Exception as error:  # noqa: BLE001 - whatever a program does is its outcome
        place = error.__traceback__
        while (
            place is not None
            and place.tb_next is not None
            and program.parent.as_posix() in place.tb_next.tb_frame.f_code.co_filename
        ):
            place = place.tb_next
        at = f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}" if place is not None else ""
        return out.getvalue(), f"{type(error).__name__}: {str(error)[:200]} ({at})"
    finally:
        signal.alarm(0)
    return out.getvalue(), ""


if __name__ == "__main__":
    sys.exit(main())
