"""Processes for programs, forked from one that has imported the libraries: importing takes longer than most programs do.

What JAX compiles for one program is kept for the next ones, and is not optimized.
"""

import atexit
import functools
import multiprocessing
import os
import runpy
import shutil
import sys
import tempfile
import warnings
from multiprocessing.context import ForkServerProcess
from pathlib import Path

SECONDS = 240
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["torch", "torch.distributed", "jax", "equinox", "optax"])


@functools.cache
def _kept() -> str:
    """The folder for what is compiled, while the tests run."""
    folder = tempfile.mkdtemp(prefix="compiled")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class Running:
    """A program that runs in a process of its own; what it prints goes to files beside it."""

    def __init__(self, program: Path, folder: Path, arguments: list[str], env: dict[str, str]) -> None:
        number = len(list(folder.glob("*.printed")))
        self.files = folder / f"{number}.printed", folder / f"{number}.errors"
        for path in self.files:
            path.touch()
        self.process: ForkServerProcess = _CONTEXT.Process(
            target=_work,
            args=(str(program), str(folder), arguments, env, [str(path) for path in self.files], _kept()),
        )
        self.process.start()

    def finish(self) -> tuple[int, str, str]:
        """The exit status when it has ended (negative: the signal that ended it), and the two texts."""
        self.process.join(SECONDS)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        code = self.process.exitcode
        assert code is not None
        out, errors = (path.read_text(encoding="utf-8") for path in self.files)
        return code, out, errors


def _work(
    program: str, folder: str, arguments: list[str], env: dict[str, str], files: list[str], compiled: str
) -> None:
    """What `python program arguments` does in this folder, with these variables."""
    for number, path in enumerate(files, 1):
        os.dup2(os.open(path, os.O_WRONLY), number)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    sys.argv = [program, *arguments]
    sys.path.insert(0, str(Path(program).parent))
    if env.get("PYTHONWARNINGS") == "ignore":
        warnings.simplefilter("ignore")
    if "JAX_PLATFORMS" in env:
        config = sys.modules["jax"].config
        config.update("jax_platforms", env["JAX_PLATFORMS"])
        config.update("jax_compilation_cache_dir", compiled)
        config.update("jax_persistent_cache_min_compile_time_secs", 0)
        config.update("jax_disable_most_optimizations", True)
    runpy.run_path(program, run_name="__main__")
