"""One thread for each test process, and quick compilation: the suite runs many small programs once, on two cores."""

import gc
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings


def _quick_compilation() -> list[str]:
    """Flags of XLA; one that it does not know ends the process, so what is special to a release stands there only for it.

    The older emitters, and one piece for each program, take a third of the time of the newer ones that share a program out.
    """
    flags = ["--xla_cpu_multi_thread_eigen=false", "--xla_backend_optimization_level=0"]
    if version("jaxlib").startswith("0.10."):
        flags += ["--xla_cpu_use_fusion_emitters=false", "--xla_cpu_parallel_codegen_split_count=1"]
    return flags


os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["XLA_FLAGS"] = " ".join([os.environ.get("XLA_FLAGS", ""), *_quick_compilation()]).strip()
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
os.environ.setdefault(
    "JAX_TRACEBACK_IN_LOCATIONS_LIMIT", "0"
)  # nobody reads where an operation of a program comes from
# What XLA has compiled is kept from one run of the tests to the next, and for other processes: half of the time goes into that.
# What took a moment only is not: there is a lot of it.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / "build" / "compiled"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.01")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

# How long an example takes says how busy the machine is, and no test depends on it.
settings.register_profile("torch2jax", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("torch2jax")

_MEMORY = Path("/proc/self/statm")
_LARGE = 3 * 2**30 // 4096  # pages
_tests = 0


def pytest_collection_finish() -> None:
    """What has been imported and collected stays: no search for garbage goes through it, and there are fewer of them.

    One context for all programs that are lowered: most are a single operation, and making a context takes longer.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    mlir = sys.modules.get("jax._src.interpreters.mlir")
    if mlir is not None and hasattr(
        mlir, "make_ir_context"
    ):  # which is JAX's own affair: without it, tests take longer
        mlir.make_ir_context = cache(mlir.make_ir_context)


@pytest.fixture(autouse=True)
def environment() -> Iterator[None]:
    """The variables of the environment as they were, whatever a program has set: one that starts processes says so there."""
    before = dict(os.environ)
    yield
    if os.environ != before:
        os.environ.clear()
        os.environ.update(before)


def pytest_runtest_teardown() -> None:
    """JAX keeps every program that it has compiled: a process that has grown too large forgets them."""
    global _tests
    _tests += 1
    jax = sys.modules.get("jax")
    if jax is None or _tests % 50 or not _MEMORY.exists():
        return
    if int(_MEMORY.read_text(encoding="ascii").split()[1]) > _LARGE:
        jax.clear_caches()
        contexts = getattr(sys.modules["jax._src.interpreters.mlir"], "make_ir_context", None)
        if hasattr(contexts, "cache_clear"):
            contexts.cache_clear()
