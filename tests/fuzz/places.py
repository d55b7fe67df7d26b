"""Scripts of matrices: where something lies, how it is changed, in whose code, and who looks at it; converted, run and compared.

    python -m tests.fuzz.places --minutes 60 --seed 1 tensors "place=deque,tuple"     # make fuzz-places MINUTES=60 SEED=1

What programs keep in objects, and who else holds it, decides what a change becomes; random programs seldom meet themselves there.
"""

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.fuzz.module_places import MODULES
from tests.fuzz.scripts import FAILURES, Outcome, Script, judge
from tests.fuzz.tensor_places import TENSORS
from torch2jax.options import TARGETS

MATRICES = {matrix.name: matrix for matrix in (TENSORS, MODULES)}


def main() -> int:
    """Print the figures; 1 if a script is silently wrong or crashes."""
    parser = argparse.ArgumentParser(prog="make fuzz-places", description=__doc__)
    parser.add_argument("what", nargs="*", help="names of matrices, and `axis=name,name` to choose from few names")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scripts", type=int, default=100_000, help="stop after so many")
    parser.add_argument("--target", choices=TARGETS, default="equinox")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz_places"), help="folder for failing scripts")
    parser.add_argument("--flagged", action="store_true", help="say what is reported, too")
    options = parser.parse_args()
    matrices = [MATRICES[name] for name in options.what if "=" not in name] or list(MATRICES.values())
    chosen = {axis: names.split(",") for axis, _, names in (word.partition("=") for word in options.what) if names}
    deadline = time.monotonic() + options.minutes * 60
    counts: Counter[str] = Counter()
    drawn = [matrix.scripts(options.seed, chosen) for matrix in matrices]
    for script in itertools.islice(_in_turn(drawn), options.scripts):
        if time.monotonic() > deadline:
            break
        outcome = judge(script, options.target)
        counts[outcome.kind] += 1
        if outcome.kind in FAILURES:
            _keep(script, outcome, options.out)
        elif options.flagged and outcome.codes:
            _say(f"{script.name}: {' '.join(outcome.codes)}")
    _say(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if any(counts[kind] for kind in FAILURES) else 0


def _in_turn(drawn: Sequence[Iterator[Script]]) -> Iterator[Script]:
    """One of each, again and again, while there are any."""
    for row in itertools.zip_longest(*drawn):
        yield from (script for script in row if script is not None)


def _keep(script: Script, outcome: Outcome, folder: Path) -> None:
    _say(f"{script.name}: {outcome.kind} {' '.join(outcome.codes)} {outcome.detail}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{script.name}.py").write_text(f"# {outcome.kind}: {outcome.detail}\n{script.source}", encoding="utf-8")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
