"""One thread for each test process, and quick compilation: the suite runs many small programs once, on two cores."""

import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0"
).strip()
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")

_MEMORY = Path("/proc/self/statm")
_LARGE = 3 * 2**30 // 4096  # pages
_tests = 0


def pytest_runtest_teardown() -> None:
    """JAX keeps every program that it has compiled: a process that has grown too large forgets them."""
    global _tests
    _tests += 1
    jax = sys.modules.get("jax")
    if jax is None or _tests % 50 or not _MEMORY.exists():
        return
    if int(_MEMORY.read_text(encoding="ascii").split()[1]) > _LARGE:
        jax.clear_caches()
