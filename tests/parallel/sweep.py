"""`python -m tests.parallel.sweep`: random programs, run by torch in processes of gloo and by JAX on as many devices."""

from __future__ import annotations

import argparse
import contextlib
import os
import runpy
import socket
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import torch2jax
from tests.parallel.chance import make_program
from tests.scripts.test_scripts import differs
from torch2jax.options import PARALLELS, TARGETS, Options

ROOT = Path(__file__).parents[2]


def compare(seeds: Sequence[int], folder: Path, world: int, options: Options) -> dict[int, str]:
    """What became of each program: `equal`, `flagged: CODES`, `wrong: ...` or `crash: ...`."""
    found: dict[int, str] = {}
    for seed in seeds:
        text = make_program(seed, world)
        conversion = torch2jax.convert(text, options)
        codes = sorted({item.code for item in conversion.diagnostics if item.severity == "error"})
        (folder / f"torch_{seed}.py").write_text(text, encoding="utf-8")
        (folder / f"jax_{seed}.py").write_text(conversion.text, encoding="utf-8")
        if codes:
            found[seed] = f"flagged: {', '.join(codes)}"
    left = [seed for seed in seeds if seed not in found]
    _run_torch([folder / f"torch_{seed}.py" for seed in left], folder, world)
    _run_jax([folder / f"jax_{seed}.py" for seed in left], folder, world)
    for seed in left:
        found[seed] = _outcome(folder, seed)
    return found


def _outcome(folder: Path, seed: int) -> str:
    theirs, ours = ((folder / f"{side}_{seed}.py.0").read_text(encoding="utf-8") for side in ("torch", "jax"))
    assert "Traceback" not in theirs and theirs.strip(), theirs
    if "Traceback" in ours:
        return f"crash: {ours.strip().splitlines()[-1]}"
    reason = differs(theirs, ours)
    return "equal" if reason is None else f"wrong: {reason}"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return int(found.getsockname()[1])


def _run_torch(programs: Sequence[Path], folder: Path, world: int) -> None:
    shared = {
        "MASTER_ADDR": "localhost",
        "MASTER_PORT": str(_free_port()),
        "OMP_NUM_THREADS": "1",
        "PYTHONWARNINGS": "ignore",
    }
    ranks = [{"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(world)} for rank in range(world)]
    _wait([_start(programs, folder, {**shared, **rank}) for rank in ranks])


def _run_jax(programs: Sequence[Path], folder: Path, world: int) -> None:
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={world}".strip()
    _wait([_start(programs, folder, {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"})])


def _start(programs: Sequence[Path], folder: Path, env: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.parallel.sweep", "--run", *map(str, programs)]
    path = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    return subprocess.Popen(command, cwd=folder, env={**os.environ, **env, "PYTHONPATH": path}, stderr=subprocess.PIPE)


def _wait(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        _, errors = process.communicate(timeout=1200)
        assert process.returncode == 0, errors.decode()[-2000:]


def run_all(programs: Sequence[str]) -> None:
    """Run programs one after the other, and write what each prints, or its traceback, beside it."""
    by_torch = "MASTER_PORT" in os.environ
    if by_torch:
        _keep_group()
    for program in programs:
        place = Path(f"{program}.{os.environ['RANK'] if by_torch else 0}")
        with place.open("w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
            try:
                runpy.run_path(program, run_name="__main__")
            except Exception:
                traceback.print_exc(file=file)
                if by_torch:
                    raise  # the others wait for it
    sys.stderr.flush()
    os._exit(0)  # threads of gloo may end a process with an error where all is done


def _keep_group() -> None:
    """One process group for all programs: gloo may fail where groups are made and left one after the other."""
    import torch.distributed as dist

    dist.init_process_group("gloo")
    dist.init_process_group = lambda *args, **options: None
    dist.destroy_process_group = dist.barrier


def main() -> int:
    """Print what became of the programs; 1 if one is silently wrong or crashes."""
    parser = argparse.ArgumentParser(prog="python -m tests.parallel.sweep", description=__doc__)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--world", type=int, default=2, help="how many processes, or devices")
    parser.add_argument("--parallel", choices=PARALLELS, default="sharding")
    parser.add_argument("--target", choices=TARGETS, default="equinox")
    parser.add_argument("--keep", help="folder for the programs")
    parser.add_argument("--run", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run is not None:
        run_all(options.run)
        return 0
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        seeds = range(options.seed, options.seed + options.programs)
        rendering = Options(parallel=options.parallel, target=options.target)
        for start in range(0, len(seeds), 25):
            for seed, told in compare(seeds[start : start + 25], folder, options.world, rendering).items():
                counts[told.partition(":")[0]] += 1
                if told != "equal":
                    print(seed, told, flush=True)
    print(dict(counts))
    return int(counts["wrong"] + counts["crash"] > 0)


if __name__ == "__main__":
    sys.exit(main())
