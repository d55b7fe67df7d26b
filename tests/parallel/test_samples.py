"""The samples for several processes: translations of both kinds, as they are committed, beside torch with eight processes.

`UPDATE_SNAPSHOTS=1` rewrites the translations beside the samples; review them like code.
"""

import os
from pathlib import Path

import pytest

import torch2jax
from tests.parallel.test_parallel import of_one_process, printed_by_hosts, printed_by_jax, printed_by_torch
from tests.scripts.test_scripts import differs
from torch2jax.options import Options, Parallel

SAMPLES = Path(__file__).parents[2] / "samples" / "parallel"
NAMES = ("contrastive", "ddp_classifier", "ddp_gpt", "spawned_trainer", "sync_batchnorm")
KINDS: dict[str, Parallel] = {"jax": "sharding", "pmap": "pmap"}
DEVICES = 8
IN_NNX: dict[str, Parallel] = {"ddp_classifier": "sharding", "sync_batchnorm": "pmap"}


def test_every_sample_is_named() -> None:
    endings = tuple(f"_{kind}" for kind in KINDS)
    assert sorted(path.stem for path in SAMPLES.glob("*.py") if not path.stem.endswith(endings)) == list(NAMES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_current(name: str, kind: str) -> None:
    conversion = torch2jax.convert_file(SAMPLES / f"{name}.py", Options(parallel=KINDS[kind]))
    assert not [item for item in conversion.diagnostics if item.severity == "error"]
    place = SAMPLES / f"{name}_{kind}.py"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        place.write_text(conversion.text, encoding="utf-8")
    assert conversion.text == place.read_text(encoding="utf-8")


def on_one_processor(name: str, folder: Path) -> Path:
    """A sample as it is for a CPU; with synchronized statistics, in one process, which has all rows."""
    text = (SAMPLES / f"{name}.py").read_text(encoding="utf-8")
    text = text.replace('"nccl")', '"gloo")').replace("torch.cuda.set_device(local_rank)", "")
    text = text.replace(".cuda(local_rank)", "").replace(", device_ids=[local_rank])", ")")
    program = folder / f"{name}.py"
    program.write_text(text, encoding="utf-8")
    return of_one_process(program, folder) if name == "sync_batchnorm" else program


@pytest.mark.parametrize("name", NAMES)
def test_sample(name: str, tmp_path: Path) -> None:
    count = 1 if name == "sync_batchnorm" else DEVICES
    theirs = printed_by_torch(on_one_processor(name, tmp_path), tmp_path, count)
    assert theirs, "it prints nothing"
    for kind in KINDS:
        assert differs(theirs, printed_by_jax(SAMPLES / f"{name}_{kind}.py", tmp_path, DEVICES)) is None, kind


@pytest.mark.parametrize("name", IN_NNX)
def test_nnx(name: str, tmp_path: Path) -> None:
    """Its modules keep their statistics themselves: behind a step, these are those of the first device, or of all."""
    count = 1 if name == "sync_batchnorm" else DEVICES
    theirs = printed_by_torch(on_one_processor(name, tmp_path), tmp_path, count)
    translation = tmp_path / f"{name}_nnx.py"
    conversion = torch2jax.convert_file(SAMPLES / f"{name}.py", Options(target="nnx", parallel=IN_NNX[name]))
    translation.write_text(conversion.text, encoding="utf-8")
    assert differs(theirs, printed_by_jax(translation, tmp_path, DEVICES)) is None


def test_two_hosts(tmp_path: Path) -> None:
    """Two processes with four devices each compute what one computes with eight, in both renderings."""
    program = SAMPLES / "spawned_trainer.py"
    alone = printed_by_jax(SAMPLES / f"{program.stem}_jax.py", tmp_path, DEVICES)
    for kind in KINDS:
        folder = tmp_path / kind
        folder.mkdir()
        assert differs(alone, printed_by_hosts(SAMPLES / f"{program.stem}_{kind}.py", folder)) is None, kind
