"""Profiles: the calls of torch's profiler over the one of JAX."""

import enum
import gzip
import json
import tempfile
from collections import defaultdict
from pathlib import Path

import jax


class ProfilerAction(enum.Enum):
    """torch.profiler.ProfilerAction."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def profile_schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """torch.profiler.schedule: what is done in each step."""
    cycle = wait + warmup + active

    def action(step):
        step -= skip_first
        if step >= 0 and skip_first_wait:
            step += wait
        if step < 0 or (repeat > 0 and step // cycle >= repeat):
            return ProfilerAction.NONE
        place = step % cycle
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


class TraceFolder:
    """torch.profiler.tensorboard_trace_handler: the folder to which traces go."""

    def __init__(self, dir_name, worker_name=None, use_gzip=False):
        self.folder = dir_name

    def __call__(self, profile):
        """JAX has written there already."""


class OperationTimes(list):
    """Names of operations with the number and the sum of their times in microseconds."""

    def __init__(self, events):
        times = defaultdict(list)
        for event in events:
            if event.get("ph") == "X":
                times[event["name"]].append(event.get("dur", 0))
        super().__init__(
            sorted(((name, len(item), sum(item)) for name, item in times.items()), key=lambda row: -row[2])
        )

    def table(self, sort_by=None, row_limit=100, **settings):
        lines = [f"{name[:60]:<60} {count:>8} {total:>14.3f}us" for name, count, total in self[:row_limit]]
        return "\n".join([f"{'Name':<60} {'Calls':>8} {'Total':>16}", *lines])

    def __str__(self):
        return self.table()


class Profile:
    """torch.profiler.profile: JAX records what runs, into a folder that TensorBoard and Perfetto show."""

    def __init__(self, enabled=True, *, schedule=None, on_trace_ready=None, **settings):
        self.enabled = enabled
        self.schedule = schedule or (lambda step: ProfilerAction.RECORD)
        self.on_trace_ready = on_trace_ready
        self.folder = getattr(on_trace_ready, "folder", None) or tempfile.mkdtemp()
        self.step_num = 0
        self.action = ProfilerAction.NONE

    def start(self):
        self._turn(self.schedule(self.step_num))

    def step(self):
        self.step_num += 1
        self._turn(self.schedule(self.step_num))

    def stop(self):
        self._turn(ProfilerAction.NONE)

    def _turn(self, action):
        recording = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        saves = self.action in recording and (self.action is recording[1] or action not in recording)
        starts = action in recording and (saves or self.action not in recording)
        self.action = action
        if saves and self.enabled:
            jax.profiler.stop_trace()
            if self.on_trace_ready is not None:
                self.on_trace_ready(self)
        if starts and self.enabled:
            jax.profiler.start_trace(self.folder, create_perfetto_trace=True)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        self.stop()

    def _text(self):
        """The trace that was recorded last."""
        found = sorted(Path(self.folder).rglob("perfetto_trace.json.gz"), key=lambda path: path.stat().st_mtime)
        return gzip.decompress(found[-1].read_bytes()).decode() if found else '{"traceEvents": []}'

    def export_chrome_trace(self, path):
        data = self._text().encode()
        Path(path).write_bytes(gzip.compress(data) if str(path).endswith(".gz") else data)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, **settings):
        return OperationTimes(json.loads(self._text())["traceEvents"])

    def __str__(self):
        return str(self.key_averages())
