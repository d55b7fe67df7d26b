"""A process that judges operators one after another: requests and answers are lines of JSON."""

import json
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("JAX_ENABLE_X64", "1")  # so that int64 and float64 mean what they mean in torch
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
_FLAGS = "--xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0"
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {_FLAGS}".strip()


def main() -> None:
    """Answer until the input ends. What operators print goes to the error stream."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import torch

    from tests.opinfo.judge import find, judge

    torch.set_num_threads(1)
    answers.write("ready\n")
    answers.flush()
    for line in sys.stdin:
        request = json.loads(line)
        op = find(request["name"], request["variant"])
        try:
            answer = judge(op, request["dtype"], request["limit"], request["seed"])
        except Exception as error:
            if os.environ.get("TORCH2JAX_DEBUG"):
                raise
            answer = {"dtype": None, "outcomes": [], "seconds": 0.0, "fault": f"{type(error).__name__}: {error}"[:500]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
