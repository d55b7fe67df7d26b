"""`python -m tests.doc_examples`: the examples of torch's own documentation, translated, run and compared."""

import argparse
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")


def main() -> int:
    """Print the figures and what is not equal; 1 if an example is silently wrong or crashes."""
    from tests.doc_examples.collect import documented
    from tests.doc_examples.judge import Status, Verdict, judge

    options = _parser().parse_args()
    chosen = [item for item in documented() if re.fullmatch(options.names, item[0])]
    chosen = [item for item in chosen if random.Random(f"{options.seed} {item[0]}").random() < options.share]

    def judged() -> Iterator[Verdict]:
        for name, text in chosen:
            verdict = judge(name, text, runs=not options.flags)
            if verdict.status not in (Status.EQUAL, Status.NOTHING):
                print(f"{verdict.name}: {verdict.status}: {verdict.reason}", flush=True)
                if options.show:
                    print(f"{verdict.text}\n----\n{verdict.translation}\n")
            yield verdict

    verdicts = list(judged())
    counts = Counter(verdict.status for verdict in verdicts)
    compared = len(verdicts) - counts[Status.NOTHING]
    print(", ".join(f"{counts[status]} {status}" for status in Status))
    print(f"equal: {counts[Status.EQUAL]} of {compared}, {counts[Status.EQUAL] / max(compared, 1):.1%}")
    if options.json:
        fields = ("name", "status", "reason", "text", "translation")
        found = [{name: getattr(verdict, name) for name in fields} for verdict in verdicts]
        Path(options.json).write_text(json.dumps(found, indent=1), encoding="utf-8")
    return int(bool(counts[Status.WRONG] + counts[Status.CRASHED]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.doc_examples", description=__doc__)
    parser.add_argument("names", nargs="?", default=".*", metavar="REGEX", help="names that match as a whole")
    parser.add_argument("--share", type=float, default=1.0, help="a part of them, drawn with the seed, such as 0.05")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--flags", action="store_true", help="translate only: what is not flagged counts as equal")
    parser.add_argument("--show", action="store_true", help="print programs and translations of what is not equal")
    parser.add_argument("--json", metavar="FILE", help="write every verdict")
    return parser


if __name__ == "__main__":
    sys.exit(main())
