"""Random whole scripts: training loops with bookkeeping of every sort between their pieces, converted, run and compared.

    python -m tests.fuzz.scripts --minutes 60 --seed 1        # make fuzz-scripts MINUTES=60 SEED=1

A script sets its weights and data by hand and draws nothing that shows, trains for a few steps, prints what it has noted on the way
and at last its weights. Loops stand at module level, in a function or in a method; the variables of bookkeeping are variables or
fields, and often called as the translation might call its own.
"""

import argparse
import ast
import contextlib
import io
import random
import re
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch2jax
from tests.fuzz.script_pieces import DATA, LOSSES, MODELS, NAMES, OPTIMIZERS, PIECES, Piece
from torch2jax.options import Options, Target

EQUAL, FLAGGED, WRONG, CRASHED = "equal", "flagged", "silently wrong", "crashed"
INTERNAL, INVALID, SLOW = "internal", "invalid", "slow"
FAILURES = (WRONG, CRASHED, INTERNAL)
LAYOUTS = ("module", "module", "function", "function of globals", "method", "method")
_INTERNAL_CODES = ("T2J003", "T2J005")
_SECONDS = 120
_NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|(?:nan|inf)\b)")


_HOLE = re.compile(r"\$(?:(out|loss|m|o|x|y|i)\b|(s))")


