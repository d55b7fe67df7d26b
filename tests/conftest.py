"""One thread for each test process, and quick compilation: the suite runs many small programs once, on two cores."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0"
).strip()
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
