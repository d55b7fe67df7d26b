"""Times the training steps of translated programs beside programs written by hand and beside torch, all in one run.

    python -m benchmarks.emitted [mlp gpt ...] [--target nnx] [--rounds 3] [--torch] [--translations FOLDER] [--out results.json] [--small]

Each program of `programs/` prints how long its first step takes (which compiles), how long later ones, and
its last loss; so does its twin in `by_hand/TARGET/`, which for NNX runs its step in each of the ways that Flax describes
(`by_hand/nnx/loops.py`). Every round starts each of them once, in processes of their own, so that a machine that
grows slower meanwhile is slower for all; the table shows medians in milliseconds, and ratios to the best of those by hand.
`--translations` reads what was converted elsewhere (on machines without LibCST); without `--torch` torch itself is left out.
Arguments behind `--` are given to each program: `-- --steps 20`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
TARGETS = tuple(sorted(path.name for path in (HERE / "by_hand").iterdir()))
PROGRAMS = tuple(sorted(path.stem for path in (HERE / "programs").glob("*.py")))

# Sizes at which a step takes milliseconds on one core.
SMALL = {
    "mlp": ["--batch", "64", "--width", "256"],
    "cnn": ["--batch", "8", "--width", "16", "--steps", "30"],
    "gpt": ["--batch", "4", "--length", "64", "--width", "96", "--depth", "2", "--steps", "50"],
    "lstm": ["--batch", "16", "--length", "32", "--width", "64"],
    "vae": ["--batch", "64", "--width", "256"],
    "unet": ["--batch", "2", "--size", "32", "--width", "16", "--steps", "30"],
}


def convert(names: list[str], target: str, folder: Path) -> None:
    """Translate the programs into `folder`; a program that is not translated whole is an error of this tool."""
    from torch2jax import Options, convert_file

    for name in names:
        result = convert_file(HERE / "programs" / f"{name}.py", Options(target=target))
        if not result.ok:
            raise SystemExit(f"programs/{name}.py does not come through whole: {result.diagnostics}")
        (folder / f"{name}.py").write_text(result.text, encoding="utf-8")


def by_hand(name: str, target: str) -> dict[str, list[str]]:
    """The programs written by hand that do the same, each with its arguments: `{kind: command}`."""
    program = str(HERE / "by_hand" / target / f"{name}.py")
    if target != "nnx":
        return {"by hand": [program]}
    from benchmarks.emitted.by_hand.nnx.loops import STYLES

    return {f"by hand: {style}": [program, "--style", style] for style in STYLES}


def run(command: list[str], one_core: bool) -> dict[str, float]:
    """What one program measures: seconds of `first` and `step`, and its `loss`."""
    surroundings = dict(os.environ)
    if one_core:
        surroundings["OMP_NUM_THREADS"] = "1"
        surroundings["XLA_FLAGS"] = surroundings.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, env=surroundings, cwd=HERE.parents[1]
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def measure(names: list[str], translations: Path, args: argparse.Namespace) -> dict[str, dict[str, dict[str, float]]]:
    """Medians of each program and kind: `{program: {kind: {"first": s, "step": s}}}`."""
    medians: dict[str, dict[str, dict[str, float]]] = {}
    for name in names:
        program = str(HERE / "programs" / f"{name}.py")
        commands = {"translated": [str(translations / f"{name}.py")]} | by_hand(name, args.target)
        if args.torch:
            commands |= {"torch": [program], "torch.compile": ["-m", "benchmarks.emitted.compiled", program]}
        sizes = [*(SMALL[name] if args.small else []), *args.further]
        found = defaultdict(list)
        for _ in range(args.rounds):
            for kind, command in commands.items():
                found[kind].append(run([*command, *sizes], args.small))
        medians[name] = {
            kind: {item: statistics.median(row[item] for row in rows) for item in ("first", "step")}
            for kind, rows in found.items()
        }
    return medians


def table(medians: dict[str, dict[str, dict[str, float]]]) -> Table:
    """A row for each program: milliseconds of a step of each kind, and the translation's ratio to the best program by hand."""
    kinds = list(next(iter(medians.values())))
    shown = Table(title="training steps (ms), first steps (s)")
    shown.add_column("program")
    for kind in kinds:
        shown.add_column(kind, justify="right")
    shown.add_column("step / by hand", justify="right")
    shown.add_column("first / by hand", justify="right")
    for name, row in medians.items():
        cells = [f"{1e3 * row[kind]['step']:.3f} ({row[kind]['first']:.1f} s)" for kind in kinds]
        best = {
            item: min(row[kind][item] for kind in kinds if kind.startswith("by hand")) for item in ("step", "first")
        }
        shown.add_row(name, *cells, *(f"{row['translated'][item] / best[item]:.2f}" for item in best))
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PROGRAM", help="; ".join(PROGRAMS))
    parser.add_argument("--target", choices=TARGETS, default="equinox")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--small", action="store_true", help="sizes for one core of a processor")
    parser.add_argument("--translations", type=Path)
    parser.add_argument("--out", type=Path)
    given = sys.argv[1:]
    own = given.index("--") if "--" in given else len(given)
    args = parser.parse_args(given[:own])
    args.further = given[own + 1 :]
    names = args.names or list(PROGRAMS)
    with tempfile.TemporaryDirectory() as temporary:
        translations = args.translations or Path(temporary)
        if args.translations is None:
            convert(names, args.target, translations)
        medians = measure(names, translations.resolve(), args)
    Console(width=170).print(table(medians))
    if args.out:
        args.out.write_text(json.dumps(medians, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
