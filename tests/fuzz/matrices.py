"""A matrix of small scripts: one is what a choice on each of its axes gives."""

import ast
import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.fuzz.scripts import Script

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
_HOLE = re.compile(r"\$(\w+)")


@dataclass(frozen=True)
class Matrix:
    """The names on each axis, and the script of a choice; None where the choice says nothing."""

    name: str
    axes: Mapping[str, Collection[str]]
    write: Callable[..., str | None]

    def scripts(self, seed: int, chosen: Mapping[str, Sequence[str]] | None = None) -> Iterator[Script]:
        """Different scripts at random, on some axes of few names; it ends where new ones are rare."""
        rng, seen = random.Random(f"{self.name}/{seed}"), set()
        names = {axis: (chosen or {}).get(axis) or sorted(every) for axis, every in self.axes.items()}
        tries = 0
        while (tries := tries + 1) < 1000:
            choice = tuple(rng.choice(some) for some in names.values())
            if choice in seen:
                continue
            seen.add(choice)
            source = _in_form(self.write(*choice) or "")
            if source:
                yield Script(_file_name(self.name, *choice), source + "\n", choice)
                tries = 0


def _file_name(*names: str) -> str:
    return "-".join(names).replace(" ", "_").replace("/", "div")


def _in_form(source: str) -> str:
    """A program as it is written; nothing where a choice gives none: `f(x) += 1`."""
    try:
        return ast.unparse(ast.parse(source))
    except SyntaxError:
        return ""


def filled(text: str, **holes: str) -> str:
    """A text with `$name` filled; what has several lines is set in as deep as its hole, which stands alone in its line."""
    lines = []
    for line in text.splitlines():
        alone = re.fullmatch(r"(\s*)\$(\w+)", line)
        if alone and alone[2] in holes and "\n" in holes[alone[2]]:
            lines += [alone[1] + part if part else part for part in holes[alone[2]].splitlines()]
        else:
            lines.append(_HOLE.sub(lambda hole: holes.get(hole[1], hole[0]), line))
    return "\n".join(lines)


def deeper(text: str, depth: int = 1) -> str:
    """Lines of a block, set in."""
    return "\n".join("    " * depth + line if line else line for line in text.splitlines())
