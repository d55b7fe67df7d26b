"""Programs for several processes: torch runs them with gloo in as many processes as the translation has devices.

The first line of a program may say `# flagged: T2J508`. All others are converted without an error, and print the same.
"""

import os
import signal
import socket
from pathlib import Path

import pytest

import torch2jax
from tests.parallel.processes import Running
from tests.scripts.test_scripts import differs, flagged
from torch2jax.api import Conversion, convert_program
from torch2jax.options import Options

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
MAPPED = {
    "rows_in_expressions",
    "changing_surroundings",
    "gathered_embeddings",
    "processes_by_choice",
    "scattered_tensors",
    "script_with_evaluation",
    "torchrun_classifier",
}  # by pmap, too
IN_NNX = {
    "changing_surroundings",
    "drawn_batches",
    "gathered_behind_steps",
    "processes_by_choice",
    "replicas_with_statistics",
    "scattered_tensors",
    "synchronized_statistics",
}  # in Flax NNX, too
IN_LINEN = IN_NNX | {"torchrun_classifier"}  # in Flax Linen, too


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return int(found.getsockname()[1])


def run(program: Path, folder: Path, count: int, **env: str) -> Running:
    """Start a program with the number of processes, or devices, as its argument."""
    return Running(program, folder, [str(count)], {**os.environ, **env})


def printed(processes: list[Running]) -> str:
    """What the first of some processes prints; all of them have to succeed."""
    results = [process.finish() for process in processes]
    for code, _, errors in results:
        assert code == 0 or _ended_in_gloo(code, errors), errors[-3000:]
    return results[0][1]


def _ended_in_gloo(code: int, errors: str) -> bool:
    """Whether a thread of gloo ended a process when all was done, or one that the process has started: what it prints is all there."""
    if "terminate called without an active exception" not in errors:
        return False
    is_alone = code == -signal.SIGABRT and len(errors.strip().splitlines()) == 1
    is_of_spawned = code == 1 and errors.rstrip().endswith("terminated with signal SIGABRT")
    return is_alone or is_of_spawned


