"""Programs with `accelerate.Accelerator` or `lightning.Fabric` on several devices, beside torch with as many processes that do the same by hand."""

from pathlib import Path

import jax
import numpy as np
import pytest

import torch2jax
from tests.parallel.test_parallel import printed_by_jax, printed_by_torch
from tests.scripts.test_scripts import differs
from torch2jax.options import Options, Parallel
from torch2jax.runtime.data import ArrayDataset, DataLoader
from torch2jax.runtime.parallel import BatchSharesSampler, share_batches, share_rows

PROGRAMS = Path(__file__).parent / "processes"


@pytest.mark.parametrize(
    ("name", "parallel", "count"),
    [("accelerated", "sharding", 1), ("accelerated", "sharding", 2), ("accelerated", "pmap", 2), ("fabric", None, 2)],
)
def test_program(name: str, parallel: Parallel | None, count: int, tmp_path: Path) -> None:
    conversion = torch2jax.convert_file(PROGRAMS / f"{name}.py", Options(parallel=parallel))
    assert not [item for item in conversion.diagnostics if item.severity == "error"]
    (tmp_path / f"{name}.py").write_text(conversion.text, encoding="utf-8")
    theirs = printed_by_torch(PROGRAMS / f"{name}_by_hand.py", tmp_path, count)
    assert theirs and differs(theirs, printed_by_jax(tmp_path / f"{name}.py", tmp_path, count)) is None


def test_one_device_where_nothing_says_that_there_are_several(tmp_path: Path) -> None:
    """As torch does what is started without a launcher."""
    conversion = torch2jax.convert_file(PROGRAMS / "accelerated.py", Options())
    assert "data_parallel" not in conversion.text
    (tmp_path / "accelerated.py").write_text(conversion.text, encoding="utf-8")
    theirs = printed_by_torch(PROGRAMS / "accelerated_by_hand.py", tmp_path, 1)
    assert differs(theirs, printed_by_jax(tmp_path / "accelerated.py", tmp_path, 2)) is None


@pytest.mark.parametrize(
    "line",
    [
        "kept = accelerator.gather(loss)",
        "kept = accelerator.gather_for_metrics(loss)",
        "tell = accelerator.print",
        "kept = accelerator.reduce(loss, scale=2.0)",
        "things = accelerator.prepare(*[model])",
    ],
)
def test_what_several_processes_do_differently_is_reported(line: str) -> None:
    text = (
        "import torch\nfrom accelerate import Accelerator\naccelerator = Accelerator()\n"
        "model = torch.nn.Linear(2, 1)\nloss = model(torch.ones(3, 2)).mean()\n"
    )
    for parallel, expected in [("sharding", True)]:
        told = torch2jax.convert(f"{text}{line}\n", Options(parallel=parallel)).diagnostics
        assert bool([item for item in told if item.severity == "error"]) is expected


def test_split_batches_are_reported() -> None:
    text = "import torch\nfrom accelerate import Accelerator\naccelerator = Accelerator(split_batches=True)\nprint(accelerator.num_processes)\n"
    assert not torch2jax.convert(text).diagnostics
    assert [item.code for item in torch2jax.convert(text, Options(parallel="pmap")).diagnostics] == ["T2J200"]


def test_loaders_of_one_process_stay_what_they_are() -> None:
    loader = DataLoader(ArrayDataset(np.arange(5)), batch_size=2, shuffle=True)
    assert share_batches(loader) is loader and share_rows(loader) is loader


@pytest.mark.parametrize(("drop_last", "count"), [(False, 12), (True, 8)])
def test_whole_batches_are_shared_out(drop_last: bool, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows come, completed by the first ones or without the last, in another order at each pass."""
    monkeypatch.setattr(jax, "device_count", lambda: 2)
    monkeypatch.setattr(jax, "local_device_count", lambda: 2)
    monkeypatch.setenv("DEVICES_WORK_TOGETHER", "1")
    plain = BatchSharesSampler(range(10), 2, shuffle=False, drop_last=drop_last)
    rows = [*range(10), 0, 1][:count]
    pairs = [rows[start : start + 2] for start in range(0, count, 2)]
    assert plain.shares() == [np.ravel(pairs[part::2]).tolist() for part in range(2)] and len(plain) == count // 2
    shuffled = BatchSharesSampler(range(10), 2, shuffle=True, drop_last=False)
    first, second = shuffled.shares(), shuffled.shares()
    assert first != second and set(np.ravel(first)) == set(np.ravel(second)) == set(range(10))
