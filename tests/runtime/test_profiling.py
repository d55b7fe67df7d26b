"""Profiles record in the steps in which torch's do, and tell the times of operations."""

import gzip
import json
from pathlib import Path

import jax.numpy as jnp
import pytest
import torch

from torch2jax.runtime.profiling import Profile, ProfilerAction, TraceFolder, profile_schedule

SCHEDULES = (
    {"wait": 1, "warmup": 1, "active": 2, "repeat": 2},
    {"wait": 2, "warmup": 1, "active": 1},
    {"wait": 1, "warmup": 1, "active": 2, "repeat": 1, "skip_first": 2},
    {"wait": 1, "warmup": 1, "active": 3, "skip_first": 3, "skip_first_wait": 1},
)


@pytest.mark.parametrize("settings", SCHEDULES)
def test_schedules_have_the_actions_of_torch(settings: dict[str, int]) -> None:
    ours, theirs = profile_schedule(**settings), torch.profiler.schedule(**settings)
    assert [ours(step).name for step in range(20)] == [theirs(step).name for step in range(20)]


# What torch 2.13 does; its profiler and the one of JAX do not run in one process.
ENDS = (
    (SCHEDULES[0], [4, 8]),
    (SCHEDULES[1], [4, 8, 11]),
    (SCHEDULES[2], [6]),
    ({"wait": 0, "warmup": 1, "active": 4}, [5, 10, 11]),
)


@pytest.mark.parametrize(("settings", "ends"), ENDS)
def test_traces_end_where_those_of_torch_end(
    settings: dict[str, int], ends: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jax.profiler.start_trace", lambda folder, **settings: None)
    monkeypatch.setattr("jax.profiler.stop_trace", lambda: None)
    found: list[int] = []
    with Profile(
        schedule=profile_schedule(**settings), on_trace_ready=lambda profile: found.append(profile.step_num)
    ) as profile:
        for _ in range(11):
            profile.step()
    assert found == ends


def test_profiles_tell_times_and_write_traces(tmp_path: Path) -> None:
    """The traces go where `tensorboard_trace_handler` says."""
    with Profile(on_trace_ready=TraceFolder(tmp_path / "log")) as profile:
        (jnp.ones((20, 20)) @ jnp.ones((20, 20))).block_until_ready()
    assert len(profile.key_averages().table(row_limit=3).splitlines()) == 4
    profile.export_chrome_trace(tmp_path / "trace.json")
    profile.export_chrome_trace(str(tmp_path / "trace.json.gz"))
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert gzip.decompress((tmp_path / "trace.json.gz").read_bytes()) == (tmp_path / "trace.json").read_bytes()


def test_a_profile_that_is_off_records_nothing() -> None:
    with Profile(enabled=False) as profile:
        assert profile.action is ProfilerAction.RECORD
    assert profile.key_averages() == []