def printed_by_torch(program: Path, folder: Path, count: int) -> str:
    """What the first process prints, of those that the program starts, or torchrun would."""
    env = {
        "MASTER_ADDR": "localhost",
        "MASTER_PORT": str(free_port()),
        "OMP_NUM_THREADS": "1",
        "PYTHONWARNINGS": "ignore",
    }
    if "spawn(" in program.read_text(encoding="utf-8"):
        return printed([run(program, folder, count, **env)])
    ranks = [{"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(count)} for rank in range(count)]
    return printed([run(program, folder, count, **env, **rank) for rank in ranks])


def printed_by_jax(program: Path, folder: Path, count: int) -> str:
    flags = (
        f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={devices(program, count)}".strip()
    )
    return printed([run(program, folder, count, XLA_FLAGS=flags, JAX_PLATFORMS="cpu")])


def sizes(program: Path) -> tuple[int, ...]:
    counts = {
        "drawn_batches": (1, 2),
        "gathered_behind_steps": (1, 2),
        "gathered_embeddings": (1, 2),
        "helpers_behind_steps": (1, 2),
        "helpers_in_steps": (1, 2),
        "helpers_outside_of_steps": (1,),
        "processes_by_choice": (1, 2),
        "replicas_with_statistics": (1, 2),
        "scattered_tensors": (1, 2),
        "script_with_evaluation": (1, 2),
        "synchronized_statistics": (2, 4),
        "torchrun_classifier": (1, 2, 4),
    }
    return counts.get(program.stem, (2,))


def of_one_process(program: Path, folder: Path) -> Path:
    """A program without SyncBatchNorm, which torch has only for GPUs: in one process, all rows are its own."""
    text = program.read_text(encoding="utf-8").replace("nn.SyncBatchNorm.convert_sync_batchnorm(model)", "model")
    alone = folder / "alone.py"
    alone.write_text(text.replace("nn.SyncBatchNorm(", "nn.BatchNorm1d("), encoding="utf-8")
    return alone


def devices(program: Path, count: int) -> int:
    """How many devices there are: programs that start no processes have to leave the others alone."""
    return 4 if program.stem == "processes_by_choice" and count == 1 else count


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program: Path, tmp_path: Path) -> None:
    conversion = torch2jax.convert_file(program, Options())
    errors = [item for item in conversion.diagnostics if item.severity == "error"]
    assert {item.code for item in errors} == flagged(program), [f"{item.line}: {item.message}" for item in errors]
    if errors:
        return
    translation = tmp_path / program.name
    translation.write_text(conversion.text, encoding="utf-8")
    others = []
    for names, options in (
        (MAPPED, Options(parallel="pmap")),
        (IN_NNX, Options(target="nnx")),
        (IN_LINEN, Options(target="linen")),
        (MAPPED & IN_LINEN, Options(target="linen", parallel="pmap")),
    ):
        if program.stem in names:
            others.append(tmp_path / f"{program.stem}_{options.parallel}_{options.target}.py")
            others[-1].write_text(torch2jax.convert_file(program, options).text, encoding="utf-8")
    for count in sizes(program):
        alone = program.stem == "synchronized_statistics"
        original = of_one_process(program, tmp_path) if alone else program
        theirs = printed_by_torch(original, tmp_path, 1 if alone else count)
        assert theirs, "it prints nothing"
        assert differs(theirs, printed_by_jax(translation, tmp_path, count)) is None
        for other in others if count == sizes(program)[-1] else ():
            assert differs(theirs, printed_by_jax(other, tmp_path, count)) is None, other.name


def printed_by_hosts(program: Path, folder: Path) -> str:
    """What the first of two processes prints, which drive four devices each."""
    shared = {
        "JAX_COORDINATOR_ADDRESS": f"localhost:{free_port()}",
        "JAX_NUM_PROCESSES": "2",
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
    }
    text = printed([run(program, folder, 8, JAX_PROCESS_ID=str(number), **shared) for number in range(2)])
    # what Gloo says comes from several threads, which cut each other's lines
    return "\n".join(line for line in text.splitlines() if "[Gloo]" not in line and "peer ranks" not in line)


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


ALONE = """
import torch
from helper import world_size

print(0.1 * world_size(), torch.ones(2))
"""


def converted(folder: Path, **files: str) -> dict[str, Conversion]:
    """The translations of the files of a program, by their names."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    paths = sorted(folder.glob("*.py"))
    return {path.stem: found for path, found in zip(paths, convert_program(paths), strict=True)}


def errors_of(conversion: Conversion) -> list[int]:
    return [item.line for item in conversion.diagnostics if item.severity == "error"]


def test_helper_of_a_program_that_starts_processes(tmp_path: Path) -> None:
    """It asks when it runs, so that it serves programs that start no processes as well."""
    helper = HELPER.partition("def reduce_mean")[0]
    found = converted(tmp_path, helper=helper, start=STARTER, alone=ALONE)
    assert not any(errors_of(item) for item in found.values())
    folder = tmp_path / "out"
    folder.mkdir()
    for name, item in found.items():
        (folder / f"{name}.py").write_text(item.text, encoding="utf-8")
    assert printed_by_jax(folder / "start.py", folder, 4).split()[-1] == "0.4"
    assert printed_by_jax(folder / "alone.py", folder, 4).split()[0] == "0.1"


def test_reduction_of_a_helper(tmp_path: Path) -> None:
    """An argument that is reduced is changed for the caller as well; a copy is not, and is told to be known for one device."""
    assert errors_of(converted(tmp_path, helper=HELPER, start=STARTER)["helper"]) == [8]
    copied = converted(tmp_path, helper=HELPER.replace("    dist.all_reduce", "    t = t.clone()\n    dist.all_reduce"))
    assert [item.code for item in copied["helper"].diagnostics if item.severity == "warning"] == ["T2J509"]
    assert not errors_of(copied["helper"])


def test_reduction_outside_of_steps_on_several_devices(tmp_path: Path) -> None:
    """What is known for one device only stops on several, rather than to give the numbers of the first."""
    program = Path(__file__).parent / "programs/helpers_outside_of_steps.py"
    (tmp_path / program.name).write_text(torch2jax.convert_file(program, Options()).text, encoding="utf-8")
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    process = run(tmp_path / program.name, tmp_path, 2, **flags)
    assert "NotImplementedError" in process.finish()[2]


def test_replicas_on_several_devices(tmp_path: Path) -> None:
    """Replicas that would take statistics of rows of their own stop, and it is told that they do."""
    program = Path(__file__).parent / "programs/replicas_with_statistics.py"
    conversion = torch2jax.convert_file(program, Options())
    assert [item.code for item in conversion.diagnostics] == ["T2J513"]
    (tmp_path / program.name).write_text(conversion.text, encoding="utf-8")
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    process = run(tmp_path / program.name, tmp_path, 1, **flags)
    assert "NotImplementedError: the statistics of each device" in process.finish()[2]


TRAINING = """
import torch
from torch import nn
from models import Model
from data import loader

model = Model()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    x, y = x - x.mean(), y.abs()
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
MODELS = """
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)

    def forward(self, x):
        return self.layer(x)
"""
DATA = """
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(8, 2), torch.ones(8, 1)), batch_size=4)
"""
WRAPPING = """
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from models import Model

dist.init_process_group("gloo")
model = DistributedDataParallel(Model())
"""


def test_programs_of_one_folder(tmp_path: Path) -> None:
    """A program without processes does not change because of another one that trains the same model on several devices."""
    found = converted(tmp_path, single=TRAINING, models=MODELS, data=DATA, several=WRAPPING)
    assert not errors_of(found["single"])
    assert "data_parallel" not in found["single"].text


def test_helper_alone_keeps_its_meaning() -> None:
    """Without processes there are none, and a number that is asked for regardless is an error, as in torch."""
    guarded = torch2jax.convert(HELPER.partition("def reduce_mean")[0])
    assert not [item for item in guarded.diagnostics if item.severity == "error"]
    bare = torch2jax.convert("import torch.distributed as dist\n\nlr = 0.1 * dist.get_world_size()\n")
    assert "lr = 0.1 * world_size()" in bare.text


def test_other_target() -> None:
    text = (Path(__file__).parent / "programs/torchrun_classifier.py").read_text(encoding="utf-8")
    for target in ("nnx", "linen"):
        told = torch2jax.convert(text, Options(target=target)).diagnostics
        assert not [item for item in told if item.severity == "error"]


DRAWN = """
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, DistributedSampler

class Drawn(Dataset):
    def __init__(self, size):
        self.rows = [(torch.rand(4), torch.rand(1)) for _ in range(size)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]

dist.init_process_group("gloo")
data = Drawn(16)
loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data))
model = DistributedDataParallel(torch.nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
"""


def test_data_set_that_is_drawn() -> None:
    """All devices have shares of one data set; where each process is meant to have its own, that is reported."""
    told = torch2jax.convert(DRAWN).diagnostics
    assert [(item.code, item.severity) for item in told] == [("T2J512", "warning")]
    for old, new in [
        (", sampler=DistributedSampler(data)", ""),
        ("data = Drawn", "torch.manual_seed(dist.get_rank())\ndata = Drawn"),
        ("sampler=DistributedSampler(data)", "sampler=torch.utils.data.RandomSampler(data)"),
    ]:
        assert "T2J508" in {item.code for item in torch2jax.convert(DRAWN.replace(old, new)).diagnostics}, new


COUNTING = """
import torch
import torch.distributed as dist

enough = torch.accelerator.is_available() and torch.accelerator.device_count() >= 2
dist.init_process_group("gloo")
"""


def test_devices_stand_for_accelerators() -> None:
    """Where processes are started, whatever devices there are take their places."""
    conversion = torch2jax.convert(COUNTING)
    assert not errors_of(conversion)
    assert "enough = True and jax.device_count() >= 2" in conversion.text


ENGINE = """
import torch
import torch.distributed as dist

def evaluate(model, loader):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += (model(x) - y).abs().sum().item()
    result = torch.tensor([total])
    dist.all_reduce(result)
    return result.item()
"""
TRAINED = """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
from engine import evaluate

dist.init_process_group("gloo")
data = TensorDataset(torch.ones(8, 2), torch.ones(8, 1))
loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, shuffle=False))
model = DistributedDataParallel(nn.Sequential(nn.BatchNorm1d(2), nn.Linear(2, 1)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
print(evaluate(model, loader))
"""


def test_evaluation_in_another_file(tmp_path: Path) -> None:
    """It takes the statistics of the first process, unless one file has gone around the wrapper, or before it."""
    assert not any(map(errors_of, converted(tmp_path, engine=ENGINE, train=TRAINED).values()))
    for old, new in [
        ("evaluate(model, loader)", "evaluate(model.module, loader)"),
        ("print(", "with model.no_sync():\n    model(x)\nprint("),
    ]:
        found = converted(tmp_path, engine=ENGINE, train=TRAINED.replace(old, new))
        assert errors_of(found["engine"]), new


KEEPING = """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

def train(model, optimizer, loader, listed, named):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        listed.append(loss.item())
        named["loss"] = loss.item()
        total += loss.item()
    return total

def main():
    dist.init_process_group("gloo")
    data = TensorDataset(torch.ones(8, 2), torch.ones(8, 1))
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, shuffle=False))
    model = DistributedDataParallel(nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    LINE
    dist.all_reduce(told)
    print(told.sum().item())

main()
"""


KEPT = """
class Kept:
    def __init__(self):
        self.total = 0.0

    def run(self, model, optimizer, loader):
        self.total += train(model, optimizer, loader, [], {})
"""


@pytest.mark.parametrize(
    "line",
    [
        "told = torch.tensor(train(model, optimizer, loader, [], {}))",
        "losses = []\n    train(model, optimizer, loader, losses, {})\n    told = torch.tensor(losses)",
        "kept = {}\n    train(model, optimizer, loader, [], kept)\n    told = torch.tensor(kept['loss'])",
        "kept = Kept()\n    kept.run(model, optimizer, loader)\n    told = torch.tensor(kept.total)",
    ],
)
def test_reduction_by_those_who_call(line: str) -> None:
    """What functions that train return, or leave in what they are given, is each device's own: the first one's is not reduced."""
    program = KEEPING.replace("\ndef train", f"{KEPT}\ndef train") if "Kept" in line else KEEPING
    told = torch2jax.convert(program.replace("LINE", line)).diagnostics
    assert [item.severity for item in told if item.code == "T2J508" and "all_reduce" in item.message] == ["error"]


def test_reduction_of_what_is_the_same() -> None:
    """Numbers that do not depend on training are the same on all devices, whoever trains."""
    line = "train(model, optimizer, loader, [], {})\n    told = torch.tensor(len(loader) * 0.5)"
    assert not [
        item for item in torch2jax.convert(KEEPING.replace("LINE", line)).diagnostics if item.severity == "error"
    ]
