"""Processes for programs, forked from one that has imported the libraries: importing takes longer than most programs do."""

import multiprocessing
import os
import runpy
import sys
import warnings
from multiprocessing.context import ForkServerProcess
from pathlib import Path

SECONDS = 240
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["torch", "torch.distributed", "jax", "equinox", "optax"])


class Running:
    """A program that runs in a process of its own; what it prints goes to files beside it."""

    def __init__(self, program: Path, folder: Path, arguments: list[str], env: dict[str, str]) -> None:
        number = len(list(folder.glob("*.printed")))
        self.files = folder / f"{number}.printed", folder / f"{number}.errors"
        for path in self.files:
            path.touch()
        self.process: ForkServerProcess = _CONTEXT.Process(
            target=_work, args=(str(program), str(folder), arguments, env, [str(path) for path in self.files])
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


def _work(program: str, folder: str, arguments: list[str], env: dict[str, str], files: list[str]) -> None:
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
        sys.modules["jax"].config.update("jax_platforms", env["JAX_PLATFORMS"])
    runpy.run_path(program, run_name="__main__")