@dataclass(frozen=True)
class Script:
    """A program, and the names of what it is made of."""

    name: str
    source: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What became of a script: its class, the codes of errors, and what is different."""

    kind: str
    codes: tuple[str, ...] = ()
    detail: str = ""


@dataclass
class _Slots:
    """The lines of a training loop by their place in it."""

    setup: list[str] = field(default_factory=list)
    init: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    forward: list[str] = field(default_factory=list)
    between: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    epoch: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


def generate(number: int, seed: int) -> Script:
    """The script of a number and a seed."""
    rng = random.Random(f"{seed}/{number}")
    layout = rng.choice(LAYOUTS)
    names = {what: rng.choice(wishes) for what, wishes in NAMES.items()}
    while len(set(names.values())) < len(names):
        names = {what: rng.choice(wishes) for what, wishes in NAMES.items()}
    in_class = layout == "method"
    names["s"] = "self." if in_class else ""
    pieces = _chosen(rng, layout, names)
    slots = _Slots()
    for piece in pieces:
        for place in ("setup", "init", "first", "forward", "between", "last", "epoch", "shown"):
            getattr(slots, place).extend(getattr(piece, place).splitlines())
    model, optimizer, data, loss = (rng.choice(table) for table in (MODELS, OPTIMIZERS, DATA, LOSSES))
    text = _assembled(rng, layout, names, slots, (model, optimizer, data, loss))
    tags = (layout, *(piece.name for piece in pieces))
    return Script(f"script_{seed}_{number}", _HOLE.sub(lambda hole: names[hole[1] or hole[2]], text), tags)


def _chosen(rng: random.Random, layout: str, names: dict[str, str]) -> list[Piece]:
    """A few pieces that go together: no two of one kind, and none that uses a name for something else."""
    count = rng.randint(2, 5)
    found: list[Piece] = []
    taken = set(names.values())
    for piece in rng.sample(PIECES, len(PIECES)):
        if len(found) == count:
            break
        used = set(piece.names)
        if used & taken or (layout not in piece.layouts):
            continue
        taken |= used
        found.append(piece)
    return found


def _step(rng: random.Random, slots: _Slots, loss: str) -> list[str]:
    """The lines of one round of a training loop."""
    zero = "$o.zero_grad()"
    forward = [*loss.splitlines(), *slots.forward]
    at_first = rng.random() < 0.6
    body = [*slots.first, zero, *forward] if at_first else [*slots.first, *forward, zero]
    return [*body, "$loss.backward()", *slots.between, "$o.step()", *slots.last]


def _assembled(rng: random.Random, layout: str, names: dict[str, str], slots: _Slots, parts: Sequence[str]) -> str:
    model, optimizer, data, loss = parts
    step = _step(rng, slots, loss)
    loop = [
        "for epoch in range(2):",
        "    for $i, ($x, $y) in enumerate(batches):",
        *_in(step, 2),
        *_in(slots.epoch, 1),
    ]
    head = ["import numpy as np", "import torch", "import torch.nn as nn", "import torch.nn.functional as F", ""]
    made = [*model.splitlines(), *data.splitlines()]
    weights = [
        "for name, p in $m.named_parameters():",
        "    print(name, [round(v, 4) for v in p.detach().flatten().tolist()])",
    ]
    shown = [f"print({item})" for item in slots.shown]
    if layout == "module":
        lines = [*slots.setup, *made, optimizer, *slots.init, *loop, *shown, *weights]
    elif layout == "method":
        loop = [re.sub(r"\$([mo])\b", r"self.$\1", line) for line in loop]
        bound = ["self.$m, self.$o = $m, $o"] if rng.random() < 0.5 else ["self.$m = $m", "self.$o = $o"]
        lines = [
            *slots.setup,
            "class Trainer:",
            *_in(["def __init__(self, $m, $o):", *_in([*bound, *slots.init], 1), ""], 1),
            *_in(["def fit(self, batches):", *_in([*loop, "return self"], 1), ""], 1),
            *made,
            optimizer,
            "trainer = Trainer($m, $o)",
            "trainer.fit(batches)",
            *(re.sub(r"\$s(?!\W)", "trainer.", line) for line in shown),
            *(line.replace("$m", "trainer.$m") for line in weights),
        ]
    else:
        given = "" if layout == "function of globals" else "$m, $o, batches"
        results = ", ".join(slots.shown) or "None"
        lines = [
            *slots.setup,
            f"def fit({given}):",
            *_in([*slots.init, *loop, f"return {results}"], 1),
            "",
            *made,
            optimizer,
            f"print(fit({given}))",
            *weights,
        ]
    return "\n".join([*head, *lines]) + "\n"


def _in(lines: Sequence[str], depth: int) -> list[str]:
    return ["    " * depth + line for line in lines]


# running


def judge(script: Script, target: Target = "equinox") -> Outcome:
    """Translate a script, run both, and compare what they print."""
    with _quiet():
        ours, failure = _printed(script.source, "torch")
        if failure:
            return Outcome(INVALID, (), failure)
        converted = torch2jax.convert(script.source, Options(target=target), path=f"{script.name}.py")
        codes = tuple(sorted({item.code for item in converted.diagnostics if item.severity.value == "error"}))
        if any(code in _INTERNAL_CODES for code in codes):
            said = next(item.message for item in converted.diagnostics if item.code in _INTERNAL_CODES)
            return Outcome(INTERNAL, codes, said)
        if codes:
            return Outcome(FLAGGED, codes)
        theirs, failure = _printed(converted.text, "jax")
    if failure:
        return Outcome(SLOW if failure.startswith("TimeoutError") else CRASHED, (), failure)
    detail = _difference(ours, theirs)
    return Outcome(WRONG, (), detail) if detail else Outcome(EQUAL)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _printed(text: str, side: str) -> tuple[str, str]:
    """What a program prints, and the error that it ends with."""
    out = io.StringIO()
    space = {"__name__": "__main__"}

    def late(number: int, frame: object) -> None:
        raise TimeoutError(f"{side} takes too long")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(_SECONDS)
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(text, f"<{side}>", "exec"), space)
    except Exception as error:  # noqa: BLE001 - whatever a program does is its outcome
        return out.getvalue(), f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.alarm(0)
    return out.getvalue(), ""


def _difference(ours: str, theirs: str) -> str:
    """The first lines that are not alike; nothing if all are."""
    mine, other = ours.splitlines(), theirs.splitlines()
    for left, right in zip(mine, other, strict=False):
        if not _alike(left, right):
            return f"torch: {left[:200]}  jax: {right[:200]}"
    return "" if len(mine) == len(other) else f"{len(mine)} lines, and {len(other)}"


def _alike(left: str, right: str) -> bool:
    words = [
        re.sub(r"tensor|torch\.Size|Array|[\[\](),]", " ", _NUMBER.sub("#", text)).split() for text in (left, right)
    ]
    if words[0] != words[1]:
        return False
    pairs = zip(_NUMBER.findall(left), _NUMBER.findall(right), strict=True)
    return all(_close(float(a), float(b)) for a, b in pairs)


def _close(a: float, b: float) -> bool:
    return a == b or (a != a and b != b) or abs(a - b) <= 2e-3 * max(1.0, abs(a))


def shrink(script: Script, outcome: Outcome, seconds: float) -> Script:
    """A smaller script with the same failure."""
    from tests.fuzz.shrink import smaller

    deadline = time.monotonic() + seconds
    wanted = (outcome.kind, outcome.detail[:25] if outcome.kind != WRONG else "")
    tree, changed = ast.parse(script.source), True
    while changed and time.monotonic() < deadline:
        changed = False
        for candidate in smaller(tree):
            if time.monotonic() > deadline:
                break
            found = judge(Script(script.name, ast.unparse(candidate) + "\n"))
            if (found.kind, found.detail[:25] if found.kind != WRONG else "") == wanted:
                tree, changed = candidate, True
                break
    return Script(script.name, ast.unparse(tree) + "\n", script.tags)


def main() -> int:
    """Print the figures; 1 if a script is silently wrong or crashes."""
    parser = argparse.ArgumentParser(prog="make fuzz-scripts", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first script")
    parser.add_argument("--programs", type=int, default=sys.maxsize, help="stop after so many")
    parser.add_argument("--shrink", type=float, default=60, help="seconds to spend on making a failing script smaller")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz_scripts"), help="folder for failing scripts")
    options = parser.parse_args()
    deadline, number = time.monotonic() + options.minutes * 60, options.start
    counts: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    while time.monotonic() < deadline and number < options.start + options.programs:
        script = generate(number, options.seed)
        outcome = judge(script)
        counts[outcome.kind] += 1
        codes.update(outcome.codes)
        if outcome.kind in (*FAILURES, INVALID):
            _report(script, outcome, options)
        number += 1
    _say(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    _say(", ".join(f"{count} {code}" for code, count in codes.most_common()))
    return 1 if any(counts[kind] for kind in FAILURES) else 0


def _report(script: Script, outcome: Outcome, options: argparse.Namespace) -> None:
    _say(f"{script.name} {outcome.kind} {outcome.codes} {outcome.detail} [{', '.join(script.tags)}]")
    options.out.mkdir(parents=True, exist_ok=True)
    small = shrink(script, outcome, options.shrink) if outcome.kind in FAILURES and options.shrink else script
    text = f"# {outcome.kind}: {outcome.detail}\n{small.source}"
    (options.out / f"{script.name}.py").write_text(text, encoding="utf-8")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
