"""How fast conversion is: lines per second beside plain parsing, for a small file and two large ones, and the cost of starting.

Folders that are named as arguments hold real programs, of which the median is told: `make bench CORPUS="repos/*"`.
"""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

SIZES = (100, 2_000, 4_000)
REAL_LINES = 200  # of a file that counts among the real ones

_HEAD = '''"""A synthetic program."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
'''

_BLOCK = '''

class Block{i}(nn.Module):
    """Two layers and a residual."""

    def __init__(self, width: int, hidden: int = {i}):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc1 = nn.Linear(width, hidden)
        self.fc2 = nn.Linear(hidden, width)
        self.drop = nn.Dropout(0.1)
        self.scale = 1 / math.sqrt(width)

    def forward(self, x, mask=None):
        h = F.gelu(self.fc1(self.norm(x)))  # (B, T, H)
        h = self.drop(self.fc2(h)) * self.scale
        if mask is not None:
            h = h.masked_fill(mask == 0, 0.0)
        return x + h


def pool{i}(x, lengths):
    steps = torch.arange(x.shape[1])
    keep = (steps[None, :] < lengths[:, None]).float()
    total = (x * keep.unsqueeze(-1)).sum(dim=1)
    return total / keep.sum(dim=1, keepdim=True).clamp(min=1)
'''


def make_program(lines: int) -> str:
    """A program of about as many lines, of modules and functions as people write them."""
    text, i = _HEAD, 0
    while text.count("\n") < lines:
        text += _BLOCK.format(i=i)
        i += 1
    return text


def best_time(function: Callable[[], object], seconds: float = 2.0) -> float:
    """Shortest of as many runs as fit in the time, at least three."""
    times: list[float] = []
    start = time.perf_counter()
    while len(times) < 3 or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        function()
        times.append(time.perf_counter() - before)
    return min(times)


def cpu_of(*command: str) -> float:
    """CPU seconds of a new Python process, best of five."""
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def real_programs(folders: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """The files of some folders that use torch and are not short."""
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")) if Path(folder).is_dir() else [Path(folder)]:
            text = path.read_text(encoding="utf-8", errors="replace")
            if text.count("\n") > REAL_LINES and "import torch" in text:
                yield path, text


def cpu_time(function: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    before = time.process_time()
    function()
    return time.process_time() - before


def tell_real_programs(folders: Sequence[str]) -> None:
    """Print how many times longer than parsing the conversion of real files takes."""
    import torch2jax  # noqa: I001 - before the parser, as whoever converts does

    import libcst

    torch2jax.convert(make_program(SIZES[0]))  # what is loaded once is not counted
    ratios: list[tuple[float, Path]] = []
    for path, text in real_programs(folders):
        try:
            parsing = min(cpu_time(lambda text=text: libcst.parse_module(text)) for _ in range(3))  # type: ignore[misc]
        except libcst.ParserSyntaxError:
            continue
        ratios.append((cpu_time(lambda text=text: torch2jax.convert(text)) / parsing, path))  # type: ignore[misc]
    if ratios:
        slowest, path = max(ratios)
        median = statistics.median(ratio for ratio, _ in ratios)
        print(f"{len(ratios)} real files: {median:.1f} times parsing (median), at most {slowest:.1f}: {path}")


def main() -> None:
    """Print the table."""
    empty = cpu_of("-c", "")
    for what, command in (
        ("python", ("-c", "")),
        ("torch2jax --version", ("-m", "torch2jax", "--version")),
        ("import libcst", ("-c", "import libcst")),
    ):
        seconds = cpu_of(*command)
        print(f"start-up CPU  {what:<22} {seconds:6.3f} s   ({seconds - empty:+.3f})", flush=True)

    import torch2jax  # noqa: I001 - before the parser, as whoever converts does

    import libcst

    for size in SIZES:
        program = make_program(size)
        lines = program.count("\n")
        parsing = best_time(lambda program=program: libcst.parse_module(program))  # type: ignore[misc]
        converting = best_time(lambda program=program: torch2jax.convert(program))  # type: ignore[misc]
        ok = "" if torch2jax.convert(program).ok else "   (with errors: not all of it was translated)"
        print(
            f"{lines:>5} lines   parse {lines / parsing:>9,.0f} lines/s   convert {lines / converting:>9,.0f} lines/s"
        )
        print(
            f"              {parsing:.3f} s               {converting:.3f} s, {converting / parsing:.1f} times{ok}",
            flush=True,
        )
    tell_real_programs(sys.argv[1:])


if __name__ == "__main__":
    main()
