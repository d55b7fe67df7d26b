"""`make opinfo`: every operator of torch's own database, translated and compared."""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.opinfo import database, pool, report


def run(
    entries: Sequence[database.Entry],
    dtypes: Sequence[str | None] = (None,),
    limit: int | None = 24,
    seed: int = 0,
    processes: int = 2,
    timeout: float = 180,
    progress: bool = False,
) -> list[report.Operator]:
    """Judge the entries, in worker processes; operators come in the order of their first entry."""
    requests = [
        {"name": entry.name, "variant": entry.variant, "dtype": dtype, "limit": limit, "seed": seed}
        for entry in entries
        for dtype in dtypes
    ]
    reasons = database.no_counterpart()
    operators = {entry.name: report.Operator(entry.name, [], reasons.get(entry.name)) for entry in entries}
    for count, (request, answer) in enumerate(pool.answers(requests, processes, timeout), 1):
        for outcome in answer["outcomes"]:
            if any(limit.covers(request["name"], outcome) for limit in database.limits()):
                outcome["status"] = "limited"
        operators[request["name"]].answers.append({"variant": request["variant"], **answer})
        if progress and sys.stderr.isatty():
            print(f"\r{count} of {len(requests)} {request['name']:40.40}", end="", file=sys.stderr)
    if progress and sys.stderr.isatty():
        print("\r" + " " * 60, end="\r", file=sys.stderr)
    return list(operators.values())


def main() -> int:
    """Print the figures; 1 if a program is silently wrong or crashes."""
    options = _parser().parse_args()
    if options.no_x64:
        os.environ["JAX_ENABLE_X64"] = "0"
    started = time.perf_counter()
    dtypes = [None if name == "default" else name for name in options.dtypes.split(",")]
    limit = None if options.all else options.samples
    entries = database.chosen(options.ops, options.share, options.seed)
    operators = run(entries, dtypes, limit, options.seed, options.processes, options.timeout, progress=True)
    excluded = len({entry.name for entry in database.entries() if not database.is_public(entry.name)})
    print(report.table(operators, excluded))
    print(f"{time.perf_counter() - started:.0f} s")
    lines = list(report.not_whole(operators))
    print(f"\n{len(lines)} operators are not whole:" if lines else "\nAll operators are whole.")
    print("\n".join(lines))
    print(report.unjudged(operators))
    if options.json:
        answers = {operator.name: operator.answers for operator in operators}
        Path(options.json).write_text(json.dumps(answers, indent=1))
    if options.known:
        known = {operator.name: report.first_failure(operator) for operator in operators}
        database.write_known_failures({name: reason for name, reason in known.items() if reason})
    if options.text:
        Path(options.text).write_text(f"{report.table(operators, excluded)}\n\n{report.causes(operators)}\n")
    return int(any(operator.failures or operator.faults for operator in operators))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.opinfo", description=__doc__)
    parser.add_argument("--ops", default=".*", metavar="REGEX", help="operators whose whole name matches")
    parser.add_argument("--share", type=float, default=1.0, help="a part of them, drawn with the seed, such as 0.05")
    parser.add_argument("--seed", type=int, default=0, help="seed of samples and of the share")
    parser.add_argument("--samples", type=int, default=24, help="samples of each entry, spread over all of them")
    parser.add_argument("--all", action="store_true", help="all samples")
    parser.add_argument(
        "--dtypes", default="default", help="such as default,int64,bool,complex64; default is float32 if there is one"
    )
    parser.add_argument("--no-x64", action="store_true", help="JAX as it is by default: 64 bits become 32")
    parser.add_argument("--json", metavar="FILE", help="write every outcome")
    parser.add_argument("--text", metavar="FILE", help="write what is not whole, by cause")
    parser.add_argument("--known", action="store_true", help="write what fails into known_failures.yaml")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=180, help="seconds for one entry of the database")
    return parser


if __name__ == "__main__":
    sys.exit(main())
