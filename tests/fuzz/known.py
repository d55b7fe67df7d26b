"""Reads programs from files: `programs/` holds small ones that once failed, and known failures with their reason.

# why it is kept                  # known: why it still fails
# entry: f
# inputs:
#     torch.tensor([1.0]), 2
import torch
...
"""

import re
from pathlib import Path

from tests.fuzz.generate import HEADER, Program

PROGRAMS = Path(__file__).parent / "programs"
_KNOWN = re.compile(r"(?m)^# known: (.*)")


def read(path: Path) -> Program:
    """The program of a file as `make fuzz` writes it."""
    text = path.read_text(encoding="utf-8")
    entry = re.search(r"(?m)^# entry: (\w+)", text)
    assert entry is not None, f"{path.name} names no entry"
    inputs = re.findall(r"(?m)^#     (.*)", text)
    source = re.sub(r"(?m)^(#.*|import .*|from .*)\n", "", text).lstrip("\n")
    return Program(entry[1], source, tuple(_split(line) for line in inputs))


def reason(path: Path) -> str | None:
    """Why a program is known to fail; None if it must not."""
    found = _KNOWN.search(path.read_text(encoding="utf-8"))
    return found[1] if found else None


def write(program: Program, remark: str) -> str:
    """A program as a file, with its inputs."""
    inputs = "".join(f"#     {', '.join(run)}\n" for run in program.inputs)
    return f"# {remark}\n# entry: {program.name}\n# inputs:\n{inputs}{HEADER}\n\n{program.source}"


def _split(line: str) -> tuple[str, ...]:
    """The arguments of a line, which commas separate that stand in no brackets."""
    parts, depth = [""], 0
    for character in line:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return tuple(part.strip() for part in parts if part.strip())
