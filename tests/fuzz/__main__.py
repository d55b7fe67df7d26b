"""`make fuzz`: random programs, translated and run on both sides, for as long as you like."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
BATCH = 40
_LARGE = 5 * 2**30


def main() -> int:
    """Print the figures; 1 if a program is silently wrong or crashes."""
    options = _parser().parse_args()
    if options.worker is not None:
        return _work(options)
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        _run_workers(options, Path(folder))
        return _report(options, Path(folder), time.monotonic() - started)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--programs", type=int, help="stop after so many")
    parser.add_argument("--hazard", type=float, default=0.07, help="share of programs that write to shared memory")
    parser.add_argument("--shrink", type=float, default=60, help="seconds to spend on making a failing program smaller")
    parser.add_argument("--out", default="build/fuzz", help="folder for failing programs")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--log", help=argparse.SUPPRESS)
    return parser


def _run_workers(options: argparse.Namespace, folder: Path) -> None:
    """Each worker takes every n-th batch of the same sequence of programs."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz", *sys.argv[1:], "--worker", str(n), "--log", str(folder / f"{n}.log")],
            cwd=ROOT,
            env=environment,
        )
        for n in range(options.processes)
    ]
    for worker in workers:
        worker.wait()


def _work(options: argparse.Namespace) -> int:
    import tests.conftest  # noqa: F401 - XLA as in the tests
    from tests.fuzz.generate import generate
    from tests.fuzz.known import write
    from tests.fuzz.running import FAILURES, forget_compiled, judge, keep_compiled
    from tests.fuzz.shrink import shrink

    keep_compiled(ROOT / "build" / "fuzz_compiled")
    deadline = time.monotonic() + options.minutes * 60
    out = Path(options.out)
    seen: set[str] = set()
    batch = options.worker
    with Path(options.log).open("w", encoding="utf-8") as log:
        while time.monotonic() < deadline and (not options.programs or batch * BATCH < options.programs):
            programs = [generate(n, options.seed, options.hazard) for n in range(batch * BATCH, (batch + 1) * BATCH)]
            by_name = {program.name: program for program in programs}
            for name, outcome in judge(programs).items():
                program = by_name[name]
                tags = ",".join(sorted(program.tags))
                log.write(f"{name}\t{outcome.kind}\t{' '.join(outcome.codes)}\t{tags}\t{outcome.detail}\n")
                if outcome.kind in FAILURES:
                    label = f"{outcome.kind} {outcome.detail[:40]}"
                    seconds = options.shrink if label not in seen else options.shrink / 4
                    seen.add(label)
                    small = shrink(program, outcome, seconds)
                    out.mkdir(parents=True, exist_ok=True)
                    target = out / f"s{options.seed}_{name}.py"
                    target.write_text(write(small, f"{outcome.kind}: {outcome.detail}"), encoding="utf-8")
            log.flush()
            forget_compiled(_LARGE)
            batch += options.processes
    return 0


def _rows(folder: Path) -> Iterator[list[str]]:
    for path in sorted(folder.glob("*.log")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield [*line.split("\t", 4), "", "", "", ""][:5]


def _report(options: argparse.Namespace, folder: Path, seconds: float) -> int:
    rows = list(_rows(folder))
    kinds = Counter(kind for _, kind, *_ in rows)
    total = max(len(rows), 1)
    shares = ", ".join(f"{kind} {count} ({count / total:.1%})" for kind, count in kinds.most_common())
    print(f"{len(rows)} programs in {seconds:.0f} s: {shares}")
    for hazard in (False, True):
        part = [kind for _, kind, _, tags, _ in rows if ("hazard" in tags.split(",")) is hazard]
        flagged = part.count("flagged") / max(len(part), 1)
        print(f"  {'with' if hazard else 'without'} writes to shared memory: {len(part)}, flagged {flagged:.1%}")
    _print_flags(rows)
    failures = [row for row in rows if row[1] in ("silently wrong", "crashed", "internal")]
    for name, kind, codes, _, detail in failures:
        print(f"{kind}: {options.out}/s{options.seed}_{name}.py {codes} {detail[:160]}")
    return 1 if failures else 0


def _print_flags(rows: Sequence[list[str]]) -> None:
    """What is flagged: for each code its share, its commonest messages, and the constructs that it comes with."""
    flagged = [row for row in rows if row[1] == "flagged"]
    codes = Counter(code for row in flagged for code in row[2].split())
    print("flagged, by code: " + ", ".join(f"{code} {count}" for code, count in codes.most_common()))
    constructs = Counter(tag for row in rows for tag in row[3].split(",") if tag)
    refused = Counter(tag for row in flagged for tag in row[3].split(",") if tag)
    print(
        "flagged, by construct: "
        + ", ".join(
            f"{tag} {refused[tag]}/{count}"
            for tag, count in sorted(constructs.items(), key=lambda i: -refused[i[0]] / i[1])
        )
    )
    quiet = [row for row in flagged if "hazard" not in row[3].split(",")]
    for message, count in Counter(_pattern(row[4]) for row in quiet).most_common(25):
        print(f"  {count:4d} {message}")


def _pattern(message: str) -> str:
    """A message without the user's names."""
    return re.sub(r"`[^`]*`", "`_`", message.split(": ", 1)[-1])[:120]


if __name__ == "__main__":
    sys.exit(main())
