"""Programs for several processes: torch runs them with gloo in as many processes as the translation has devices.

The first line of a program may say `# flagged: T2J508`. All others are converted without an error, and print the same.
"""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import torch2jax
from tests.scripts.test_scripts import differs, flagged
from torch2jax.api import convert_program
from torch2jax.options import Options

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return int(found.getsockname()[1])


def run(program: Path, folder: Path, count: int, **env: str) -> subprocess.Popen[str]:
    """Start a program with the number of processes, or devices, as its argument."""
    return subprocess.Popen(
        [sys.executable, str(program), str(count)],
        cwd=folder,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(processes: list[subprocess.Popen[str]]) -> str:
    """What the first of some processes prints; all of them have to succeed."""
    outputs = [process.communicate(timeout=240) for process in processes]
    for process, (_, errors) in zip(processes, outputs, strict=True):
        assert process.returncode == 0, errors[-3000:]
    return outputs[0][0]


def printed_by_torch(program: Path, folder: Path, count: int) -> str:
    """What the first process prints, of those that the program starts, or torchrun would."""
    env = {"MASTER_ADDR": "localhost", "MASTER_PORT": str(free_port()), "OMP_NUM_THREADS": "1"}
    if "spawn(" in program.read_text(encoding="utf-8"):
        return printed([run(program, folder, count, **env)])
    ranks = [{"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(count)} for rank in range(count)]
    return printed([run(program, folder, count, **env, **rank) for rank in ranks])


def printed_by_jax(program: Path, folder: Path, count: int) -> str:
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={count}".strip()
    return printed([run(program, folder, count, XLA_FLAGS=flags, JAX_PLATFORMS="cpu")])


def sizes(program: Path) -> tuple[int, ...]:
    return (1, 2, 4) if program.stem == "torchrun_classifier" else (2,)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program: Path, tmp_path: Path) -> None:
    conversion = torch2jax.convert_file(program, Options())
    errors = [item for item in conversion.diagnostics if item.severity == "error"]
    assert {item.code for item in errors} == flagged(program), [f"{item.line}: {item.message}" for item in errors]
    if errors:
        return
    translation = tmp_path / program.name
    translation.write_text(conversion.text, encoding="utf-8")
    for count in sizes(program):
        theirs = printed_by_torch(program, tmp_path, count)
        assert theirs, "it prints nothing"
        assert differs(theirs, printed_by_jax(translation, tmp_path, count)) is None


HELPER = """
import torch.distributed as dist

def world_size():
    return dist.get_world_size() if dist.is_initialized() else 1

def reduce_mean(t):
    if not dist.is_initialized():
        return t
    dist.all_reduce(t)
    return t / dist.get_world_size()
"""
STARTER = """
import torch.distributed as dist
from helper import world_size

dist.init_process_group("gloo")
print(0.1 * world_size())
"""


def test_helper_of_a_program_that_starts_processes(tmp_path: Path) -> None:
    """What another file of the folder answers without knowing of processes is reported."""
    (tmp_path / "helper.py").write_text(HELPER, encoding="utf-8")
    (tmp_path / "start.py").write_text(STARTER, encoding="utf-8")
    told = [item for found in convert_program(sorted(tmp_path.glob("*.py"))) for item in found.diagnostics]
    lines = {item.line for item in told if item.code == "T2J508"}
    assert lines >= {5, 8}


def test_helper_alone_keeps_its_meaning() -> None:
    """Without processes there are none, and a number that is asked for regardless is reported."""
    guarded = torch2jax.convert(HELPER.partition("def reduce_mean")[0])
    assert not [item for item in guarded.diagnostics if item.severity == "error"]
    bare = torch2jax.convert("import torch.distributed as dist\n\nlr = 0.1 * dist.get_world_size()\n")
    assert [item.code for item in bare.diagnostics] == ["T2J508"]


def test_other_target() -> None:
    text = (Path(__file__).parent / "programs/torchrun_classifier.py").read_text(encoding="utf-8")
    told = torch2jax.convert(text, Options(target="nnx")).diagnostics
    assert "T2J508" in {item.code for item in told if item.severity == "error"}
